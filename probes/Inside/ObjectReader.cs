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

    static readonly string[] InEveryProgram =
        ["System.Object", "System.String", "System.Threading.Thread", "System.Threading.ThreadPoolWorkQueue"];

    const int MostBases = 20;

    readonly ClrRuntime runtime;
    readonly Dictionary<ulong, ClrType?> types = [];
    readonly Dictionary<ClrType, bool> tasks = [];
    readonly MethodTables tables;

    /// <exception cref="InsideException">The layout of this runtime is another than any that is known.</exception>
    public ObjectReader(ClrRuntime runtime, IDataReader memory)
    {
        (this.runtime, Memory) = (runtime, memory);
        var known = InEveryProgram.Select(n => Library(n)?.MethodTable ?? 0).ToArray();
        var continuation = Library("System.Runtime.CompilerServices.Continuation")?.MethodTable;
        tables = MethodTables.Learn(a => memory.Read(a, out ulong word) ? word : null, known, continuation)
            ?? throw new InsideException("this runtime lays out its types in another way than any that is known");
    }

    public IDataReader Memory { get; }

    /// <summary>A type of the base library by name; null where it has none.</summary>
    public ClrType? Library(string name) => runtime.BaseClassLibrary.GetTypeByName(name);

    /// <summary>The type of the object at an address; null where there is none.</summary>
    public ClrType? TypeOf(ulong address) =>
        MethodTables.IsAligned(address) && Memory.Read(address, out ulong table)
            ? TypeByTable(table) : null;

    /// <summary>The type of a method table; null where the address is none.</summary>
    public ClrType? TypeByTable(ulong table)
    {
        // The lowest bits are a collector's marks.
        table &= ~7ul;
        if (!types.TryGetValue(table, out var type))
        {
            type = tables.Contains(table) && runtime.GetTypeByMethodTable(table) is { Name: not null } known ? known : null;
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
        MethodTables.IsAddress(code) ? runtime.GetMethodByInstructionPointer(code) : null;
}

/// <summary>Something cannot be read, in a sentence without a capital and a full stop.</summary>
sealed class InsideException(string message) : Exception(message);
