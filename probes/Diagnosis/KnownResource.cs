using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

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
/// The facts about a resource that blocking calls wait for: its name, the remedy, and whether more threads help. One row per kind of
/// resource; the laboratory's commands <c>kinds</c> and <c>wild</c> test these facts, see tests/WILD.md.
/// </summary>
/// <param name="Name">The name of the resource, as part of a sentence.</param>
/// <param name="Remedy">The remedy, after which a sentence continues with a colon and the blocking call.</param>
/// <param name="Threads">Whether more threads help.</param>
sealed record KnownResource(string Name, string Remedy, MoreThreadsEffect Threads = MoreThreadsEffect.Help)
{
    /// <summary>The condition under which more threads may help, as part of a sentence; null when there is none.</summary>
    public string? If { get; init; }

    /// <summary>Whether the name says more than the blocking call; <c>Thread.Sleep</c> already says that a thread sleeps.</summary>
    public bool SaysMore { get; private init; } = true;

    const string Awaiting = "Awaiting alone only moves the queue to the connection pool";

    const string Asynchronous = "Use the asynchronous call and await it, with a timeout";

    /// <summary>
    /// The resource if every worker thread waits for a task and no thread works on one of the tasks. Such a task then needs a worker thread
    /// itself, for a timer or a continuation.
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
        MoreThreadsEffect.MayHelp)
    {
        If = "if it does not wait for a lock",
    };

    /// <summary>
    /// Returns the resource for which threads at one place wait; <paramref name="all"/> is what all worker threads wait for.
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
            MoreThreadsEffect.MayHelp)
        { If = "if MaxConnectionsPerServer is not set" },
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
            MoreThreadsEffect.MayHelp)
        { If = "if the file keeps up with the writes" },
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
            "Use a plain query in work items, or WithDegreeOfParallelism", MoreThreadsEffect.MayHelp)
        { If = "if all queries together need fewer threads than that" },
        Resource.ParallelLoop => new("a parallel loop, which takes every worker thread there is",
            "Set MaxDegreeOfParallelism, or use Parallel.ForEachAsync with asynchronous calls", MoreThreadsEffect.MayHelp)
        { If = "if all loops together need fewer threads than that" },
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
            MoreThreadsEffect.MayHelp)
        { If = "if a queued item sets the event" },
        Resource.Processor => new("processors", "Run this computation on a dedicated thread, or make it cheaper"),

        // Nearly always this is a lock. So a larger MinThreads, which helps only with native code, is not recommended.
        Resource.LockOrNative => new("a lock or native code",
            "Hold the lock (if this is one) for a shorter time, or run the native code on a dedicated thread", MoreThreadsEffect.DoNotHelp),
        Resource.Unseen => new("something that left no stack frame",
            "Find the call in this method that waits. Its frame is gone: it may be Monitor.Wait, Thread.Join, a lock or native code",
            MoreThreadsEffect.MayHelp)
        { If = "if it does not wait for a lock" },
        _ => new("native code", "Run this native code on a dedicated thread"),
    };

    static KnownResource Pool(string library, string size) => new($"a connection of {library}'s connection pool",
        $"{Awaiting}. Enlarge that pool too ({size}) or let fewer callers in, and await the call", MoreThreadsEffect.DoNotHelp);
}

/// <summary>
/// A resource that serves only a limited number of threads at a time, however many worker threads wait. Stacks name the resource, or
/// completions that do not grow with the number of threads show that there is one.
/// </summary>
/// <param name="Words">The name of the resource, as part of a sentence.</param>
sealed record Bottleneck(string Words)
{
    /// <summary>The only route whose requests wait for the resource; null when several do, or when the route is uncertain.</summary>
    public string? Route { get; init; }

    /// <summary>The reason why more worker threads do not help, as part of a sentence.</summary>
    public string OnlyWait => $"more threads would only wait for {Words}.{Shown}";

    // A further sentence with the evidence for the bottleneck if that evidence is not from stacks.
    string Shown { get; init; } = "";

    /// <summary>The bottleneck; null when there is no evidence for one.</summary>
    public static Bottleneck? Of(PoolEvidence report)
    {
        // The place that holds most worker threads decides; a place that holds a few others does not.
        var main = DeepEvidence.Main(report);
        var known = main is null ? null : KnownResource.Of(main);
        return known?.Threads == MoreThreadsEffect.DoNotHelp ? Named(main!, known)
            : IsOpen(report, main, known) && ThreadScaling.Of(report) == ScalingEffect.Flat
                ? (known is null ? new Bottleneck("the same resource, such as a lock") : Named(main!, known)) with
                {
                    Shown = " So far, more threads have not helped.",
                }
            : null;
    }

    // Whether completions decide: no stacks were taken, or stacks show a task wait, or show only that more threads may help.
    static bool IsOpen(PoolEvidence report, Blocker? main, KnownResource? known) =>
        main is null ? !DeepEvidence.HasStacks(report) : known?.Threads == MoreThreadsEffect.MayHelp || main.Resource == Resource.Task;

