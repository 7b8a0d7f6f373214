using System.Text;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Stacks;

namespace Tpwatch.Inside;

/// <summary>
/// Reads objects of the target by address. While the target runs, an address may contain anything, and the runtime's debugging library
/// crashes on an address that is no method table. So every method table is verified here first.
/// </summary>
sealed class ObjectReader
{
    /// <summary>Offset of the first field of an object, bytes; the method table is before this field.</summary>
    public const ulong FirstField = 8;

    /// <summary>Offset of an array's length, bytes.</summary>
    public const ulong ArrayLength = 8;

    /// <summary>Offset of an array's first element, bytes.</summary>
    public const ulong ArrayElements = 16;

    /// <summary>Mask of RanToCompletion, Faulted and Canceled in <c>Task.m_stateFlags</c>.</summary>
    const int TaskComplete = 0x1600000;

    /// <summary>Mask of DelegateInvoked in <c>Task.m_stateFlags</c>.</summary>
    const int TaskStarted = 0x20000;

    static readonly string[] InEveryProgram =
        ["System.Object", "System.String", "System.Threading.Thread", "System.Threading.ThreadPoolWorkQueue"];

    const int MostBases = 20;

    readonly ClrRuntime runtime;
    readonly Dictionary<ulong, ClrType?> types = [];
    readonly Dictionary<ClrType, bool> tasks = [];
    readonly MethodTables tables;

    /// <exception cref="InsideException">The type layout of this runtime is unknown.</exception>
    public ObjectReader(ClrRuntime runtime, IMemoryReader memory)
    {
        (this.runtime, Memory) = (runtime, memory);
        var known = InEveryProgram.Select(n => Library(n)?.MethodTable ?? 0).ToArray();
        var continuation = Library("System.Runtime.CompilerServices.Continuation")?.MethodTable;
        tables = MethodTables.Learn(a => memory.Read(a, out ulong word) ? word : null, known, continuation)
            ?? throw new InsideException("this runtime lays out its types in another way than any that is known");
    }

    public IMemoryReader Memory { get; }

    /// <summary>A type of the base library by name; null where it does not exist.</summary>
    public ClrType? Library(string name) => runtime.BaseClassLibrary.GetTypeByName(name);

    /// <summary>The type of the object at an address; null if there is no object.</summary>
    public ClrType? TypeOf(ulong address) =>
        MethodTables.IsAligned(address) && Memory.Read(address, out ulong table) ? TypeByTable(table) : null;

    /// <summary>The type of a method table; null if there is no method table at the address.</summary>
    public ClrType? TypeByTable(ulong table)
    {
        // The lowest bits are marks of the garbage collector.
        table &= ~7ul;
        if (!types.TryGetValue(table, out var type))
        {
            type = tables.Contains(table) && runtime.GetTypeByMethodTable(table) is { Name: not null } known ? known : null;
            types[table] = type;
        }

        return type;
    }

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

    /// <summary>Whether the task is complete: it has a result, or failed, or was canceled.</summary>
    public bool IsComplete(ulong task, ClrType type) => (Int32(task, type, "m_stateFlags") & TaskComplete) != 0;

    /// <summary>Whether the task's delegate has been called.</summary>
    public bool IsStarted(ulong task, ClrType type) => (Int32(task, type, "m_stateFlags") & TaskStarted) != 0;

    /// <summary>Offset of a task's continuation field from the start of the task, bytes.</summary>
    public ulong PlaceOfContinuation =>
        FirstField + (ulong)(Library("System.Threading.Tasks.Task")?.GetFieldByName("m_continuationObject")?.Offset ?? 0);

    /// <summary>The reference in a field; 0 where the type has no such field.</summary>
    public ulong Reference(ulong address, ClrType? type, string field) =>
        type?.GetFieldByName(field) is { } known ? Memory.ReadPointer(Place(address, known)) : 0;

    /// <summary>The number in a field; 0 where the type has no such field.</summary>
    public int Int32(ulong address, ClrType? type, string field) =>
        type?.GetFieldByName(field) is { } known ? Memory.Read<int>(Place(address, known)) : 0;

    /// <inheritdoc cref="Int32"/>
    public long Int64(ulong address, ClrType? type, string field) =>
        type?.GetFieldByName(field) is { } known ? Memory.Read<long>(Place(address, known)) : 0;

    public static ulong Place(ulong address, ClrInstanceField field) => address + FirstField + (ulong)field.Offset;

    /// <summary>The method that a delegate calls; null where unknown.</summary>
    public ClrMethod? MethodOf(ulong function)
    {
        var type = TypeOf(function);
        var (direct, shuffled) = (Reference(function, type, "_methodPtr"), Reference(function, type, "_methodPtrAux"));
        return (shuffled != 0 ? MethodAt(shuffled) : null) ?? MethodAt(direct);
    }

    /// <summary>The method at a code address, or at a stub for it; null where there is none.</summary>
    public ClrMethod? MethodAt(ulong code) => MethodTables.IsAddress(code) ? runtime.GetMethodByInstructionPointer(code) : null;
}

/// <summary>The reason why something cannot be read, as a sentence without a capital letter and without a full stop.</summary>
sealed class InsideException(string message) : Exception(message);

/// <summary>
/// Distinguishes method tables of the target from other memory. A table refers to its class, the class refers back to the table, and the
/// table's chain of parents ends at <c>System.Object</c>. Two words that point at each other are not enough, because the saved frame
/// pointers of a stack also do. The layout is that of .NET 8 to 11, with offsets learned from known types.
/// </summary>
sealed class MethodTables(Func<ulong, ulong?> word, ulong root, ulong? continuation, ulong classAt, ulong backAt)
{
    /// <summary>Limits of user-space addresses.</summary>
    const ulong LowestAddress = 0x10000;
    const ulong HighestAddress = 0x800000000000;

