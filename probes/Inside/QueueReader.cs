using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Reports;

namespace Tpwatch.Inside;

/// <summary>
/// Reads the items in the queues of the pool: the global queues (each a ConcurrentQueue, read segment by segment), and the local queue of
/// each worker thread. Uses the fields of .NET 8 to 11 by name.
/// </summary>
sealed class QueueReader
{
    /// <summary>Maximum number of items whose kind is determined; further items are only counted.</summary>
    const int MostNamed = 20_000;

    const int MostKinds = 30;
    const int MostSegments = 10_000;
    const int LongestSegment = 1 << 20;
    const int MostLocalQueues = 1 << 16;
    const int LongestLocalQueue = 1 << 22;
    const int MostAssignable = 64;

    /// <summary>Newest major version in which the missing type of the local queues is known to mean that no item was ever queued.</summary>
    const int NewestKnown = 11;

    const string WorkQueue = "System.Threading.ThreadPoolWorkQueue";
    const string LocalQueues = WorkQueue + "+WorkStealingQueueList";

    /// <summary>Size of a segment's slot, bytes: the item and the slot's sequence number.</summary>
    const int Slot = 16;

    /// <summary>Fields in which items keep the delegate that they call.</summary>
    static readonly string[] Delegates =
        ["_callback", "m_action", "callback", "<Callback>k__BackingField", "_continuation", TimerCallback];

    const string Timer = "System.Threading.TimerQueueTimer";
    const string TimerCallback = "_timerCallback";

    readonly ObjectReader objects;
    readonly IMemoryReader memory;
    readonly TaskChains chains;
    readonly ulong workQueue;
    readonly ulong localQueues;
    readonly ImmutableArray<(string Name, ulong At)> queues;
    readonly ulong? assignable;
    readonly ClrType local;
    readonly Dictionary<ulong, string> methods = [];
    List<ulong> items = [];

    /// <exception cref="InsideException">A field of the pool does not exist.</exception>
    public QueueReader(ClrRuntime runtime, ObjectReader objects, TaskChains chains)
    {
        (this.objects, memory, this.chains) = (objects, objects.Memory, chains);
        if (objects.Library(LocalQueues) is null && runtime.ThreadPool is { ActiveWorkerThreads: 0, IdleWorkerThreads: 0 }
            && runtime.ClrInfo.Version.Major <= NewestKnown)
        {
            // No item was ever queued, because the type of the local queues is not loaded.
            (queues, local) = ([], runtime.Heap.ObjectType);
            return;
        }

        var domain = runtime.BaseClassLibrary.AppDomain ?? runtime.AppDomains[0];
        var list = Type(LocalQueues);
        workQueue = (Type("System.Threading.ThreadPool").GetStaticFieldByName("s_workQueue") ?? throw Missing()).GetAddress(domain);
        localQueues = (list.GetStaticFieldByName("_queues") ?? list.GetStaticFieldByName("s_queues") ?? throw Missing()).GetAddress(domain);
        local = Type(WorkQueue + "+WorkStealingQueue");
        var fields = Type(WorkQueue).Fields;
        queues =
        [
            .. fields.Where(f => f.IsObjectReference && f.Name?.EndsWith("workItems", StringComparison.OrdinalIgnoreCase) == true)
                .Select(f => (f.Name!, ObjectReader.FirstField + (ulong)f.Offset)),
        ];
        assignable = fields.FirstOrDefault(f => f.Name == "_assignableWorkItemQueues") is { } of
            ? ObjectReader.FirstField + (ulong)of.Offset : null;
        if (queues.IsEmpty)
        {
            throw Missing();
        }
    }

    /// <summary>Addresses of the queued items of the last reading, up to <see cref="MostNamed"/>.</summary>
    public IReadOnlySet<ulong> Items { get; private set; } = new HashSet<ulong>();

    /// <summary>Reads all queues.</summary>
    public InsideQueue Read()
    {
        items = [];
        if (queues.IsEmpty)
        {
            return new(0, 0, 0, 0, 0);
        }

        var pool = memory.ReadPointer(workQueue);
        long global = 0, high = 0, low = 0, shared = 0;
        foreach (var (name, at) in queues)
        {
            var count = Global(memory.ReadPointer(pool + at));
            _ = name switch { "highPriorityWorkItems" => high += count, "lowPriorityWorkItems" => low += count, _ => global += count };
        }

        if (assignable is { } place && memory.ReadPointer(pool + place) is not 0 and var array)
        {
            var length = Math.Clamp(memory.Read<int>(array + ObjectReader.ArrayLength), 0, MostAssignable);
            for (var i = 0; i < length; i++)
            {
                shared += Global(memory.ReadPointer(array + ObjectReader.ArrayElements + (ulong)(8 * i)));
            }
        }

        var own = Local();
        Items = items.ToHashSet();
        return new(global, high, low, shared, own) { Named = items.Count, Kinds = Kinds() };
    }

