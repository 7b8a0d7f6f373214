namespace Tpwatch.Reports;

/// <summary>The state of a worker thread when it was sampled.</summary>
public enum BlockKind
{
    /// <summary>The thread waited for a task; the pool detects such a wait and adds threads for it (blocking compensation).</summary>
    Task,

    /// <summary>The thread waited for a lock.</summary>
    Lock,

    /// <summary>The thread waited for an event, a semaphore or another wait handle.</summary>
    Wait,

    /// <summary>The thread slept.</summary>
    Sleep,

    /// <summary>The thread waited for a socket, a pipe or a file.</summary>
    Io,

    /// <summary>The thread was in native code that is none of the above.</summary>
    Native,

    /// <summary>The thread was running.</summary>
    Cpu,

    /// <summary>The thread waited or was in native code; the call has no frame, because the compiler inlined it into its caller.</summary>
    Unseen,
}

/// <summary>A place in the application's code that holds worker threads.</summary>
/// <param name="Frame">The innermost frame of the application's code; on a stack without such a frame, the innermost frame of a package or
/// else of the runtime.</param>
/// <param name="Share">Samples at this place as a share of all samples of busy worker threads, 0 to 1.</param>
/// <param name="Threads">Largest number of worker threads that one stack burst found at this place.</param>
/// <param name="Kind">The most frequent state of these worker threads, usually a kind of wait.</param>
/// <param name="Stack">The most frequent stack, innermost frame first.</param>
public sealed record Blocker(string Frame, double Share, int Threads, BlockKind Kind, ImmutableArray<string> Stack)
{
    /// <summary>Minimum share of samples for a place to be named; a smaller share may be chance.</summary>
    internal const double WorthNaming = 0.1;

    readonly Resource? resource;

    /// <summary>The resource that the worker threads waited for in most of the samples.</summary>
    public Resource Resource
    {
        get => resource ?? Kind.UsualResource();
        init => resource = value;
    }

    /// <summary>
    /// All resources that the worker threads waited for, most frequent first. In one method, some threads may wait for a connection, and
    /// others for an answer.
    /// </summary>
    internal ImmutableArray<ResourceShare> Waits { get; init; } = [];

    /// <summary>
    /// Maximum number of callers that the resource serves at a time; <see cref="int.MaxValue"/> if unlimited, null if unknown.
    /// </summary>
    internal int? Limit { get; init; }

    /// <summary>Whether the blocking call is an asynchronous library method that blocks internally; null if uncertain.</summary>
    internal bool? AwaitsAlready { get; init; } = false;

    /// <summary>Whether the stack has no frame of the program: the framework itself blocks the thread.</summary>
    internal bool IsOfFramework { get; init; }

    /// <summary>Number of samples of worker threads at this place.</summary>
    public long Samples { get; init; }

    /// <summary>The blocking call, such as <c>SemaphoreSlim.Wait</c>; null if the threads at this place compute.</summary>
    public string? Call { get; init; }

    /// <summary>
    /// The call by which <see cref="Frame"/> enters a package that makes the blocking call, such as <c>NpgsqlConnection.Open</c>; empty if
    /// the frame itself makes the blocking call.
    /// </summary>
    public ImmutableArray<string> Through { get; init; } = [];

    /// <summary><see cref="Frame"/> without its namespace; null if not known.</summary>
    internal string? Brief { get; init; }

    /// <summary>Type and method of the frame, without words such as <c>lambda in</c>.</summary>
    internal string Plain { get => field ?? Brief ?? Frame; init; }

    internal bool IsLambda { get; init; }

    /// <summary>Whether the frame is an unnamed delegate; the route of its requests can be shown instead.</summary>
    internal bool IsNameless { get; init; }

    /// <summary>The routes of the requests that the worker threads served at this place, most frequent first; empty if not known.</summary>
    internal ImmutableArray<RouteShare> Routes { get; init; } = [];

    /// <summary>
    /// The route in words: <c>GET /orders/{n}</c>, <c>GET /a (likely)</c>, <c>GET /a and 2 others</c>; null if not known.
    /// </summary>
    internal string? Route => Routes is not [var first, ..] ? null
        : first.Route + (first.Sure ? "" : " (likely)") + Routes.Length switch
        {
            1 => "",
            2 => " and another",
            var many => FormattableString.Invariant($" and {many - 1} others"),
        };

    /// <summary>The frame and the route of its requests; only the route if the frame is an unnamed delegate.</summary>
    internal string Where => Route is not { } route ? Frame : IsNameless ? route : $"{Frame} for {route}";

    /// <summary>
    /// The route if known, the application's own frame, the entry into the package, and the blocking call:
    /// <c>GET /orders/{n} > Orders.Load > NpgsqlConnection.Open > SemaphoreSlim.Wait</c>.
    /// </summary>
    internal string Chain => string.Join(" > ", new[] { Route, Route is not null && IsNameless ? null : Brief ?? Frame }.OfType<string>()
        .Concat(Through).Concat(Call is { } call ? [call] : []));

    /// <summary>The thread that owns the awaited lock and the method that it runs, as text; null if no owner is known.</summary>
    public string? Owner { get; init; }