    /// <summary>Offset of the parent (<c>m_pParentMethodTable</c>), bytes.</summary>
    const ulong Parent = 0x10;

    /// <summary>Maximum offsets, bytes: of the reference to the class in a table, and of the reference to the table in a class.</summary>
    const ulong FurthestClass = 0x60;
    const ulong FurthestBack = 0x80;

    /// <summary>Maximum number of base classes; no class of a real program has more.</summary>
    const int MostBases = 64;

    /// <summary>Learns from known tables the offset of a table's class, and of the class's reference to its table.</summary>
    /// <param name="word">Callback that returns the 64 bits at an address of the target; null where nothing is mapped.</param>
    /// <param name="known">Tables of plain classes; the first table is that of <c>System.Object</c>. Zeros are skipped.</param>
    /// <param name="continuation">The table of the type Continuation; null before .NET 11. Types derived by the JIT share its class, which
    /// refers only to this table.</param>
    /// <returns>The learned layout; null if the known tables have no common layout.</returns>
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

    /// <summary>Whether an address is in user space.</summary>
    public static bool IsAddress(ulong address) => address is >= LowestAddress and < HighestAddress;

    /// <summary>Whether an address is in user space and aligned, so that an object or a method table may be there.</summary>
    public static bool IsAligned(ulong address) => IsAddress(address) && (address & 7) == 0;

    /// <summary>Whether a method table is at an address.</summary>
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
            // An instantiation of a generic type refers to the method table whose class it shares.
            canonical = of & ~1ul;
            of = IsAligned(canonical) ? word(canonical + classAt) ?? 0 : 0;
        }

        return IsAligned(of) && word(of + backAt) is { } back
            && (back == canonical || (continuation is not null && word(table + Parent) == continuation));
    }
}

/// <summary>Formats names of types and methods as stacks write them.</summary>
static class SymbolNames
{
    const string Box = "StateMachineBox<";

    /// <summary>The frame <c>module!Namespace.Type.Method</c>; names a method generated at run time as the runtime's events do.</summary>
    public static string Frame(ClrMethod method) => method.Type.Name is { } type
        ? $"{Path.GetFileNameWithoutExtension(method.Type.Module.Name)}!{Plain(type)}.{method.Name}"
        : $"{FrameName.CompiledModule}!dynamicClass.{method.Name}";

    /// <summary>The method as text, without its namespace.</summary>
    public static string Brief(ClrMethod method) => FrameName.Of(Frame(method)).Brief;

    /// <summary>The name of a type without namespaces and type arguments.</summary>
    public static string Short(string type)
    {
        var plain = Plain(type);
        return plain[(plain.LastIndexOf('.') + 1)..].Replace('+', '.');
    }

    /// <summary>A field as text, such as <c>OrderDesk.pending</c>; the type alone for a field without a name, or <c>_task</c>.</summary>
    public static string Keeper(string type, string field)
    {
        var plain = Short(type);
        var lambdas = plain.IndexOf(".<>c", StringComparison.Ordinal);
        var outer = lambdas > 0 ? plain[..lambdas] : plain;
        var owner = outer[(outer.LastIndexOf('.') + 1)..];
        return field is "" or "_task" ? owner : $"{owner}.{Property(field)}";
    }

    // The name of a property's backing field contains the property's name in angle brackets.
    static string Property(string field) =>
        field.StartsWith('<') && field.IndexOf('>', StringComparison.Ordinal) is > 0 and var end ? field[1..end] : field;

    /// <summary>Name of the state machine that an async method's box contains, from the box's type name; null for other types.</summary>
    public static string? StateMachine(string type) =>
        type.IndexOf(Box, StringComparison.Ordinal) is > 0 and var at && type.EndsWith('>') ? type[(at + Box.Length)..^1] : null;

    /// <summary>Name of a state machine's async method or iterator, and whether the method belongs to the framework.</summary>
    public static (string Name, bool IsFramework) Method(string stateMachine)
    {
        var plain = Plain(stateMachine);
        return (FrameName.Of($"?!{plain}.MoveNext") with { IsStateMachine = false } is var name ? name.Brief : plain, IsFramework(plain));
    }

    /// <summary>Whether a type belongs to the framework, judged by its namespace.</summary>
    public static bool IsFramework(string? type) => type is null || type.StartsWith("System.", StringComparison.Ordinal)
        || type.StartsWith("Microsoft.", StringComparison.Ordinal) || type.StartsWith("Interop", StringComparison.Ordinal);

    /// <summary>
    /// The type name without type arguments. Compiler-generated names also begin with an angle bracket, but after a plus, a dot or another
    /// bracket.
    /// </summary>
    public static string Plain(string type)
    {
        var text = new StringBuilder(type.Length);
        for (var i = 0; i < type.Length; i++)
        {
            if (type[i] == '<' && i > 0 && type[i - 1] is not ('+' or '.' or '<'))
            {
                i = End(type, i);
                continue;
            }

            text.Append(type[i]);
        }

        return text.ToString();
    }

    static int End(string type, int from)
    {
        var depth = 0;
        for (var i = from; i < type.Length; i++)
        {
            depth += type[i] switch { '<' => 1, '>' => -1, _ => 0 };
            if (depth == 0)
            {
                return i;
            }
        }

        return type.Length;
    }
}
