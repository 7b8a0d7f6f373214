namespace Tpwatch.Reports;

/// <summary>What a worker was doing when it was sampled.</summary>
public enum BlockKind
{
    /// <summary>It waited for a task: the pool sees it and compensates.</summary>
    Task,

    /// <summary>It waited for a lock.</summary>
    Lock,

    /// <summary>It waited for an event, a semaphore or another wait handle.</summary>
    Wait,

    /// <summary>It slept.</summary>
    Sleep,

    /// <summary>It waited for a socket, a pipe or a file.</summary>
    Io,

    /// <summary>It was in native code that is none of these.</summary>
    Native,

    /// <summary>It was running.</summary>
    Cpu,

    /// <summary>It waited or was in native code, and the call has left no frame: the compiler has put it into its caller.</summary>
    Unseen,
}

/// <summary>A place in the user's code that holds workers.</summary>
/// <param name="Frame">The innermost frame of the service's own code; of a package where the stack has none of the service's, else of the
/// runtime.</param>
/// <param name="Share">Of the samples of workers that were at work, how many were here: 0 to 1.</param>
/// <param name="Threads">Workers that were seen here.</param>
/// <param name="Kind">What they waited for.</param>
/// <param name="Stack">The most frequent stack, innermost frame first.</param>
public sealed record Blocker(string Frame, double Share, int Threads, BlockKind Kind, ImmutableArray<string> Stack)
{
    readonly Resource? resource;

    /// <summary>What they waited for, by most of the samples.</summary>
    public Resource Resource
    {
        get => resource ?? Kind.UsualResource();
        init => resource = value;
    }

    /// <summary>
    /// What they waited for, the most frequent first: in one method some may wait for a connection, others for an answer.
    /// </summary>
    internal ImmutableArray<ResourceShare> Waits { get; init; } = [];

    /// <summary>How many at a time it serves, <see cref="int.MaxValue"/> for all that come; null where nobody knows.</summary>
    internal int? Limit { get; init; }

    /// <summary>Whether the call that blocks is an asynchronous one, of a library that blocks in it; null where that is not sure.</summary>
    internal bool? AwaitsAlready { get; init; } = false;

    /// <summary>Whether no code of the program's is on the stack: the framework blocks a thread of its own accord.</summary>
    internal bool IsOfFramework { get; init; }

    /// <summary>Samples of workers that were here.</summary>
    public long Samples { get; init; }

    /// <summary>The call that blocks, such as <c>SemaphoreSlim.Wait</c>; null where it computes.</summary>
    public string? Call { get; init; }

    /// <summary>
    /// From <see cref="Frame"/> to <see cref="Call"/>: the call by which it enters a package, such as <c>NpgsqlConnection.Open</c>; empty
    /// where it waits itself.
    /// </summary>
    public ImmutableArray<string> Through { get; init; } = [];

    /// <summary>The frame without its namespace; null where nobody said.</summary>
    internal string? Brief { get; init; }

    /// <summary>Whether the frame is a delegate without a name of its own, for which its route can stand.</summary>
    internal bool IsNameless { get; init; }

    /// <summary>The requests on whose behalf workers were here, the most frequent first; empty where that is not known.</summary>
    internal ImmutableArray<RouteShare> Routes { get; init; } = [];

    /// <summary>
    /// The route in words: <c>GET /orders/{n}</c>, <c>GET /a (likely)</c>, <c>GET /a and 2 others</c>; null where none is.
    /// </summary>
    internal string? Route => Routes is not [var first, ..] ? null
        : first.Route + (first.Sure ? "" : " (likely)") + Routes.Length switch
        {
            1 => "",
            2 => " and another",
            var many => FormattableString.Invariant($" and {many - 1} others"),
        };

    /// <summary>The frame, and the route whose requests are there; of a delegate without a name of its own the route alone.</summary>
    internal string Where => Route is not { } route ? Frame : IsNameless ? route : $"{Frame} for {route}";

    /// <summary>
    /// The route as far as it is known, the service's own frame, then the package's entry, then the wait:
    /// <c>GET /orders/{n} > Orders.Load > NpgsqlConnection.Open > SemaphoreSlim.Wait</c>.
    /// </summary>
    internal string Chain => string.Join(" > ", new[] { Route, Route is not null && IsNameless ? null : Brief ?? Frame }.OfType<string>()
        .Concat(Through).Concat(Call is { } call ? [call] : []));

    /// <summary>Who holds the lock that is waited for, and where; null where there is none or it is not known.</summary>
    public string? Owner { get; init; }

    /// <summary>
    /// What that one does, from its method to the call that it is in: <c>Inventory.Audit > Thread.Sleep</c>; null where its stack was not
    /// seen.
    /// </summary>
    internal string? OwnerDoes { get; init; }

