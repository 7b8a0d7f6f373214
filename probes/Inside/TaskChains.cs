using Microsoft.Diagnostics.Runtime;
using Tpwatch.Reports;

namespace Tpwatch.Inside;

/// <summary>A step of a chain: the name of a method or a wait, and whether it belongs to the framework.</summary>
readonly record struct ChainStep(string Name, bool IsFramework);

/// <summary>The chain of waits from an awaited task to the operation that the chain ends with.</summary>
/// <param name="Steps">Names of the steps, beginning with the task.</param>
/// <param name="End">The kind of the operation at the end.</param>
/// <param name="DueMs">If the end is an overdue timer, the time since it was due, milliseconds; otherwise null.</param>
sealed record TaskChain(ImmutableArray<string> Steps, WaitEnd End, double? DueMs);

/// <summary>
/// Follows tasks through the fields of the compiler's state machines and of the framework's promises, as of .NET 8 to 11. Each async method
/// keeps the awaited object in a field <c>&lt;&gt;u__N</c>; the runtime's own async of .NET 11 keeps a list of continuations.
/// </summary>
sealed class TaskChains(ClrRuntime runtime, ObjectReader objects, TimeProvider? time)
{
    const int Deepest = 60;
    const int MostContinuations = 200;

    /// <summary>Maximum numbers of tasks of a WhenAll that are read, and of incomplete tasks that are named.</summary>
    const int MostOfMany = 200;
    const int ToldOfMany = 3;

    /// <summary>
    /// Maximum delay of a timer in normal operation, milliseconds: its clock has steps of 10 to 16 ms, and its thread must wake.
    /// </summary>
    const double LateMs = 100;

    const uint Never = uint.MaxValue;

    const string Source = "TaskCompletionSource";
    const string SourceType = "System.Threading.Tasks.TaskCompletionSource";

    /// <summary>Maximum offset of a field in an object, bytes; the owners of references in later fields are not found.</summary>
    const ulong FurthestField = 512;

    static readonly string[] WhenAllFields = ["_tasks", "m_tasks", "_task"];

    const string Continuation = "System.Runtime.CompilerServices.Continuation";

    /// <summary>Addresses of the items in the pool's queues.</summary>
    public IReadOnlySet<ulong> Queued { get; set; } = new HashSet<ulong>();

    /// <summary>Addresses of promises (tasks without code) for which no completing code is known, and of their sources.</summary>
    public HashSet<ulong> Unresolved { get; } = [];

    /// <summary>For each promise, the addresses of heap words that refer to the promise; null if the heap was not searched.</summary>
    public IReadOnlyDictionary<ulong, List<ulong>>? Backward { get; set; }

    /// <summary>Returns the chain that begins with an incomplete task.</summary>
    public TaskChain Follow(ulong task)
    {
        var walk = new Walk();
        Go(task, walk, 0);
        return new([.. Told(walk.Steps)], walk.End, walk.DueMs);
    }

    /// <summary>Returns the chain for a list of tasks, all of which a thread waits for.</summary>
    public TaskChain FollowAll(ulong list, ClrType type)
    {
        var (walk, length) = (new Walk(), objects.Int32(list, type, "_size"));
        Several(null, Elements(objects.Reference(list, type, "_items"), length), length, walk, 0);
        return new([.. Told(walk.Steps)], walk.End, walk.DueMs);
    }

    /// <summary>The methods of a runtime-async task (.NET 11), innermost first, and the address that it awaits; 0 if unknown.</summary>
    public (ImmutableArray<ChainStep> Frames, ulong Awaited) RuntimeAsync(ulong task, ClrType type)
    {
        var (frames, awaited) = (ImmutableArray.CreateBuilder<ChainStep>(), 0UL);
        var at = objects.Reference(task, type, "m_stateObject");
        var of = objects.TypeOf(at);
        for (var i = 0; of?.Name is { } name && i < MostContinuations; i++)
        {
            if (name.EndsWith("RuntimeAsyncTaskContinuation", StringComparison.Ordinal))
            {
                awaited = objects.Reference(at, of, "Task");
            }
            else if (name.Contains("ValueTaskSourceContinuation", StringComparison.Ordinal))
            {
                awaited = objects.Reference(at, of, "Source");
            }
            else if (ResumesAt(at) is { } method)
            {
                frames.Add(new(SymbolNames.Brief(method), SymbolNames.IsFramework(method.Type.Name)));
            }

            if (i == 0 && awaited == 0)
            {
                awaited = runtime.Heap.GetObject(at, of).EnumerateReferences().Select(r => r.Address)
                    .FirstOrDefault(r => r != task && objects.TypeOf(r) is { } t && objects.IsTask(t) && !objects.IsComplete(r, t));
            }

            at = Field(at, "Next");
            of = objects.TypeOf(at);
        }

        return (frames.DrainToImmutable(), awaited);
    }

