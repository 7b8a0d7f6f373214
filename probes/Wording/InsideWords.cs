using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds texts about a memory reading: the waits of threads, and the queues and limits of the pool.</summary>
static class InsideWords
{
    /// <summary>Maximum number of places of a lock cycle that are shown.</summary>
    const int MostPlaces = 4;

    /// <summary>
    /// Returns one wait in words: <c>20 worker threads: Baskets.Total > Task.Result waits for PriceAsync > Task.Delay, due for 4.1 s: its
    /// callback waits for a worker thread</c>. "At least" comes first if other worker threads ran, whose stacks are unknown.
    /// </summary>
    public static string Of(InsideWait wait, InsideReading reading) =>
        $"{(reading.MissesWorkers && wait.Workers > 0 ? "at least " : "")}{Threads(wait)}: {wait.Place}"
            + $"{(IsKnown(wait) ? $" waits for {Awaited(wait)}" : " waits, for what is not known")}";

    /// <summary>Returns the kinds of queued items, <c>2 500 Stock.Recount, 4 other kinds</c>; null if no item has a name.</summary>
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

    /// <summary>Returns a kind of queued items, <c>2 500 Stock.Recount</c>, and how many entries these items contain.</summary>
    public static string Kind(QueuedKind kind) => $"{Format.Count(kind.Items)} {kind.Name}"
        + (kind.Inside is { } inside ? $" ({Format.Count(inside)} inside)" : "");

    /// <summary>Returns the queues in which items wait: <c>5 000 in the global queue, 12 in the queues of worker threads</c>.</summary>
    public static string Places(InsideQueue queue) => queue.Total == 0 ? "empty" : string.Join(", ", new[]
    {
        (queue.HighPriority, "that run first"), (queue.Global, "in the global queue"), (queue.Assignable, "in shared-out queues"),
        (queue.Local, "in the queues of worker threads"), (queue.LowPriority, "that run last"),
    }.Where(part => part.Item1 > 0).Select(part => $"{Format.Count(part.Item1)} {part.Item2}"));

    /// <summary>Returns the limits in words: <c>MinThreads 8, MaxThreads 32 767; 40 worker threads run an item, 0 are idle</c>.</summary>
    public static string Of(InsideLimits limits) =>
        $"MinThreads {Format.Count(limits.MinThreads)}, MaxThreads {Format.Count(limits.MaxThreads)}; "
        + $"{Format.Plural(limits.Working, "worker thread")} run{(limits.Working == 1 ? "s" : "")} an item, "
        + $"{Format.Count(limits.Idle)} {(limits.Idle == 1 ? "is" : "are")} idle";

    /// <summary>The sentence about threads that wait for each other's locks, with the places where they wait.</summary>
    public static string Of(LockCycle cycle) => $"{Format.Plural(cycle.Threads.Length, "thread")} wait for each other's locks: "
        + $"{string.Join("; ", cycle.Places.Distinct().Take(MostPlaces))}. They do not continue by themselves.";

    /// <summary>Returns what is not known, and why: <c>owners of locks: the table of locks is of another version</c>.</summary>
    public static string Of(InsideUnknown unknown) => $"{Part(unknown.Part)}: {unknown.Why.TrimEnd('.')}";

    /// <summary>Returns how the memory was read, <c>in 38 ms without a pause; 24 managed threads</c>, and how many threads ran.</summary>
    public static string Taken(InsideReading reading) => $"in {Format.Duration(reading.Ms)} without a pause; "
        + $"{Format.Plural(reading.Threads, "managed thread")}"
        + (reading.Running > 0
            ? $". Of these, {Format.Count(reading.Running)} ran, so "
                + $"{(reading.Running == 1 ? "its stack is" : "their stacks are")} not known"
            : "");

    static string Threads(InsideWait wait) =>
        Format.Plural(wait.Threads, wait.Workers == wait.Threads ? "worker thread" : "thread")
        + (wait.Workers > 0 && wait.Workers < wait.Threads ? $" ({Format.Count(wait.Workers)} of the pool)" : "");

    static bool IsKnown(InsideWait wait) => wait.End != WaitEnd.Unknown || !wait.Chain.IsDefaultOrEmpty;

    // Returns what threads wait for: names such as SemaphoreSlim.WaitAsync or ChannelReader, then the state of the awaited operation.
    static string Awaited(InsideWait wait)
    {
        var (alone, behind) = End(wait);
        return wait.Path.Length == 0 ? alone : wait.Path + behind;
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

/// <summary>The verdict on one memory reading. One moment shows no rate and no duration, so the verdict is often undecided.</summary>
/// <param name="Verdict">The verdict; undecided if one moment does not suffice.</param>
/// <param name="Sentence">The result, and what a single moment does not show.</param>
sealed record InsideJudgement(Verdict Verdict, string Sentence)
{
    const string Before = "One moment does not tell what came before.";

    const string Long = "One moment does not tell for how long.";

    public static InsideJudgement Of(InsideReading reading) => OfPool(reading) is var pool && reading.Deadlock is { } cycle
        ? pool with { Sentence = $"{InsideWords.Of(cycle)} {pool.Sentence}" } : pool;

    static InsideJudgement OfPool(InsideReading reading)
    {
        var blocked = reading.BlockedWorkers;
        if (reading.Queue is not { } queue)
        {
            return new(Verdict.Undecided, $"{Threads(blocked)} blocked. What waits in the queue is not known.");
        }

        var (items, stopped, all) = (Format.Plural(queue.Total, "work item"), Threads(blocked), Threads(blocked, "all "));
        var working = Math.Max(reading.Limits?.Working ?? 0, blocked);
        var most = reading.Limits?.MaxThreads ?? int.MaxValue;
        return (queue.Total, blocked) switch
        {
            (0, 0) => new(Verdict.Healthy, $"No work item waited, and no worker thread was blocked. {Before}"),
            (0, _) => new(Verdict.Undecided, $"No work item waited, and {stopped} blocked. {Long}"),
            _ when working == 0 => new(Verdict.Undecided, $"{items} waited, and no worker thread worked. {Long}"),
            _ when blocked < working => new(
                Verdict.Undecided, $"{items} waited. {stopped} blocked, {Format.Count(working - blocked)} worked. {Long}"),
            _ when InsideConclusion.IsForQueue(reading) => new(
                Verdict.Starved, $"{items} waited, and {all} blocked on tasks that need a worker thread themselves."),
            _ when working >= most => new(
                Verdict.StarvedAtMax, $"{items} waited, {all} blocked, and MaxThreads ({Format.Count(most)}) allows no more."),
            _ => new(Verdict.Starved, $"{items} waited, and {all} blocked."),
        };
    }

    static string Threads(int count, string all = "") =>
        $"{(count == 1 ? "" : all)}{Format.Plural(count, "worker thread")} {(count == 1 ? "was" : "were")}";
}