    /// <summary>What that one waits for itself; null where its stack was not seen, or it does not wait.</summary>
    internal BlockKind? OwnerWaits { get; init; }

    /// <summary>Whether that one is known to be no worker of the pool, so that he is not among the samples of busy workers.</summary>
    internal bool OwnerIsOutside { get; init; }

    /// <summary>
    /// Of who waits for a lock: what the one thread in the same method does that does not wait for it, in each burst one; null where none
    /// or several are, of whom nothing can be said.
    /// </summary>
    internal string? PastLock { get; init; }

    /// <summary>Whether the method that blocks is not on the stack: it ended with a tail call, or lies inlined in the pool's.</summary>
    internal bool LeftNoFrame { get; init; }

    /// <summary>Whether those that were here wait for work to come, in a loop: nothing hangs.</summary>
    internal bool IsParked { get; init; }

    /// <summary>Workers that were here, a burst each, oldest first.</summary>
    public ImmutableArray<HeldPoint> OverTime { get; init; } = [];
}

/// <summary>Of the samples at one place, how many were of requests of that route: 0 to 1; and whether most of them are certain.</summary>
readonly record struct RouteShare(string Route, double Share, bool Sure);

/// <summary>So many workers were held at one place in the burst of that moment.</summary>
public readonly record struct HeldPoint(EventTime At, int Threads);

/// <summary>What the workers that are held wait for.</summary>
public enum WaitsFor
{
    /// <summary>The stacks do not tell.</summary>
    Unknown,

    /// <summary>
    /// Every worker waits for a task or an event, and no thread is on its way to end one: what they wait for is in the queue behind them,
    /// as in a deadlock, or a timer or a socket is to bring it, of which stacks show nothing.
    /// </summary>
    QueuedItems,

    /// <summary>For something that is under way elsewhere: a socket, a file, a sleep, a lock whose owner is at work.</summary>
    Outside,
}

/// <summary>One burst of samples: when it began, how long the target was sampled, and how many workers were at work.</summary>
public readonly record struct BurstTaken(EventTime At, double Ms, int Workers)
{
    /// <summary>Whether it was read from the memory of the process, which went on meanwhile.</summary>
    public bool IsReading { get; init; }
}

/// <summary>The bursts behind <see cref="PoolReport.Blockers"/>.</summary>
public sealed record StackBursts
{
    /// <summary>Each of them, oldest first; bounded.</summary>
    public required ImmutableArray<BurstTaken> Taken { get; init; }

    /// <summary>Samples of workers at work.</summary>
    public required long Samples { get; init; }

    /// <summary>For how long they sampled in all, milliseconds; the target's threads stood still for a part of it.</summary>
    public required double PausedMs { get; init; }

    /// <summary>What the workers wait for, by the newest burst in which all were held.</summary>
    public required WaitsFor WaitsFor { get; init; }

    /// <summary>Of the workers at work in the newest burst, how many wait for work to come, in loops.</summary>
    internal int Parked { get; init; }

    /// <summary>Worker threads that hold the same item at two looks; null where that is not proven of any.</summary>
    internal UnendingItems? Unending { get; init; }

    /// <summary>Own code that is blocked on threads outside the pool, those of most threads first.</summary>
    internal ImmutableArray<OutsideThread> Outside { get; init; } = [];

    /// <summary>Whether none of them paused the process: all were read from its memory.</summary>
    internal bool AreReadings => !Taken.IsEmpty && Taken.All(b => b.IsReading);

    /// <summary>Bursts that failed and why, a sentence each.</summary>
    public ImmutableArray<string> Remarks { get; init; } = [];
}

/// <summary>
/// Between two looks that far apart, of so many worker threads that were blocked at the first, so many hold their item at both at least.
/// </summary>
readonly record struct UnendingItems(EventSpan Between, int Held, int Threads);

/// <summary>Whose a thread is.</summary>
enum ThreadHome
{
    /// <summary>A worker of the pool.</summary>
    Pool,

    /// <summary>The main thread.</summary>
    Main,

    /// <summary>One that the program started.</summary>
    Program,

    /// <summary>One that a library started.</summary>
    Library,

    /// <summary>The one that runs finalizers.</summary>
    Finalizer,

    /// <summary>One that serves sockets (.NET Sockets).</summary>
    Sockets,
}

/// <summary>Own code that is blocked on threads outside the pool.</summary>
/// <param name="Chain">From the own method to the call that blocks.</param>
/// <param name="Kind">What it waits for.</param>
/// <param name="Home">Whose the threads are.</param>
/// <param name="Library">Of a library's its name, else empty.</param>
/// <param name="Threads">How many threads.</param>
/// <param name="Seen">From the first look of those in a row that saw them there to the newest.</param>
readonly record struct OutsideThread(string Chain, BlockKind Kind, ThreadHome Home, string Library, int Threads, EventSpan Seen);
