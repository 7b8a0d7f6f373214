using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Builds all sentences about a reading of a process's memory.</summary>
static class InsideWords
{
    /// <summary>Number of places of a lock cycle that are shown.</summary>
    const int ToldOfCycle = 4;

    /// <summary>Number of names of a wait's path that are shown; from a longer path the middle is left out.</summary>
    const int MostSteps = 6;

    /// <summary>
    /// One wait in words: <c>20 worker threads: Baskets.Total > Task.Result waits for PriceAsync > Task.Delay, due for 4.1 s: its callback
    /// waits for a worker thread</c>. It begins with "at least" if some worker threads ran during the reading.
    /// </summary>
    public static string Of(InsideWait wait, InsideReading reading) =>
        $"{(reading.MissesWorkers && wait.Workers > 0 ? "at least " : "")}{Threads(wait)}: {Blocks(wait)}"
            + $"{(IsKnown(wait) ? $" waits for {Awaited(wait)}" : " waits, for what is not known")}";

    /// <summary>
    /// Kinds of queued items, <c>2 500 async OrderImporter.ImportAsync, 2 500 Stock.Recount, 4 other kinds</c>; null when none was named.
    /// </summary>
    public static string? Kinds(InsideQueue queue, int most)
    {
        if (queue.Kinds.IsDefaultOrEmpty)
        {
            return null;
        }

        var others = queue.Kinds.Length - most;
        return string.Join(", ", queue.Kinds.Take(most).Select(Kind))
            + (others > 0 ? $", {Format.Plural(others, "other kind")}" : "")
            + (queue.Named < queue.Total ? $"; of {Format.Count(queue.Total)} items, {Format.Count(queue.Named)} were named" : "");
    }

    /// <summary>One kind of queued items, <c>2 500 async OrderImporter.ImportAsync</c>, with the number of items inside.</summary>
    public static string Kind(QueuedKind kind) => $"{Format.Count(kind.Items)} {kind.Name}"
        + (kind.Inside is { } inside ? $" ({Format.Count(inside)} inside)" : "");

    /// <summary>Where the items wait: <c>5 000 in the global queue, 12 in the queues of worker threads</c>.</summary>
    public static string Places(InsideQueue queue) => queue.Total == 0 ? "empty" : string.Join(", ", new[]
    {
        (queue.HighPriority, "that run first"), (queue.Global, "in the global queue"), (queue.Assignable, "in shared-out queues"),
        (queue.Local, "in the queues of worker threads"), (queue.LowPriority, "that run last"),
    }.Where(part => part.Item1 > 0).Select(part => $"{Format.Count(part.Item1)} {part.Item2}"));

    /// <summary>The limits in words: <c>MinThreads 8, MaxThreads 32 767; 40 worker threads run an item, 0 are idle</c>.</summary>
    public static string Of(InsideLimits limits) =>
        $"MinThreads {Format.Count(limits.MinThreads)}, MaxThreads {Format.Count(limits.MaxThreads)}; "
        + $"{Format.Plural(limits.Working, "worker thread")} run{(limits.Working == 1 ? "s" : "")} an item, "
        + $"{Format.Count(limits.Idle)} {(limits.Idle == 1 ? "is" : "are")} idle";

    /// <summary>An unknown part and the reason: <c>owners of locks: the table of locks is of another version</c>.</summary>
    public static string Of(InsideUnknown unknown) => $"{Part(unknown.Part)}: {unknown.Why.TrimEnd('.')}";

    /// <summary>How the memory was read, <c>in 38 ms without a pause</c>, and what is missing: the stacks of threads that ran.</summary>
    public static string Taken(InsideReading reading) => $"in {Format.Duration(reading.Ms)} without a pause; "
        + $"{Format.Plural(reading.Threads, "managed thread")}"
        + (reading.Running > 0
            ? $". Of these, {Format.Count(reading.Running)} ran, so "
                + $"{(reading.Running == 1 ? "its stack is" : "their stacks are")} not known"
            : "");