    // Reads a field of the type Continuation, also in types that the JIT derived from this type.
    ulong Field(ulong address, string name) => objects.Reference(address, objects.Library(Continuation), name);

    // The method that a continuation resumes. ResumeInfo contains a resume function, followed by a code address in the method.
    ClrMethod? ResumesAt(ulong continuation) => Field(continuation, "ResumeInfo") is not 0 and var info
        ? objects.MethodAt(objects.Memory.ReadPointer(info + 8)) : null;

    // Names of the steps to show: all steps of the application, the framework's step after the last of these, and the end of the chain.
    static IEnumerable<string> Told(List<ChainStep> steps)
    {
        var last = steps.FindLastIndex(s => !s.IsFramework);
        for (var i = 0; i < steps.Count; i++)
        {
            if (!steps[i].IsFramework || i == last + 1 || i == steps.Count - 1)
            {
                yield return steps[i].Name;
            }
            else if (i == last + 2)
            {
                yield return "...";
            }
        }
    }

    void Go(ulong address, Walk walk, int depth)
    {
        if (address == 0 || depth > Deepest || !walk.Seen.Add(address) || objects.TypeOf(address) is not { Name: { } name } type)
        {
            return;
        }

        var isTask = objects.IsTask(type);
        if (isTask && objects.IsComplete(address, type))
        {
            // The task has completed since the thread was read, and the code that waits for the task continues now.
            walk.End = WaitEnd.Unknown;
            walk.Add(SymbolNames.Short(name), isFramework: true);
        }
        else if (SymbolNames.StateMachine(name) is { } machine)
        {
            Method(address, type, machine, walk, depth);
        }
        else if (name.Contains("AsyncHelpers+RuntimeAsyncTask", StringComparison.Ordinal))
        {
            var (frames, awaited) = RuntimeAsync(address, type);
            walk.Steps.AddRange(frames.Reverse());
            walk.End = Queued.Contains(address) ? WaitEnd.InQueue : WaitEnd.Unknown;
            Go(walk.End == WaitEnd.InQueue ? 0 : awaited, walk, depth + 1);
        }
        else if (!isTask && type.GetFieldByName("<>1__state") is not null)
        {
            // An async iterator is its own state machine.
            var (method, isFramework) = SymbolNames.Method(name);
            walk.Add(method, isFramework);
            Go(Awaited(runtime.Heap.GetObject(address, type)), walk, depth + 1);
        }
        else
        {
            Promise(address, type, name, isTask, walk, depth);
        }
    }

    void Method(ulong address, ClrType type, string machine, Walk walk, int depth)
    {
        var (method, isFramework) = SymbolNames.Method(machine);
        walk.Add(method, isFramework);
        if (Queued.Contains(address))
        {
            walk.End = WaitEnd.InQueue;
            return;
        }

        var (state, awaited) = State(address, type);
        walk.End = state == -1 && awaited == 0 ? WaitEnd.Running : WaitEnd.Unknown;
        Go(awaited, walk, depth + 1);
    }

    void Promise(ulong address, ClrType type, string name, bool isTask, Walk walk, int depth)
    {
        bool Is(string part) => name.Contains(part, StringComparison.Ordinal);
        if (Is("+DelayPromise"))
        {
            Delay(address, type, walk);
        }
        else if (Is("SemaphoreSlim+TaskNode"))
        {
            walk.Finish("SemaphoreSlim.WaitAsync", WaitEnd.Semaphore);
        }
        else if (Is("SocketAsyncEventArgs"))
        {
            walk.Finish("Socket", WaitEnd.Socket);
        }
        else if (name.StartsWith("System.Threading.Channels.", StringComparison.Ordinal))
        {
            // In .NET 8 and 9, OperationWithData is a write operation, which contains the value to write.
            walk.Finish(Is("Write") || Is("OperationWithData") ? "ChannelWriter" : "ChannelReader", WaitEnd.Channel);
        }
        else if (Is("ValueTaskSourceAsTask"))
        {
            Go(objects.Reference(address, type, "_source"), walk, depth + 1);
        }
        else if (Is("WhenAllPromise"))
        {
            WhenAll(address, type, walk, depth);
        }
        else if (Is("TwoTaskWhenAnyPromise"))
        {
            ulong[] both = [objects.Reference(address, type, "_task1"), objects.Reference(address, type, "_task2")];
            Several("Task.WhenAny", both, both.Length, walk, depth);
        }
        else if (Is("CompleteOnInvokePromise"))
        {
            walk.Finish("Task.WhenAny", WaitEnd.Several);
        }
        else if (Is("UnwrapPromise"))
        {
            walk.Add("Task.Run", isFramework: true);
            Unwrapped(address, walk, depth);
        }
        else if (Is("CancellationPromise"))
        {
            walk.Add("Task.WaitAsync", isFramework: true);
            Go(objects.Reference(address, type, "_task"), walk, depth + 1);
        }
        else if (Is("ContinuationTaskFrom") || Is("ContinuationResultTaskFrom"))
        {
            walk.Add("ContinueWith", isFramework: true);
            Go(objects.Reference(address, type, "m_antecedent"), walk, depth + 1);
        }
        else if (isTask)
        {
            Task(address, type, name, walk);
        }
        else
        {
            walk.Finish(SymbolNames.Short(name), WaitEnd.Unknown);
        }
    }