    static Bottleneck Named(Blocker main, KnownResource known) => new($"{known.Name} ({DeepEvidence.Place(main)})")
    {
        Route = main.Routes is [{ Sure: true } one] ? one.Route : null,
    };
}

/// <summary>The evidence that a memory reading adds to a finding; nothing if none was taken.</summary>
static class InsideEvidence
{
    /// <summary>Maximum number of kinds of queued items that are named.</summary>
    const int Most = 3;

    const string Source = "memory";

    /// <summary>Returns the number of queued items of each kind as evidence, the most frequent first.</summary>
    public static IEnumerable<Evidence> Queue(PoolEvidence report) => report.Inside?.Queue is { Kinds.IsDefaultOrEmpty: false } queue
        ? queue.Kinds.Where(k => k.Items > 0).Take(Most).Select(k => new Evidence($"Queued {k.Name}", k.Items, "items", Source))
        : [];

    /// <summary>The number of worker threads that wait for an item that is itself in the queue, as evidence.</summary>
    public static IEnumerable<Evidence> ForQueue(PoolEvidence report) =>
        report.Inside is { } reading && InsideConclusion.ForQueue(reading) is > 0 and var count
            ? [new("Worker threads that wait for a task whose continuation is in the queue", count, "threads", Source)]
            : [];
}

/// <summary>The evidence that stacks and items add to a finding; nothing if neither was captured.</summary>
static class DeepEvidence
{
    /// <summary>Minimum share of samples for which a place is named; a smaller share is chance and no cause.</summary>
    public const double WorthNaming = 0.1;

    /// <summary>Returns the place that holds most worker threads in waits of the given (or all) kinds; null when there is none.</summary>
    public static Blocker? Main(PoolEvidence report, params BlockKind[] kinds) =>
        (report.Blockers ?? []).FirstOrDefault(b => b.Share >= WorthNaming && (kinds.Length == 0 || kinds.Contains(b.Kind)));

    /// <summary>Whether stacks were taken and show places that hold worker threads.</summary>
    public static bool HasStacks(PoolEvidence report) => report.Blockers is { IsEmpty: false };

    /// <summary>The share of the worker threads' samples in waits of the given kind, 0 to 1; 0 without stacks.</summary>
    public static double Share(PoolEvidence report, BlockKind kind) => (report.Blockers ?? []).Where(b => b.Kind == kind).Sum(b => b.Share);

    /// <summary>
    /// The place as a call chain, <c>Orders.Load > NpgsqlConnection.Open > SemaphoreSlim.Wait</c>, the service's own method first.
    /// </summary>
    public static string Place(Blocker blocker) => blocker.Chain;

    /// <summary>The places that hold worker threads, as evidence.</summary>
    public static IEnumerable<Evidence> Stacks(PoolEvidence report, params BlockKind[] kinds)
    {
        foreach (var blocker in (report.Blockers ?? [])
            .Where(b => b.Share >= WorthNaming && (kinds.Length == 0 || kinds.Contains(b.Kind))).Take(2))
        {
            var held = blocker.Owner is { } owner ? $" (held by {owner})" : "";
            var what = IsRead(report) ? "Busy worker threads" : "Stack samples of worker threads";
            yield return new($"{what} in {Place(blocker)}{held}", blocker.Share * 100, "%",
                IsRead(report) ? "memory" : held == "" ? "stacks" : "stacks, event 81");
        }
    }

    /// <summary>Queue time while the pool starved, as evidence; queue time of the whole capture if the former is not known.</summary>
    public static IEnumerable<Evidence> Delay(PoolEvidence report)
    {
        var (part, half) = report.Items?.StarvedDelay is { } starved
            ? (starved, "While the pool starved, half") : (report.QueueDelay, "Half");
        return part is not { IsKnown: true } ? [] :
        [
            .. part.HasEnoughFor(LowerBounds.P50)
                ? [AtLeast($"{half} of the items waited", part.P50Ms, "events 30 and 31")] : Array.Empty<Evidence>(),
            .. part.HasEnoughFor(LowerBounds.P99) && !IsOfHalf(part)
                ? [AtLeast("One in a hundred items waited", part.P99Ms, "events 30 and 31")] : Array.Empty<Evidence>(),
            Lasts(part) ? AtLeast("Longest queue time:", part.MaxMs, "events 30 and 31")
                : new("Longest queue time", part.MaxMs, "ms", "events 30 and 31"),
        ];
    }

    /// <summary>A lower bound of a duration, as evidence.</summary>
    public static Evidence AtLeast(string text, double ms, string source) => new($"{text} at least", ms, "ms", source) { GoesOn = true };

    /// <summary>Whether the median and the 99th percentile are displayed as the same duration; then only the median is shown.</summary>
    public static bool IsOfHalf(Distribution part) =>
        part.HasEnoughFor(LowerBounds.P50) && Format.Duration(part.P50Ms) == Format.Duration(part.P99Ms);

