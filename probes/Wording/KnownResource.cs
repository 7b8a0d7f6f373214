using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Whether more worker threads help when threads wait for a resource.</summary>
enum MoreThreadsEffect
{
    /// <summary>More threads help: the resource serves each thread at once.</summary>
    Help,

    /// <summary>More threads may help, depending on facts that the stacks do not show.</summary>
    MayHelp,

    /// <summary>More threads do not help: the added threads would wait as well.</summary>
    DoNotHelp,
}

/// <summary>
/// The facts about a resource that blocking calls wait for: its name, the remedy, and whether more threads help. The commands <c>kinds</c>
/// and <c>wild</c> of the benchmarks test these facts, see tests/WILD.md.
/// </summary>
/// <param name="Name">The name of the resource, as part of a sentence.</param>
/// <param name="Remedy">The remedy, as the start of a sentence that continues with a colon and the blocking call.</param>
/// <param name="Threads">Whether more threads help.</param>
/// <param name="If">The condition under which more threads may help, as part of a sentence; null when there is none.</param>
sealed record KnownResource(string Name, string Remedy, MoreThreadsEffect Threads = MoreThreadsEffect.Help, string? If = null)
{
    /// <summary>Whether the name says more than the blocking call; <c>Thread.Sleep</c> already says that a thread sleeps.</summary>
    public bool SaysMore { get; private init; } = true;

    const string Awaiting = "Awaiting alone only moves the queue to the connection pool";

    const string Asynchronous = "Use the asynchronous call and await it, with a timeout";

    /// <summary>
    /// The resource if every worker thread waits for a task and no thread works on the awaited tasks. These tasks then need a worker thread
    /// themselves, for a timer or a continuation.
    /// </summary>
    static readonly KnownResource Worker = new(
        "a task that itself needs a worker thread to complete, such as a timer or a continuation",
        "Await the task instead of blocking on it (its timer or continuation needs a worker thread too)");

    static readonly KnownResource LimitedHttp = new("a connection of HttpClient's connection pool",
        "Send fewer requests at once or raise MaxConnectionsPerServer, and await SendAsync instead of Send", MoreThreadsEffect.DoNotHelp);

    static readonly KnownResource UnlimitedHttp = new("a connection that HttpClient opens on a worker thread",
        "Await SendAsync instead of Send");

    static readonly KnownResource InLibrary = new("something inside a library that left no stack frame",
        "This call waits inside its library, perhaps in native code. Use its asynchronous call, or make the call on a dedicated thread",
        MoreThreadsEffect.MayHelp, "if it does not wait for a lock");

    /// <summary>
    /// Returns the resource for which threads at one place wait; <paramref name="all"/> is what all worker threads wait for, if known.
    /// </summary>
    public static KnownResource Of(Blocker blocker, WaitsFor? all = null)
    {
        var known = blocker.Resource switch
        {
            Resource.Task when all == WaitsFor.QueuedItems => Worker,
            Resource.HttpConnection when blocker.Limit is { } limit => limit == int.MaxValue ? UnlimitedHttp : LimitedHttp,
            Resource.Unseen when !blocker.Through.IsEmpty => InLibrary,
            var resource => Of(resource) with { SaysMore = !IsToldByCall(resource) },
        };

        // If the lock holder itself waits for a worker thread, an added thread helps.
        known = known.Threads == MoreThreadsEffect.DoNotHelp && blocker is { OwnerWaits: BlockKind.Task or BlockKind.Wait }
            ? known with { Threads = MoreThreadsEffect.MayHelp, If = "if what the lock holder waits for needs a worker thread" } : known;
        return blocker.AwaitsAlready == false || blocker.Resource is Resource.DatabaseFile or Resource.AwaitedFile ? known
            : known with
            {
                Remedy = blocker.AwaitsAlready == true
                    ? "This asynchronous call blocks inside the library, so awaiting it does not help. "
                        + "Let fewer of them run at a time, or call it on a dedicated thread"
                    : "If the code calls this synchronously, use the asynchronous call and await it. "
                        + "If it awaits already, let fewer of them run at a time, or call it on a dedicated thread",
            };
    }

    static bool IsToldByCall(Resource resource) => resource is Resource.ReadLock or Resource.WriteLock or Resource.Lock
        or Resource.Semaphore or Resource.Sleep or Resource.InputOutput or Resource.Task or Resource.AllTasks or Resource.Event
        or Resource.Processor or Resource.LockOrNative or Resource.Unseen or Resource.Native;

