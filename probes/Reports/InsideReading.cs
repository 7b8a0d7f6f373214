using System.Text.Json.Serialization;

namespace Tpwatch.Reports;

/// <summary>The parts of a memory reading; each part can be unknown while the others are known.</summary>
public enum InsidePart
{
    /// <summary>MinThreads, MaxThreads, and the numbers of working and idle worker threads.</summary>
    Limits,

    /// <summary>The items in the queues of the pool.</summary>
    Queue,

    /// <summary>The stacks of threads that are blocked.</summary>
    Stacks,

    /// <summary>For each task that a thread blocks on, the operation that the task waits for.</summary>
    Waits,

    /// <summary>The owners of the locks that threads wait for.</summary>
    Locks,

    /// <summary>The whole reading.</summary>
    All,
}

/// <summary>The operation at the end of a blocked thread's chain of waits.</summary>
public enum WaitEnd
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>A continuation in the pool's queue: the awaited work is complete or can continue.</summary>
    InQueue,

    /// <summary>A timer that is due, whose callback waits for a worker thread.</summary>
    DueTimer,

    /// <summary>A timer that is not due yet.</summary>
    Timer,

    /// <summary>A semaphore.</summary>
    Semaphore,

    /// <summary>A socket.</summary>
    Socket,

    /// <summary>A promise (TaskCompletionSource) that has not been completed.</summary>
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

/// <summary>A reading of the target's memory while the process ran: names, counts, limits and ages, but no data of the program.</summary>
public sealed record InsideReading
{
    /// <summary>Start of the reading, by the monotonic clock.</summary>
    public required EventTime At { get; init; }

    /// <summary>Duration of the reading, milliseconds. The process was not stopped.</summary>
    public double Ms { get; init; }

    /// <summary>The limits of the pool; null if not known.</summary>
    public InsideLimits? Limits { get; init; }

    /// <summary>The items in the queues; null if not known.</summary>
    public InsideQueue? Queue { get; init; }

    /// <summary>The waits of blocked threads, largest number of threads first.</summary>
    public ImmutableArray<InsideWait> Waits { get; init; } = [];

    /// <summary>The stacks of the blocked threads; threads with equal stacks share one element.</summary>
    [JsonInclude]
    internal ImmutableArray<InsideStack> Stacks { get; init; } = [];

    /// <summary>The waits for locks whose owner is known, each as the OS ids of the waiting thread and the owner.</summary>
    [JsonInclude]
    internal ImmutableArray<InsideLock> Locks { get; init; } = [];

    /// <summary>Threads that wait for each other's locks; null if none are known.</summary>
    public LockCycle? Deadlock { get; init; }

    /// <summary>Number of managed threads, including the threads that ran during the reading, whose stacks are not known.</summary>
    public int Threads { get; init; }

    /// <summary>Number of managed threads that ran during the reading.</summary>
    public int Running { get; init; }

    /// <summary>Whether <see cref="Waits"/> lacks worker threads with an item, because these threads ran during the reading.</summary>
    internal bool MissesWorkers => Running > 0 && BlockedWorkers < Limits?.Working;

    /// <summary>Whether another reading may show more: worker threads with an item are missing, and no deadlock was found.</summary>
    internal bool IsWorthRepeating => Deadlock is null && MissesWorkers;

    /// <summary>Whether this repeated reading shows less than the first, because it met more threads running.</summary>
    internal bool IsPoorerThan(InsideReading? first) => Deadlock is null && BlockedWorkers < first?.BlockedWorkers;

    internal int BlockedWorkers => Waits.Sum(wait => wait.Workers);

    /// <summary>The unknown parts of the reading, each with the reason.</summary>
    public ImmutableArray<InsideUnknown> Unknown { get; init; } = [];
}

/// <summary>An unknown part of a reading, and the reason in one sentence.</summary>
public sealed record InsideUnknown(InsidePart Part, string Why);

/// <summary>The pool's limits and numbers of worker threads, from the runtime's memory.</summary>
/// <param name="MinThreads">MinThreads.</param>
/// <param name="MaxThreads">MaxThreads.</param>
/// <param name="Working">Number of worker threads that run an item.</param>
/// <param name="Idle">Number of worker threads without an item.</param>
public sealed record InsideLimits(int MinThreads, int MaxThreads, int Working, int Idle);