    void Task(ulong address, ClrType type, string name, Walk walk)
    {
        if (objects.Reference(address, type, "m_action") is not 0 and var action)
        {
            var method = objects.MethodOf(action);
            walk.Add(method is null ? "Task" : SymbolNames.Brief(method), SymbolNames.IsFramework(method?.Type.Name));
            walk.End = Queued.Contains(address) ? WaitEnd.InQueue : objects.IsStarted(address, type) ? WaitEnd.Running : WaitEnd.Unknown;
        }
        else if (name == "System.Threading.Tasks.Task" || name.StartsWith("System.Threading.Tasks.Task<", StringComparison.Ordinal))
        {
            walk.Finish(KeeperOf(address) ?? Source, WaitEnd.Promise);
        }
        else
        {
            walk.Finish(SymbolNames.Short(name), WaitEnd.Unknown);
        }
    }

    void Delay(ulong address, ClrType type, Walk walk)
    {
        var timer = objects.Reference(address, type, "_timer");
        var of = objects.TypeOf(timer);
        if (of?.GetFieldByName("_startTicks") is null)
        {
            walk.Finish("Task.Delay", WaitEnd.Timer);
            return;
        }

        var due = (uint)objects.Int32(timer, of, "_dueTime");
        if (time is null && due != Never)
        {
            // The time at which the dump was written is not known.
            walk.Finish("Task.Delay", WaitEnd.Unknown);
            return;
        }

        // The runtime counts milliseconds of the machine's monotonic clock, as tpwatch does.
        var over = (long)Now() - objects.Int64(timer, of, "_startTicks") - due;
        walk.DueMs = due != Never && over > LateMs ? over : null;
        walk.Finish("Task.Delay", due == Never || over > LateMs ? WaitEnd.DueTimer : WaitEnd.Timer);
    }

    // Milliseconds of the machine's monotonic clock; 0 for a dump.
    double Now() => time?.GetElapsedTime(0, time.GetTimestamp()).TotalMilliseconds ?? 0;

    void WhenAll(ulong address, ClrType type, Walk walk, int depth)
    {
        var array = WhenAllFields.Select(f => objects.Reference(address, type, f)).FirstOrDefault(a => a != 0);
        if (objects.TypeOf(array) is not { IsArray: true })
        {
            walk.Finish("Task.WhenAll", WaitEnd.Several);
            return;
        }

        var length = objects.Memory.Read<int>(array + ObjectReader.ArrayLength);
        Several("Task.WhenAll", Elements(array, length), length, walk, depth);
    }

    IEnumerable<ulong> Elements(ulong array, int length) => Enumerable.Range(0, Math.Clamp(length, 0, MostOfMany))
        .Select(i => objects.Memory.ReadPointer(array + ObjectReader.ArrayElements + (ulong)(8 * i)));

    // If only one task is incomplete, the chain continues with this task; otherwise, the first incomplete tasks are named.
    void Several(string? name, IEnumerable<ulong> tasks, int all, Walk walk, int depth)
    {
        ulong[] open = [.. tasks.Where(t => objects.TypeOf(t) is { } of && objects.IsTask(of) && !objects.IsComplete(t, of))];
        if (open.Length == 1)
        {
            if (name is not null)
            {
                walk.Add(name, isFramework: true);
            }

            Go(open[0], walk, depth + 1);
            return;
        }

        var told = open.Take(ToldOfMany).Select(t =>
        {
            var inner = new Walk { Seen = walk.Seen };
            Go(t, inner, depth + 1);
            return string.Join(" > ", Told(inner.Steps));
        }).Distinct();
        walk.Finish(
            FormattableString.Invariant($"{name ?? "tasks"} ({open.Length} of {all} open: {string.Join("; ", told)})"), WaitEnd.Several);
    }

