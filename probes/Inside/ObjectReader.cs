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

/// <summary>
/// Tells a method table of the target from any other memory. A table names its class, the class names the table, and the parents of the
/// table end at <c>System.Object</c>. Two words that point at each other are not enough: the saved frame pointers of a stack do so too.
/// The layout is that of .NET 8 to 11, learned from known types rather than believed.
/// </summary>
sealed class MethodTables
{
    /// <summary>No user address is lower or higher.</summary>
    const ulong LowestAddress = 0x10000;
    const ulong HighestAddress = 0x800000000000;

    /// <summary>Where the parent lies (<c>m_pParentMethodTable</c>).</summary>
    const ulong Parent = 0x10;

    /// <summary>Where in a table its class may be found, and in that the way back, as far as they are searched for.</summary>
    const ulong FurthestClass = 0x60;
    const ulong FurthestBack = 0x80;

    /// <summary>No class of a real program has more bases.</summary>
    const int MostBases = 64;

    readonly Func<ulong, ulong?> word;
    readonly ulong root;
    readonly ulong? continuation;
    readonly ulong classAt;
    readonly ulong backAt;

    MethodTables(Func<ulong, ulong?> word, ulong root, ulong? continuation, ulong classAt, ulong backAt) =>
        (this.word, this.root, this.continuation, this.classAt, this.backAt) = (word, root, continuation, classAt, backAt);

    /// <summary>Learns where a table names its class, and a class its table.</summary>
    /// <param name="word">The 64 bits at an address of the target; null where nothing is mapped.</param>
    /// <param name="known">Tables of plain classes; the first is that of <c>System.Object</c>. Zeros are left out.</param>
    /// <param name="continuation">
    /// .NET 11: the table of suspended methods; the tables that the JIT derives of it share its class, which does not name them.
    /// </param>
    /// <returns>Null where the known tables are not laid out alike.</returns>
    public static MethodTables? Learn(Func<ulong, ulong?> word, IReadOnlyList<ulong> known, ulong? continuation)
    {
        const int Enough = 3;
        ulong[] there = [.. known.Where(t => t != 0)];
        for (var at = Parent + sizeof(ulong); there.Length >= Enough && at <= FurthestClass; at += sizeof(ulong))
        {
            for (ulong back = 0; back <= FurthestBack; back += sizeof(ulong))
            {
                var tables = new MethodTables(word, known[0], continuation, at, back);
                if (there.All(tables.Contains))
                {
                    return tables;
                }
            }
        }

        return null;
    }

    /// <summary>Whether something of the program may lie there.</summary>
    public static bool IsAddress(ulong address) => address is >= LowestAddress and < HighestAddress;

    /// <summary>Whether an object or a table may lie there.</summary>
    public static bool IsAligned(ulong address) => IsAddress(address) && (address & 7) == 0;

    /// <summary>Whether a method table lies there.</summary>
    public bool Contains(ulong table)
    {
        for (var i = 0; i < MostBases && IsTable(table); i++)
        {
            if (table == root)
            {
                return true;
            }

            table = word(table + Parent) ?? 0;
        }

        return false;
    }

    bool IsTable(ulong table)
    {
        if (!IsAligned(table) || word(table + classAt) is not { } of)
        {
            return false;
        }

        var canonical = table;
        if ((of & 1) != 0)
        {
            // A generic instance names the table that it shares its class with.
            canonical = of & ~1ul;
            of = IsAligned(canonical) ? word(canonical + classAt) ?? 0 : 0;
        }

        return IsAligned(of) && word(of + backAt) is { } back
            && (back == canonical || (continuation is not null && word(table + Parent) == continuation));
    }
}