    /// <summary>Returns the facts about a kind of resource, without the details of a stack.</summary>
    public static KnownResource Of(Resource resource) => resource switch
    {
        Resource.CertificateStatus => new("the server that tells whether a certificate is revoked",
            "Make that server reachable. Or set RevocationMode to Offline or NoCheck, or UrlRetrievalTimeout to a second or two"),
        Resource.NpgsqlConnection => Pool("Npgsql", "Maximum Pool Size"),
        Resource.SqlClientConnection => Pool("SqlClient", "Max Pool Size"),
        Resource.MySqlConnection => Pool("MySqlConnector", "Maximum Pool Size"),
        Resource.HttpConnection => new("a connection of HttpClient's connection pool",
            "Await SendAsync instead of Send. If MaxConnectionsPerServer is set, raise it or send fewer requests at once",
            MoreThreadsEffect.MayHelp, "if MaxConnectionsPerServer is not set"),
        Resource.StandardOutput => new("the console, whose reader is slow or gone",
            "Make sure that something reads the output, print less, or log through a queue that does not block",
            MoreThreadsEffect.DoNotHelp),
        Resource.NameService => new("an answer from the name service (DNS)",
            "Look up fewer names: reuse connections and keep addresses. On Linux, also the asynchronous call blocks a worker thread. "
                + "Check the name server"),
        Resource.AwaitedNameService => new("an answer from the name service (DNS), for which .NET blocks a worker thread on Linux",
            "The call is awaited already. Look up fewer names: reuse connections and keep addresses. Check the name server"),
        Resource.OtherProcess => new("the end of another process", "Await WaitForExitAsync with a timeout"),
        Resource.Redis => new("an answer of the Redis server", "Await the asynchronous method, such as StringGetAsync, with a timeout"),
        Resource.CollectionSpace => new("room in a BlockingCollection that is full",
            "Its consumer is slower than its producers: make it faster, run several, or drop what does not fit (TryAdd)",
            MoreThreadsEffect.DoNotHelp),
        Resource.CollectionItem => new("an item of a BlockingCollection",
            "Run the consumer on a dedicated thread, or await a Channel instead"),
        Resource.ChannelSpace => new("room in a channel that is full",
            "Its reader is slower than its writers: make it faster, run several, or drop what does not fit (BoundedChannelFullMode)",
            MoreThreadsEffect.DoNotHelp),
        Resource.DatabaseFile => new("a database file (SQLite), which one connection at a time can write",
            "Keep transactions short, let one connection do the writing, and set journal_mode to WAL. "
                + "SQLite has no asynchronous calls, so awaiting does not help",
            MoreThreadsEffect.MayHelp, "if the file keeps up with the writes"),
        Resource.Finalizers => new("finalizers", "Do not wait for finalizers in work items, and find the finalizer that is slow",
            MoreThreadsEffect.DoNotHelp),
        Resource.StaticConstructor => new("a static constructor that runs on another thread",
            "Make the constructor short, or use the type once at start, before work items need it", MoreThreadsEffect.DoNotHelp),
        Resource.LazyValue => new("the value of a Lazy<T> that another thread makes",
            "Use Lazy<Task<T>> and await its value, or make the value at start", MoreThreadsEffect.DoNotHelp),
        Resource.ReadLock => new("a reader-writer lock, to read",
            "Hold the lock for a shorter time when writing, or read from an immutable copy without a lock"),
        Resource.WriteLock => new("a reader-writer lock", "Hold the lock for a shorter time, or read from an immutable copy without a lock",
            MoreThreadsEffect.DoNotHelp),
        Resource.Lock => new("a lock", "Hold the lock for a shorter time", MoreThreadsEffect.DoNotHelp),
        Resource.Semaphore => new("a semaphore",
            "Instead of Wait, await WaitAsync with a timeout (add permits only if the protected resource can take more)",
            MoreThreadsEffect.DoNotHelp),
        Resource.Thread => new("the end of another thread", "Await a task instead of joining a thread"),
        Resource.ParallelQuery => new("a parallel query (PLINQ), which takes every worker thread there is",
            "Use a plain query in work items, or WithDegreeOfParallelism", MoreThreadsEffect.MayHelp,
            "if all queries together need fewer threads than that"),
        Resource.ParallelLoop => new("a parallel loop, which takes every worker thread there is",
            "Set MaxDegreeOfParallelism, or use Parallel.ForEachAsync with asynchronous calls", MoreThreadsEffect.MayHelp,
            "if all loops together need fewer threads than that"),
        Resource.Sleep => new("a sleep", "Await Task.Delay instead of sleeping"),
        Resource.Socket => new("a socket", Asynchronous),
        Resource.Pipe => new("a pipe", Asynchronous),
        Resource.AwaitedFile => new("a file, for which .NET blocks a worker thread although the call is awaited",
            "Find out why the file is slow, or let fewer calls run at a time"),
        Resource.FileOpen => new("the opening of a file",
            "Opening has no asynchronous form: open fewer files, keep them open, or open them on a dedicated thread"),
        Resource.File => new("a file", "Use the asynchronous call and await it, or let one dedicated thread use the file"),
        Resource.InputOutput => new("input or output", "Use the asynchronous call and await it"),
        Resource.Task => new("a task", "Await the task instead of blocking on it"),
        Resource.AllTasks => new("several tasks", "Await Task.WhenAll instead of blocking in Task.WaitAll"),
        Resource.Mutex => new("a mutex", "Hold the mutex for a shorter time; within one process, await SemaphoreSlim.WaitAsync instead",
            MoreThreadsEffect.DoNotHelp),
        Resource.Event => new("an event",
            "Await an asynchronous signal (SemaphoreSlim.WaitAsync, a TaskCompletionSource) instead of blocking on a wait handle",
            MoreThreadsEffect.MayHelp, "if a queued item sets the event"),
        Resource.Processor => new("processors", "Run this computation on a dedicated thread, or make it cheaper"),

        // Nearly always this is a lock. So a larger MinThreads, which helps only with native code, is not recommended.
        Resource.LockOrNative => new("a lock or native code",
            "Hold the lock (if this is one) for a shorter time, or run the native code on a dedicated thread", MoreThreadsEffect.DoNotHelp),
        Resource.Unseen => new("something that left no stack frame",
            "Find the call in this method that waits. Its frame is gone: it may be Monitor.Wait, Thread.Join, a lock or native code",
            MoreThreadsEffect.MayHelp, "if it does not wait for a lock"),
        _ => new("native code", "Run this native code on a dedicated thread"),
    };

    static KnownResource Pool(string library, string size) => new($"a connection of {library}'s connection pool",
        $"{Awaiting}. Enlarge that pool too ({size}) or let fewer callers in, and await the call", MoreThreadsEffect.DoNotHelp);
}