    /// <summary>The method and calls of the lock's owner; null if the owner's stack was not sampled.</summary>
    internal CallPath? OwnerDoes { get; init; }

    /// <summary>The state of the lock's owner, such as a kind of wait; null if the owner's stack was not sampled.</summary>
    internal BlockKind? OwnerWaits { get; init; }

    /// <summary>Whether the lock's owner is known to be outside the pool, and is therefore not among the busy worker threads.</summary>
    internal bool OwnerIsOutside { get; init; }

    /// <summary>
    /// What the thread that probably holds the awaited lock does. In each burst, this is the only thread that is in the method and does not
    /// wait for the lock; null if a burst shows no such thread or several. Stacks do not prove that the thread holds the lock.
    /// </summary>
    internal ThreadActivity? PastLock { get; init; }

    /// <summary>
    /// Whether the blocking method has no frame on the stack, because the method ended with a tail call or was inlined into a method of the
    /// pool.
    /// </summary>
    internal bool LeftNoFrame { get; init; }

    /// <summary>Whether the threads at this place wait in a loop for new work, which is no hang.</summary>
    internal bool IsParked { get; init; }

    /// <summary>Number of worker threads at this place in each burst, oldest first.</summary>
    public ImmutableArray<HeldPoint> OverTime { get; init; } = [];
}

/// <summary>
/// A thread's method, as text (<c>lambda in Start.Main</c>) and as a plain name (<c>Start.Main</c>), and the calls from it, outermost
/// first.
/// </summary>
sealed record CallPath(string Method, string Plain, bool IsLambda, ImmutableArray<string> Calls)
{
    public override string ToString() => string.Join(" > ", [Method, .. Calls]);
}

/// <summary>What a thread does: the call that the thread is in, or a few words if it is in no call.</summary>
sealed record ThreadActivity(string? Call, string Otherwise)
{
    public override string ToString() => Call is null ? Otherwise : $"it is in {Call}";
}

/// <summary>A route's share of the samples at one place, 0 to 1, and whether most of these samples certainly belong to the route.</summary>
readonly record struct RouteShare(string Route, double Share, bool Sure);

/// <summary>Number of worker threads that one burst found at a place, and the time of the burst.</summary>
public readonly record struct HeldPoint(EventTime At, int Threads);

/// <summary>The kind of work that blocked worker threads wait for.</summary>
public enum WaitsFor
{
    /// <summary>Not known: the stacks do not show it.</summary>
    Unknown,

    /// <summary>
    /// Probably work that is itself queued (a deadlock): every worker thread waits for a task or an event, and no thread is about to
    /// complete one. Stacks cannot distinguish this from work that depends on a timer or a socket.
    /// </summary>
    QueuedItems,

    /// <summary>Something that is in progress elsewhere: a socket, a file, a sleep, a lock whose owner is running.</summary>
    Outside,
}

/// <summary>One stack burst: its start, the duration of its sampling in milliseconds, and the number of busy worker threads.</summary>
public readonly record struct BurstTaken(EventTime At, double Ms, int Workers)
{
    /// <summary>Whether the stacks were read from the memory of the process, while it continued to run.</summary>
    public bool IsReading { get; init; }
}

/// <summary>The bursts behind <see cref="PoolEvidence.Blockers"/>.</summary>
public sealed record StackBursts
{
    /// <summary>The bursts, oldest first; bounded.</summary>
    public required ImmutableArray<BurstTaken> Taken { get; init; }

    /// <summary>Number of samples of busy worker threads.</summary>
    public required long Samples { get; init; }

    /// <summary>Total sampling time of the bursts not read from memory, milliseconds. Threads were paused for a part of it.</summary>
    public required double PausedMs { get; init; }

    /// <summary>The kind of work that the worker threads wait for, as the newest burst shows it.</summary>
    public required WaitsFor WaitsFor { get; init; }

    /// <summary>Number of busy worker threads in the newest burst that wait in a loop for new work.</summary>
    internal int Parked { get; init; }

    /// <summary>The worker threads that provably still run the item of an earlier burst; null if there are none.</summary>
    internal UnendingItems? Unending { get; init; }

    /// <summary>The places in the application's code at which threads outside the pool are blocked, most frequent first.</summary>
    internal ImmutableArray<OutsideThread> Outside { get; init; } = [];

    /// <summary>Whether all bursts were read from the memory of the process, which pauses no thread.</summary>
    internal bool AreReadings => !Taken.IsEmpty && Taken.All(b => b.IsReading);

    /// <summary>One sentence for each burst that failed, with the reason.</summary>
    public ImmutableArray<string> Remarks { get; init; } = [];
}

/// <summary>
/// Worker threads that run the same item for long: of <paramref name="Held"/> threads blocked at the start of
/// <paramref name="Between"/>, at least <paramref name="Threads"/> still run the same item at the end.
/// </summary>
readonly record struct UnendingItems(EventSpan Between, int Held, int Threads);

enum ThreadOrigin
{
    Pool,

    Main,

    /// <summary>A thread that the program started.</summary>
    Program,

