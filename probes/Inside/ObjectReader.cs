using Microsoft.Diagnostics.Runtime;

namespace Tpwatch.Inside;

/// <summary>
/// Objects of the target by address. While the target runs an address may be anything, and the runtime's own debugging code crashes where
/// it is asked about something that is no method table; so each is proven here first.
/// </summary>
sealed class ObjectReader
{
    /// <summary>Before the first field of an object lies its method table.</summary>
    public const ulong FirstField = 8;

    /// <summary>Where the length of an array lies, and where its elements begin.</summary>
    public const ulong ArrayLength = 8;

    /// <inheritdoc cref="ArrayLength"/>
    public const ulong ArrayElements = 16;

    /// <summary>RanToCompletion, Faulted, Canceled of <c>Task.m_stateFlags</c>.</summary>
    const int TaskComplete = 0x1600000;

    /// <summary>DelegateInvoked of <c>Task.m_stateFlags</c>.</summary>
    const int TaskStarted = 0x20000;

    /// <summary>No user address is lower or higher.</summary>
    const ulong LowestAddress = 0x10000;
    const ulong HighestAddress = 0x800000000000;

    /// <summary>Where in a method table its class may be found, and in that the way back, as far as they are searched for.</summary>
    const ulong FurthestClass = 0x60;
    const ulong FurthestBack = 0x80;

    static readonly string[] InEveryProgram =
        ["System.String", "System.Object", "System.Threading.Thread", "System.Threading.ThreadPoolWorkQueue"];

    const ulong ParentTable = 0x10;
    const int MostBases = 20;

    readonly ClrRuntime runtime;
    readonly Dictionary<ulong, ClrType?> types = [];
    readonly Dictionary<ClrType, bool> tasks = [];
    readonly ulong classAt;
    readonly ulong backAt;
    readonly ulong continuation;

    /// <exception cref="InsideException">The layout of this runtime is another than any that is known.</exception>
    public ObjectReader(ClrRuntime runtime, IDataReader memory)
    {
        (this.runtime, Memory) = (runtime, memory);
        // .NET 11: the JIT makes method tables for suspended methods, which share the class of their base.
        continuation = Library("System.Runtime.CompilerServices.Continuation")?.MethodTable ?? ulong.MaxValue;
        (classAt, backAt) = ClassAndBack()
            ?? throw new InsideException("this runtime lays out its types in another way than any that is known");
    }

    public IDataReader Memory { get; }

    /// <summary>A type of the base library by name; null where it has none.</summary>
    public ClrType? Library(string name) => runtime.BaseClassLibrary.GetTypeByName(name);

    /// <summary>The type of the object at an address; null where there is none.</summary>
    public ClrType? TypeOf(ulong address) =>
        address >= LowestAddress && address < HighestAddress && (address & 7) == 0 && Memory.Read(address, out ulong table)
            ? TypeByTable(table) : null;

    /// <summary>The type of a method table; null where the address is none.</summary>
    public ClrType? TypeByTable(ulong table)
    {
        // The lowest bits are a collector's marks.
        table &= ~7ul;
        if (!types.TryGetValue(table, out var type))
        {
            type = IsMethodTable(table) && runtime.GetTypeByMethodTable(table) is { Name: not null } known ? known : null;
            types[table] = type;
        }

        return type;
    }

    /// <summary>Whether an object of that type is a task.</summary>
    public bool IsTask(ClrType? type)
    {
        if (type is null || tasks.ContainsKey(type))
        {
            return type is not null && tasks[type];
        }

        var at = type;
        for (var i = 0; at is not null && at.Name != "System.Threading.Tasks.Task" && i < MostBases; i++)
        {
            at = at.BaseType;
        }

        return tasks[type] = at?.Name == "System.Threading.Tasks.Task";
    }

    /// <summary>Whether that task has ended.</summary>
    public bool IsComplete(ulong task, ClrType type) => (Int32(task, type, "m_stateFlags") & TaskComplete) != 0;

    /// <summary>Whether the delegate of that task has been called.</summary>
    public bool IsStarted(ulong task, ClrType type) => (Int32(task, type, "m_stateFlags") & TaskStarted) != 0;

    /// <summary>Where a task keeps what goes on after it, from its beginning.</summary>
    public ulong PlaceOfContinuation =>
        FirstField + (ulong)(Library("System.Threading.Tasks.Task")?.GetFieldByName("m_continuationObject")?.Offset ?? 0);

    /// <summary>The reference in a field; 0 where there is no such field.</summary>
    public ulong Reference(ulong address, ClrType? type, string field) =>
        type?.GetFieldByName(field) is { } known ? Memory.ReadPointer(Place(address, known)) : 0;

    /// <summary>The number in a field; 0 where there is no such field.</summary>
    public int Int32(ulong address, ClrType? type, string field) =>
        type?.GetFieldByName(field) is { } known ? Memory.Read<int>(Place(address, known)) : 0;

    /// <inheritdoc cref="Int32"/>
    public long Int64(ulong address, ClrType? type, string field) =>
        type?.GetFieldByName(field) is { } known ? Memory.Read<long>(Place(address, known)) : 0;

    /// <summary>Where the field of an object lies.</summary>
    public static ulong Place(ulong address, ClrInstanceField field) => address + FirstField + (ulong)field.Offset;

    /// <summary>The method that a delegate calls; null where it is not known.</summary>
    public ClrMethod? MethodOf(ulong function)
    {
        var type = TypeOf(function);
        var (direct, shuffled) = (Reference(function, type, "_methodPtr"), Reference(function, type, "_methodPtrAux"));
        return (shuffled != 0 ? MethodAt(shuffled) : null) ?? MethodAt(direct);
    }

    /// <summary>The method of a code address, or of a stub for it; null where there is none.</summary>
    public ClrMethod? MethodAt(ulong code) =>
        code is >= LowestAddress and < HighestAddress ? runtime.GetMethodByInstructionPointer(code) : null;

    bool IsMethodTable(ulong table)
    {
        if (table is < LowestAddress or >= HighestAddress || (table & 7) != 0 || !Memory.Read(table + classAt, out ulong of))
        {
            return false;
        }

        var canonical = table;
        if ((of & 1) != 0)
        {
            // A generic instance names the table that it shares its class with.
            canonical = of & ~1ul;
            if (canonical < LowestAddress || (canonical & 7) != 0 || !Memory.Read(canonical + classAt, out of) || (of & 1) != 0)
            {
                return false;
            }
        }

        return of >= LowestAddress && (of & 7) == 0 && Memory.Read(of + backAt, out ulong back)
            && (back == canonical || Memory.ReadPointer(table + ParentTable) == continuation);
    }

    // The same in .NET 8 to 11, but learned rather than believed.
    (ulong ClassAt, ulong BackAt)? ClassAndBack()
    {
        var known = InEveryProgram
            .Select(n => Library(n)?.MethodTable ?? 0).Where(t => t != 0).ToArray();
        for (var at = ParentTable; known.Length > 2 && at <= FurthestClass; at += 8)
        {
            for (ulong back = 0; back <= FurthestBack; back += 8)
            {
                if (known.All(t => Memory.ReadPointer(t + at) is var of && of >= LowestAddress && (of & 7) == 0
                    && Memory.ReadPointer(of + back) == t))
                {
                    return (at, back);
                }
            }
        }

        return null;
    }
}

/// <summary>Something cannot be read, in a sentence without a capital and a full stop.</summary>
sealed class InsideException(string message) : Exception(message);
