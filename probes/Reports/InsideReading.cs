using System.Text.Json.Serialization;

namespace Tpwatch.Reports;

/// <summary>Parts of a reading of a process's memory; each may be unknown by itself.</summary>
public enum InsidePart
{
    /// <summary>MinThreads and MaxThreads, working and idle worker threads.</summary>
    Limits,

    /// <summary>What waits in the queues of the pool.</summary>
    Queue,

    /// <summary>The stacks of threads that stand still.</summary>
    Stacks,

    /// <summary>What the tasks wait for that threads block on.</summary>
    Waits,

    /// <summary>Who holds the locks that threads wait for.</summary>
    Locks,

    /// <summary>All of it.</summary>
    All,
}

/// <summary>What a blocked thread waits for in the end.</summary>
public enum WaitEnd
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>It is complete or can go on: its continuation waits in the pool's queue.</summary>
    InQueue,

    /// <summary>A timer that is due, whose callback waits for a worker thread.</summary>
    DueTimer,

    /// <summary>A timer that is not due yet.</summary>
    Timer,

    /// <summary>A semaphore.</summary>
    Semaphore,

    /// <summary>A socket.</summary>
    Socket,

    /// <summary>A promise (TaskCompletionSource) that nothing has completed.</summary>
    Promise,

    /// <summary>A channel.</summary>
    Channel,

    /// <summary>A work item or an async method that runs now.</summary>
    Running,

    /// <summary>A lock.</summary>
    Lock,

    /// <summary>A mutex.</summary>
    Mutex,

    /// <summary>Several tasks at once.</summary>
    Several,

    /// <summary>A sleep.</summary>
    Sleep,
}

/// <summary>
/// What was read of a process's own memory at a moment, while it ran: names, counts, limits and ages, no data of the program.
/// </summary>
public sealed record InsideReading
{
    /// <summary>When it began, by the monotonic clock.</summary>
    public required EventTime At { get; init; }

    /// <summary>How long it took, milliseconds. The process was not stopped.</summary>
    public double Ms { get; init; }

    /// <summary>Limits of the pool; null where not known.</summary>
    public InsideLimits? Limits { get; init; }

    /// <summary>What waits in the queues; null where not known.</summary>
    public InsideQueue? Queue { get; init; }

    /// <summary>What blocked threads wait for, the largest number of threads first.</summary>
    public ImmutableArray<InsideWait> Waits { get; init; } = [];

    /// <summary>Stacks of the threads that stood still, alike ones together.</summary>
    [JsonInclude]
    internal ImmutableArray<InsideStack> Stacks { get; init; } = [];

    /// <summary>Locks that threads wait for, where the owner is known: OS ids.</summary>
    [JsonInclude]
    internal ImmutableArray<InsideLock> Locks { get; init; } = [];

    /// <summary>Threads that wait for each other's locks; null where there are none, or that is not known.</summary>
    public LockCycle? Deadlock { get; init; }

    /// <summary>Managed threads; of those running no stack is known.</summary>
    public int Threads { get; init; }

    /// <summary>Managed threads that ran during the reading.</summary>
    public int Running { get; init; }

    /// <summary>What is not known, and why.</summary>
    public ImmutableArray<InsideUnknown> Unknown { get; init; } = [];
}

/// <summary>A part that is not known, and one sentence that says why.</summary>
public sealed record InsideUnknown(InsidePart Part, string Why);

/// <summary>The pool's limits as the runtime holds them.</summary>
/// <param name="MinThreads">MinThreads.</param>
/// <param name="MaxThreads">MaxThreads.</param>
/// <param name="Working">Worker threads that run an item.</param>
/// <param name="Idle">Worker threads without one.</param>
public sealed record InsideLimits(int MinThreads, int MaxThreads, int Working, int Idle);

/// <summary>The queues of the pool.</summary>
/// <param name="Global">Items of the global queue.</param>
/// <param name="HighPriority">Items that come before it.</param>
/// <param name="LowPriority">Items that come after it (.NET 10 and later).</param>
/// <param name="Assignable">Items of the queues that large machines share the global queue out to.</param>
/// <param name="Local">Items of the worker threads' own queues.</param>
public sealed record InsideQueue(long Global, long HighPriority, long LowPriority, long Assignable, long Local)
{
    /// <summary>All of them.</summary>
    public long Total => Global + HighPriority + LowPriority + Assignable + Local;

    /// <summary>How many items were named; all of them, unless there are very many.</summary>
    public long Named { get; init; }

    /// <summary>Kinds of items by name, the most frequent first.</summary>
    public ImmutableArray<QueuedKind> Kinds { get; init; } = [];
}

/// <summary>Items of one name.</summary>
/// <param name="Name">The method that the item runs, such as <c>async OrderImporter.ImportAsync</c>.</param>
/// <param name="Items">How many of those that were named.</param>
public sealed record QueuedKind(string Name, long Items)
{
    /// <summary>Pieces of work that these items hold inside; the pool counts each item as one. Null where they hold none.</summary>
    public long? Inside { get; init; }
}

/// <summary>Threads that wait for the same thing at the same place.</summary>
/// <param name="Frame">The method of the application that blocks, such as <c>Baskets.Total</c>.</param>
/// <param name="Call">The call that blocks, such as <c>Task.Result</c>.</param>
/// <param name="Threads">How many threads.</param>
public sealed record InsideWait(string Frame, string Call, int Threads)
{
    /// <summary>How many of them are worker threads of the pool.</summary>
    public int Workers { get; init; }

    /// <summary>From the task that is blocked on to where its wait ends, by name: <c>PriceAsync</c>, <c>Task.Delay</c>.</summary>
    public ImmutableArray<string> Chain { get; init; } = [];

    /// <summary>Where the wait ends.</summary>
    public WaitEnd End { get; init; }

    /// <summary>For a timer that is due: for how long, milliseconds, the longest of the threads.</summary>
    public double? DueMs { get; init; }

    /// <summary>
    /// How many at a time are served by the pool of connections that is waited for, <see cref="int.MaxValue"/> for all that come; null
    /// where there is none or it is not known.
    /// </summary>
    public int? Limit { get; init; }

    /// <summary>
    /// Who holds the lock and what it does, such as <c>thread 512, in Accounts.SlowAudit</c>; null where there is none or it is not known.
    /// </summary>
    public string? Owner { get; init; }
}

/// <summary>Threads with one stack.</summary>
/// <param name="Threads">Their OS ids.</param>
/// <param name="Frames">Innermost first, as <c>module!Namespace.Type.Method(arguments)</c>.</param>
sealed record InsideStack(ImmutableArray<int> Threads, ImmutableArray<string> Frames);

/// <summary>A thread that waits for a lock, and who has it: OS ids.</summary>
sealed record InsideLock(int Thread, int Owner);