    ImmutableArray<QueuedKind> Kinds()
    {
        var kinds = new Dictionary<(string Name, bool Resumes), (long Items, long? Inside)>();
        foreach (var item in items)
        {
            // An item that has run since it was counted may have no name any more.
            if (Kind(item) is { } kind)
            {
                var (count, inside) = kinds.GetValueOrDefault(kind);
                kinds[kind] = (count + 1, Inside(item) is { } more ? (inside ?? 0) + more : inside);
            }
        }

        return
        [
            .. kinds.OrderByDescending(k => k.Value.Items).ThenBy(k => k.Key.Name, StringComparer.Ordinal).Take(MostKinds)
                .Select(k => new QueuedKind(k.Key.Name, k.Value.Items) { Resumes = k.Key.Resumes, Inside = k.Value.Inside }),
        ];
    }

    // Counts the items of a ConcurrentQueue: segments from head to tail, each a ring of slots. A slot contains an item if the slot's
    // sequence number is its position plus one.
    long Global(ulong queue)
    {
        var count = 0L;
        foreach (var (slots, head, filled, length) in Segments(queue))
        {
            var bytes = new byte[length * Slot];
            if (memory.Read(slots + ObjectReader.ArrayElements, bytes) != bytes.Length)
            {
                break;
            }

            // Positions of a long-lived segment wrap to negative numbers.
            for (var i = 0; i < filled; i++)
            {
                var position = unchecked(head + i);
                var slot = bytes.AsSpan((position & (length - 1)) * Slot);
                var item = BinaryPrimitives.ReadUInt64LittleEndian(slot);
                if (item != 0 && BinaryPrimitives.ReadInt32LittleEndian(slot[8..]) == unchecked(position + 1))
                {
                    count++;
                    Add(item);
                }
            }
        }

        return count;
    }

    IEnumerable<(ulong Slots, int Head, int Filled, int Length)> Segments(ulong queue)
    {
        var type = objects.TypeOf(queue);
        var segment = objects.Reference(queue, type, "_head");
        for (var i = 0; segment != 0 && i < MostSegments; i++)
        {
            var of = objects.TypeOf(segment);
            if (of?.GetFieldByName("_headAndTail") is not { } ends)
            {
                break;
            }

            var slots = objects.Reference(segment, of, "_slots");
            var length = memory.Read<int>(slots + ObjectReader.ArrayLength);
            var padded = ends.Type?.GetFieldByName("Head") is null
                ? objects.Library("System.Collections.Concurrent.PaddedHeadAndTail") : ends.Type;
            var place = ObjectReader.Place(segment, ends);
            var (head, tail) = (Number("Head"), Number("Tail"));
            if (length is <= 0 or > LongestSegment || (length & (length - 1)) != 0)
            {
                break;
            }

            // The tail of a segment that accepts no more items is too high by twice the segment's length.
            var waiting = unchecked(tail - head);
            yield return (slots, head, Math.Clamp(waiting > length ? waiting - 2 * length : waiting, 0, length), length);
            segment = objects.Reference(segment, of, "_nextSegment");

            int Number(string field) => padded?.GetFieldByName(field) is { } known ? memory.Read<int>(place + (ulong)known.Offset) : 0;
        }
    }

    long Local()
    {
        var count = 0L;
        var list = memory.ReadPointer(localQueues);
        var all = new byte[8 * Math.Clamp(memory.Read<int>(list + ObjectReader.ArrayLength), 0, MostLocalQueues)];
        memory.Read(list + ObjectReader.ArrayElements, all);
        for (var i = 0; i < all.Length; i += 8)
        {
            var queue = BinaryPrimitives.ReadUInt64LittleEndian(all.AsSpan(i));
            var (head, tail) = queue == 0
                ? (0, 0) : (objects.Int32(queue, local, "m_headIndex"), objects.Int32(queue, local, "m_tailIndex"));
            if (tail <= head || tail - head > LongestLocalQueue)
            {
                continue;
            }

            var (mask, array) = (objects.Int32(queue, local, "m_mask"), objects.Reference(queue, local, "m_array"));
            if (memory.Read<int>(array + ObjectReader.ArrayLength) != mask + 1)
            {
                // The queue is being resized.
                continue;
            }

            var slots = new byte[8 * (mask + 1)];
            memory.Read(array + ObjectReader.ArrayElements, slots);
            for (var at = head; at < tail; at++)
            {
                if (BinaryPrimitives.ReadUInt64LittleEndian(slots.AsSpan((at & mask) * 8)) is not 0 and var item)
                {
                    count++;
                    Add(item);
                }
            }
        }

        return count;
    }