    /// <summary>
    /// The sentence that worker threads wait for items that are themselves in the queue, by name; null when that is not proven for half of
    /// them.
    /// </summary>
    public static string? Cycle(PoolReport report)
    {
        if (report.Inside is not { } reading || !InsideOutlook.IsForQueue(reading))
        {
            return null;
        }

        var (count, first) = (InsideOutlook.ForQueue(reading), reading.Waits.Where(w => w.NeedsWorker()).MaxBy(w => w.Workers)!);
        var path = string.Join(" > ", Path(first));
        return $"{Format.Plural(count, "worker thread")} wait{(count == 1 ? "s" : "")} for what is itself in the queue: "
            + $"{Blocks(first)} waits for {(path.Length > 0 ? path : "a task")}. "
            + "That task needs a worker thread to go on. This is a deadlock on queued items: it ends only if the pool adds threads.";
    }

    /// <summary>The sentence about threads that wait for each other's locks, and where.</summary>
    public static string Of(LockCycle cycle) => $"{Format.Plural(cycle.Threads.Length, "thread")} wait for each other's locks: "
        + $"{string.Join("; ", cycle.Places.Distinct().Take(ToldOfCycle))}. They do not continue by themselves.";

    static string Threads(InsideWait wait) =>
        Format.Plural(wait.Threads, wait.Workers == wait.Threads ? "worker thread" : "thread")
        + (wait.Workers > 0 && wait.Workers < wait.Threads ? $" ({Format.Count(wait.Workers)} of the pool)" : "");

    static string Blocks(InsideWait wait) => string.Join(" > ", new[] { wait.Frame, wait.Call }.Where(name => name.Length > 0));

    static bool IsKnown(InsideWait wait) => wait.End != WaitEnd.Unknown || !wait.Chain.IsDefaultOrEmpty;

    static ImmutableArray<string> Path(InsideWait wait) => wait.Chain.IsDefault ? []
        : wait.Chain.Length <= MostSteps ? wait.Chain
        : [.. wait.Chain[..(MostSteps / 2)], "...", .. wait.Chain[^(MostSteps / 2)..]];

    // The last name often says what is awaited, as SemaphoreSlim.WaitAsync, Socket and ChannelReader do; this adds what will end the wait.
    static string Awaited(InsideWait wait)
    {
        var path = string.Join(" > ", Path(wait));
        var (alone, behind) = End(wait);
        return path.Length == 0 ? alone : path + behind;
    }

    static (string Alone, string Behind) End(InsideWait wait) => wait.End switch
    {
        WaitEnd.InQueue => ("a task that is ready: its continuation waits for a worker thread",
            ", ready: its continuation waits for a worker thread"),
        WaitEnd.DueTimer => ("a timer" + Due(wait), Due(wait)),
        WaitEnd.Timer => ("a timer that is not due yet", ", not due yet"),
        WaitEnd.Semaphore => ("a semaphore", ""),
        WaitEnd.Socket => ("a socket", ""),
        WaitEnd.Promise => ("a task that no code has completed yet", ", which no code has completed yet"),
        WaitEnd.Channel => ("a channel", ""),
        WaitEnd.Running => ("code that runs now", ", which runs now"),
        WaitEnd.Lock => ("a lock" + Held(wait), Held(wait) is { Length: > 0 } held ? held : ", a lock"),
        WaitEnd.Mutex => ("a mutex", ", a mutex"),
        WaitEnd.Several => ("several tasks", ""),
        WaitEnd.Sleep => ("the end of a sleep", ", a sleep"),
        _ => ("a task", ""),
    };

    static string Due(InsideWait wait) =>
        $", due{(wait.DueMs is { } ms ? $" for {Format.Duration(ms)}" : "")}: its callback waits for a worker thread";

    static string Held(InsideWait wait) => wait.Owner is { } owner ? $", held by {owner}" : "";

    static string Part(InsidePart part) => part switch
    {
        InsidePart.Limits => "limits",
        InsidePart.Queue => "queue",
        InsidePart.Stacks => "stacks",
        InsidePart.Waits => "what threads wait for",
        InsidePart.Locks => "owners of locks",
        _ => "memory of the process",
    };
}