    // The promise of Task.Run has no reference to the async method that Task.Run called. Only a heap search finds the task of this method,
    // which has the promise as its continuation.
    void Unwrapped(ulong address, Walk walk, int depth)
    {
        var continuing = PlacesOf(address).Select(place => place - objects.PlaceOfContinuation);
        Go(continuing.FirstOrDefault(f => objects.TypeOf(f) is { } t && objects.IsTask(t) && !objects.IsComplete(f, t)), walk, depth + 1);
    }

    // Addresses of heap words that refer to an object. Returns none, and requests a search, if no heap search has included the object.
    IEnumerable<ulong> PlacesOf(ulong address)
    {
        if (Backward?.GetValueOrDefault(address) is { } places)
        {
            // The search is older than this reading, so each word is read again.
            return places.Where(place => objects.Memory.ReadPointer(place) == address);
        }

        Unresolved.Add(address);
        return [];
    }

    // The name of the field that refers to a promise or to its source; null if unknown. It shows which code should complete the promise.
    string? KeeperOf(ulong promise)
    {
        var sources = new List<ulong>();
        foreach (var (keeper, type, field) in PlacesOf(promise).Select(Keeper).OfType<(ulong, ClrType, string)>())
        {
            if (type.Name!.StartsWith(SourceType, StringComparison.Ordinal))
            {
                sources.Add(keeper);
            }
            else if (Told(type, field) is { } told)
            {
                return told;
            }
        }

        return sources.SelectMany(PlacesOf).Select(Keeper).OfType<(ulong Keeper, ClrType Type, string Field)>()
            .Select(k => Told(k.Type, k.Field)).FirstOrDefault(told => told is not null);
    }

    // Names a field; null for fields of the framework, and of async methods, which wait for the promise themselves.
    static string? Told(ClrType type, string field) =>
        SymbolNames.IsFramework(type.Name) || type.Name!.Contains(">d__", StringComparison.Ordinal)
        ? null
        : $"{Source} in {SymbolNames.Keeper(type.Name, field)}";

    // The object that has a field at an address, its type and the field's name, found by a search downwards; null if there is none.
    (ulong, ClrType, string)? Keeper(ulong place)
    {
        for (var back = ObjectReader.FirstField; back <= FurthestField; back += 8)
        {
            var at = place - back;
            if (objects.TypeOf(at) is { IsArray: false } type
                && type.Fields.FirstOrDefault(f => f.IsObjectReference && ObjectReader.Place(at, f) == place) is { } field)
            {
                return (at, type, field.Name ?? "");
            }
        }

        return null;
    }

    (int State, ulong Awaited) State(ulong address, ClrType type)
    {
        if (type.GetFieldByName("StateMachine") is not { } field)
        {
            return (0, 0);
        }

        var place = ObjectReader.Place(address, field);
        if (field.IsObjectReference)
        {
            // In debug builds the state machine is a class.
            var at = objects.Memory.ReadPointer(place);
            return objects.TypeOf(at) is { } of ? (objects.Int32(at, of, "<>1__state"), Awaited(runtime.Heap.GetObject(at, of))) : (0, 0);
        }

        // For generic state machines, the field's type is often unknown, but the garbage collector still knows the references.
        var state = field.Type?.GetFieldByName("<>1__state") is { } number ? objects.Memory.Read<int>(place + (ulong)number.Offset) : 0;
        return (state, Awaited(runtime.Heap.GetObject(address, type)));
    }

    static ulong Awaited(ClrObject of)
    {
        foreach (var reference in of.EnumerateReferencesWithFields(carefully: false, considerDependantHandles: false))
        {
            for (ClrReference? at = reference; at is { } step; at = step.InnerField)
            {
                if (step.Field?.Name?.StartsWith("<>u__", StringComparison.Ordinal) == true && reference.Object.Address != 0)
                {
                    return reference.Object.Address;
                }
            }
        }

        return 0;
    }

    sealed class Walk
    {
        public List<ChainStep> Steps { get; } = [];
        public HashSet<ulong> Seen { get; init; } = [];
        public WaitEnd End { get; set; }
        public double? DueMs { get; set; }

        public void Add(string name, bool isFramework) => Steps.Add(new(name, isFramework));

        public void Finish(string name, WaitEnd end)
        {
            Add(name, isFramework: true);
            End = end;
        }
    }
}