    void Add(ulong item)
    {
        if (items.Count < MostNamed)
        {
            items.Add(item);
        }
    }

    // The name of an item, and whether the item resumes an async method; null if the item has no name any more.
    (string Name, bool Resumes)? Kind(ulong item)
    {
        if (objects.TypeOf(item) is not { Name: { } name } type)
        {
            return null;
        }

        return Async(item, name, type) is { } method ? (method, true)
            : name == Timer ? Timed(item, type)
            : Name(item, name, type) is { } plain ? (plain, false)
            : null;
    }

    string? Async(ulong item, string name, ClrType type) =>
        SymbolNames.StateMachine(name) is { } machine ? "async " + SymbolNames.Method(machine).Name
        : name.Contains("RuntimeAsyncTask", StringComparison.Ordinal)
            && chains.RuntimeAsync(item, type).Frames is [.., var outer] ? "async " + outer.Name
        : null;

    // The name of a queued timer. The state of a Task.Delay's timer is the task, whose continuation is the async method that awaits it.
    (string Name, bool Resumes) Timed(ulong timer, ClrType type)
    {
        var state = objects.Reference(timer, type, "_state");
        if (objects.TypeOf(state) is { Name: { } name } of)
        {
            if (objects.IsTask(of) && memory.ReadPointer(state + objects.PlaceOfContinuation) is not 0 and var next
                && objects.TypeOf(next) is { Name: { } nextName } nextType && Async(next, nextName, nextType) is { } method)
            {
                return (method, true);
            }

            if (IsOwn(timer, type) is false)
            {
                return ("timer of " + SymbolNames.Short(name), false);
            }
        }

        return (Name(timer, Timer, type) ?? SymbolNames.Short(Timer), false);
    }

    bool? IsOwn(ulong timer, ClrType type) => objects.Reference(timer, type, TimerCallback) is not 0 and var function
        && objects.MethodOf(function) is { } method ? !SymbolNames.IsFramework(method.Type.Name) : null;

    string? Name(ulong item, string name, ClrType type)
    {
        foreach (var field in Delegates)
        {
            if (objects.Reference(item, type, field) is not 0 and var function && objects.TypeOf(function) is not null)
            {
                return Called(function) ?? SymbolNames.Short(name);
            }
        }

        return Delegates.Any(f => type.GetFieldByName(f) is not null) ? null : SymbolNames.Short(name);
    }

    string? Called(ulong function)
    {
        var type = objects.TypeOf(function);
        var code = objects.Reference(function, type, "_methodPtrAux") is not 0 and var aux
            ? aux : objects.Reference(function, type, "_methodPtr");
        if (methods.TryGetValue(code, out var known))
        {
            return known;
        }

        if (objects.MethodOf(function) is not { Type.Name: { } of } method)
        {
            return null;
        }

        // The name of a framework method says little, so the type of its object is added.
        if (SymbolNames.IsFramework(of) && objects.TypeOf(objects.Reference(function, type, "_target")) is { Name: { } target })
        {
            return SymbolNames.StateMachine(target) is { } machine ? "async " + SymbolNames.Method(machine).Name
                : $"{SymbolNames.Brief(method)} of {SymbolNames.Short(target)}";
        }

        return methods[code] = SymbolNames.Brief(method);
    }

    // Number of entries in an item that is itself a queue, as in Kestrel and in the sockets; null for other items.
    long? Inside(ulong item)
    {
        var type = objects.TypeOf(item);
        var field = type?.Name switch
        {
            { } name when name.EndsWith(".IOQueue", StringComparison.Ordinal) => "_workItems",
            "System.Net.Sockets.SocketAsyncEngine" => "_eventQueue",
            _ => null,
        };
        return field is null ? null : Segments(objects.Reference(item, type, field)).Sum(s => (long)s.Filled);
    }

    ClrType Type(string name) => objects.Library(name) ?? throw Missing();

    static InsideException Missing() => new("this runtime keeps the queue in another way than any that is known");
}