    /// <summary>A thread that a library started.</summary>
    Library,

    Finalizer,

    /// <summary>A thread that serves sockets (.NET Sockets).</summary>
    Sockets,
}

/// <summary>A place in the application's code at which threads outside the pool are blocked.</summary>
/// <param name="Chain">The calls from the application's own method to the blocking call.</param>
/// <param name="Kind">Kind of the wait.</param>
/// <param name="Home">Origin of the threads.</param>
/// <param name="Library">Name of the library that started the threads; empty if no library did.</param>
/// <param name="Threads">Number of threads.</param>
/// <param name="Seen">The time from the first to the newest of the consecutive bursts that found the threads at this place.</param>
readonly record struct OutsideThread(string Chain, BlockKind Kind, ThreadOrigin Home, string Library, int Threads, EventSpan Seen);

/// <summary>The resource that a blocking call of a worker thread waits for.</summary>
public enum Resource
{
    /// <summary>The revocation status of a certificate, from the server of its issuer.</summary>
    CertificateStatus,

    /// <summary>A connection of Npgsql's pool, which always has a limit.</summary>
    NpgsqlConnection,

    /// <summary>A connection of SqlClient's pool, which always has a limit.</summary>
    SqlClientConnection,

    /// <summary>A connection of MySqlConnector's pool, which always has a limit.</summary>
    MySqlConnection,

    /// <summary>A connection of HttpClient's pool, which has a limit only if the program sets one.</summary>
    HttpConnection,

    /// <summary>The console.</summary>
    StandardOutput,

    /// <summary>An answer of the name service (DNS) to a synchronous call.</summary>
    NameService,

    /// <summary>An answer of the name service (DNS) to an asynchronous call, for which the framework blocks a worker thread.</summary>
    AwaitedNameService,

    /// <summary>The end of another process.</summary>
    OtherProcess,

    /// <summary>An answer of a Redis server to a synchronous call.</summary>
    Redis,

    /// <summary>Space in a full collection.</summary>
    CollectionSpace,

    /// <summary>An item of a collection.</summary>
    CollectionItem,

    /// <summary>Space in a full channel.</summary>
    ChannelSpace,

    /// <summary>A database file; SQLite has no asynchronous calls.</summary>
    DatabaseFile,

    /// <summary>The finalizers of objects that the garbage collector has found unreachable.</summary>
    Finalizers,

    /// <summary>The lock of a type whose static constructor is running.</summary>
    StaticConstructor,

    /// <summary>The lock of a <see cref="Lazy{T}"/> whose value is being created.</summary>
    LazyValue,

    /// <summary>A read lock, which several readers can hold at once.</summary>
    ReadLock,

    /// <summary>A write lock or an upgradeable read lock.</summary>
    WriteLock,

    /// <summary>A lock.</summary>
    Lock,

    /// <summary>A semaphore.</summary>
    Semaphore,

    /// <summary>The end of another thread.</summary>
    Thread,

    /// <summary>A parallel query (PLINQ), which uses every available worker thread.</summary>
    ParallelQuery,

    /// <summary>A parallel loop, which uses every available worker thread.</summary>
    ParallelLoop,

    /// <summary>A sleep.</summary>
    Sleep,

    /// <summary>A socket.</summary>
    Socket,

    /// <summary>A pipe.</summary>
    Pipe,

    /// <summary>A file that an asynchronous call reads or writes; the framework blocks a worker thread for that call.</summary>
    AwaitedFile,

    /// <summary>A file that is being opened.</summary>
    FileOpen,

    /// <summary>A file.</summary>
    File,

    /// <summary>Input or output that is none of the above.</summary>
    InputOutput,

    /// <summary>A task.</summary>
    Task,

    /// <summary>Several tasks, in Task.WaitAll; the pool does not detect this wait.</summary>
    AllTasks,

    /// <summary>A mutex.</summary>
    Mutex,

    /// <summary>An event.</summary>
    Event,

    /// <summary>No resource: the thread runs on a processor.</summary>
    Processor,

    /// <summary>A lock or native code, which cannot be distinguished before .NET 10.</summary>
    LockOrNative,

    /// <summary>Not known: the stack has no frame between the program's code and the wait.</summary>
    Unseen,

    /// <summary>Native code.</summary>
    Native,
}

/// <summary>A resource and its share of the samples at one place, 0 to 1.</summary>
readonly record struct ResourceShare(Resource Resource, double Share);

/// <summary>A deadlock: each thread waits for a lock that the next thread holds. Only a wait with a timeout can end the deadlock.</summary>
/// <param name="Threads">OS ids of the threads; after each thread comes the holder of the lock that the thread waits for.</param>
/// <param name="Places">The place where each thread waits: the method of the application and the call, such as
/// <c>Ledgers.Close > Monitor.Enter</c>.</param>
/// <param name="Blocked">Number of threads that wait for a lock of this cycle, directly or indirectly; includes the threads of the
/// cycle.</param>
/// <param name="Workers">Number of worker threads of the pool among the blocked threads.</param>
public sealed record LockCycle(ImmutableArray<int> Threads, ImmutableArray<string> Places, int Blocked, int Workers);