    // Whether the longest queue time is only a lower bound: an item that still waits may wait longer than all dequeued items.
    static bool Lasts(Distribution part) => part.Unfinished > 0 || part.AtLeast.HasFlag(LowerBounds.Max);

    /// <summary>How long items held their worker threads, as evidence.</summary>
    public static IEnumerable<Evidence> Run(PoolEvidence report) => report.RunTime is not { IsKnown: true } run ? [] :
    [
        .. run.HasEnoughFor(LowerBounds.P50)
            ? [AtLeast("Half of the items held their thread for", run.P50Ms, "event 31")] : Array.Empty<Evidence>(),
        run.HasEnoughFor(LowerBounds.P99)
            ? AtLeast("One in a hundred items held its thread for", run.P99Ms, "event 31")
            : AtLeast($"{LongestOf(run)} held its thread for", run.MaxMs, "event 31"),
    ];

    static string LongestOf(Distribution run) => run.Counted == 1 ? "The only item" : $"The longest of {Format.Count(run.Counted)} items";

    /// <summary>The remedy for the call that holds the worker threads; without stacks, how to find that call.</summary>
    public static Remedy Mend(PoolEvidence report, Blocker? blocker, string otherwise, MissingDataHint? how = null) => blocker is null
        ? new(otherwise, how ?? MissingDataHint.None)
        : blocker.OwnerDoes is { } does
        ? new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {WhileHolding(does)}. "
            + $"In {Samples(report, blocker)}, the threads wait for this lock"
            + $"{(blocker.OwnerIsOutside ? "" : " or hold it")} ({Place(blocker)}). "
            + LessUnderLock)
        : new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {Place(blocker)}. "
            + $"{Samples(report, blocker)} are in this call.{Holder(blocker)}");

    // The share of samples in words. A reader would mistake a number of threads for the thread count in other sentences of the report.
    static string Samples(PoolEvidence report, Blocker blocker) => $"{Format.Percent(blocker.Share)} of the "
        + (IsRead(report) ? "busy worker threads" : "stack samples of busy worker threads");

    /// <summary>What a blocker's share is a share of: <c>stack samples</c> or <c>busy worker threads</c>.</summary>
    public static string Sampled(PoolEvidence report) => IsRead(report) ? "busy worker threads" : "stack samples";

    // Whether the bursts are memory readings, which show each thread once.
    static bool IsRead(PoolEvidence report) => report.Bursts is { AreReadings: true };

    /// <summary>The remedy when the only known fact about the blocking is that the pool cannot detect it.</summary>
    public static Remedy MendUndetected(PoolEvidence report) => Mend(report, Main(report),
        "Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) "
            + "and replace it with an asynchronous one.", Waits.NamedBy(report));

    /// <summary>
    /// Other resources that threads wait for at a place, <c>33% of them wait for a connection of HttpClient's connection pool</c>; null
    /// when there are none.
    /// </summary>
    public static string? OtherWaits(Blocker blocker)
    {
        // Other waits at a lock are not named: the threads that wait for something else include the lock holder.
        var others = (blocker.Kind == BlockKind.Lock ? [] : blocker.Waits)
            .Where(w => w.Share >= WorthNaming && w.Resource != blocker.Resource)
            .Select(w => (w.Share, Known: KnownResource.Of(blocker with { Resource = w.Resource }))).Where(w => w.Known.SaysMore)
            .Select(w => $"{Format.Percent(w.Share)} of them wait for {w.Known.Name}").ToArray();
        return others.Length == 0 ? null : string.Join(", ", others);
    }

    /// <summary>The sentence about the probable holder of a lock whose owner is unknown, by stacks; without a full stop.</summary>
    public static string ProbableHolder(ThreadActivity past) =>
        $"One thread in the same method does not wait for the lock and probably holds it: {past}";

    // The activity of the lock holder, described as a call, so that it is not mistaken for the path to the lock.
    static string WhileHolding(CallPath does)
    {
        var method = (does.IsLambda ? "a " : "") + does.Method;
        return does.Calls.IsEmpty ? $"the thread that holds the lock is in {method}"
            : $"{method} calls {string.Join(" > ", does.Calls)} while it holds the lock";
    }

    const string LessUnderLock = "Move code that does not need the lock out of the lock.";

    /// <summary>The place as part of a sentence: <c>a lambda in Orders.Run > Thread.Sleep</c>.</summary>
    public static string PlaceWithArticle(Blocker blocker) => $"{(blocker is { IsLambda: true, Route: null } ? "a " : "")}{Place(blocker)}";

    // The sentence about the probable lock holder, because what that thread does under the lock must change.
    static string Holder(Blocker blocker) =>
        blocker is { Owner: null, PastLock: { } past } ? $" {ProbableHolder(past)}. {LessUnderLock}" : "";
}