/// <summary>The queues of the pool.</summary>
/// <param name="Global">Number of items in the global queue.</param>
/// <param name="HighPriority">Number of items in the queue that is served before the global queue.</param>
/// <param name="LowPriority">Number of items in the queue that is served after the global queue (.NET 10 and later).</param>
/// <param name="Assignable">Number of items in the queues among which the runtime divides the global queue on large machines.</param>
/// <param name="Local">Number of items in the worker threads' own queues.</param>
public sealed record InsideQueue(long Global, long HighPriority, long LowPriority, long Assignable, long Local)
{
    /// <summary>Number of items in all queues.</summary>
    public long Total => Global + HighPriority + LowPriority + Assignable + Local;

    /// <summary>Number of items whose names were read; all items, unless the queues are very long.</summary>
    public long Named { get; init; }

    /// <summary>Items by name, most frequent first.</summary>
    public ImmutableArray<QueuedKind> Kinds { get; init; } = [];
}

/// <summary>Queued items with the same name.</summary>
/// <param name="Name">The method that the item runs, such as <c>async OrderImporter.ImportAsync</c>.</param>
/// <param name="Items">Number of items with this name, among the items whose names were read.</param>
public sealed record QueuedKind(string Name, long Items)
{
    /// <summary>Whether the items resume an async method that has begun; each item then belongs to an operation in progress.</summary>
    public bool Resumes { get; init; }

    /// <summary>Number of entries in these items, if they are queues themselves (Kestrel, sockets); null for other items.</summary>
    public long? Inside { get; init; }
}

/// <summary>Threads that wait at the same place for the same operation.</summary>
/// <param name="Frame">The blocking method of the application, such as <c>Baskets.Total</c>.</param>
/// <param name="Call">The blocking call, such as <c>Task.Result</c>.</param>
/// <param name="Threads">Number of threads.</param>
public sealed record InsideWait(string Frame, string Call, int Threads)
{
    /// <summary>Number of these threads that are worker threads of the pool.</summary>
    public int Workers { get; init; }

    /// <summary>Names of the awaited operations, from the outermost to the innermost: <c>PriceAsync</c>, <c>Task.Delay</c>.</summary>
    public ImmutableArray<string> Chain { get; init; } = [];

    /// <summary>Maximum number of names in <see cref="Path"/>; of a longer chain, the middle is left out.</summary>
    const int MostSteps = 6;

    /// <summary>The chain as a path: <c>PriceAsync > Task.Delay</c>; empty if nothing is known.</summary>
    internal string Path => string.Join(" > ", Chain.IsDefault ? []
        : Chain.Length <= MostSteps ? Chain
        : [.. Chain[..(MostSteps / 2)], "...", .. Chain[^(MostSteps / 2)..]]);

    /// <summary>The method and the call that blocks: <c>Baskets.Total > Task.Result</c>.</summary>
    internal string Place => string.Join(" > ", new[] { Frame, Call }.Where(name => name.Length > 0));

    /// <summary>The operation at the end of the chain.</summary>
    public WaitEnd End { get; init; }

    /// <summary>Time since the earliest awaited timer was due, milliseconds; null if the threads wait for no due timer.</summary>
    public double? DueMs { get; init; }

    /// <summary>
    /// Maximum number of callers that the awaited connection pool serves at a time; <see cref="int.MaxValue"/> without a limit, null if no
    /// connection pool is awaited or its limit is unknown.
    /// </summary>
    public int? Limit { get; init; }

    /// <summary>
    /// The thread that owns the awaited lock and what it does, such as <c>thread 512, in Accounts.SlowAudit</c>; null if no owner is known.
    /// </summary>
    public string? Owner { get; init; }
}

/// <summary>Threads with the same stack.</summary>
/// <param name="Threads">OS ids of the threads.</param>
/// <param name="Frames">The frames, innermost first, as <c>module!Namespace.Type.Method(arguments)</c>.</param>
sealed record InsideStack(ImmutableArray<int> Threads, ImmutableArray<string> Frames);

/// <summary>A thread that waits for a lock, and the thread that owns the lock, as OS ids.</summary>
sealed record InsideLock(int Thread, int Owner);

/// <summary>Conclusions from a memory reading: whether the worker threads wait for work that is itself queued.</summary>
static class InsideConclusion
{
    /// <summary>Whether the awaited work could continue at once if a worker thread were free.</summary>
    public static bool NeedsWorker(this InsideWait wait) => wait.End is WaitEnd.InQueue or WaitEnd.DueTimer;

    /// <summary>Number of worker threads that wait for work that is itself queued.</summary>
    public static int ForQueue(InsideReading reading) => reading.Waits.Where(w => w.NeedsWorker()).Sum(w => w.Workers);

    /// <summary>Whether at least half of the waiting worker threads wait for work that is itself queued.</summary>
    public static bool IsForQueue(InsideReading reading) =>
        ForQueue(reading) is > 0 and var queued && queued * 2 >= reading.BlockedWorkers;
}
