using Tpwatch.Basics;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>
/// Which verdict holds for a run, from the fixture's own record and from what its items do: never from what a tool said. Several are right only
/// where the record itself lies on a border.
/// </summary>
internal static class TrueVerdict
{
    /// <summary>A capture shorter than this may say that it cannot answer, milliseconds; the border is a third wide.</summary>
    const double ShortMs = 2_000;

    /// <summary>Counters come once a second: a wait that ends so near to the second's limit may be seen as either, milliseconds.</summary>
    const double BorderMs = 400;

    /// <summary>Within this after a start the gate's condition (nothing dequeued for more than 500 ms) cannot hold, milliseconds.</summary>
    const double GateMs = 500;

    /// <summary>Items that end by timers that are due together let others begin within this, milliseconds: one moment to the gate.</summary>
    const double OneMomentMs = 10;

    /// <summary>From this share of the time on a process that did not run is the cause of what is late.</summary>
    const double MuchShare = 0.2;

    /// <param name="truth">What the run was.</param>
    /// <param name="work">What its items do.</param>
    /// <param name="from">When somebody began to look.</param>
    /// <returns>Verdicts as in the JSON report.</returns>
    public static ImmutableArray<string> Of(RunTruth truth, ItemWork work, EventTime from)
    {
        var seenMs = ObservedRun.At(truth.End.At).MsSince(from);
        var verdicts = Waited(truth, work, from).ToHashSet(StringComparer.Ordinal);
        return seenMs < ShortMs * 4 / 3 ? [.. verdicts, "undecided"] : [.. verdicts];
    }

    static IEnumerable<string> Waited(RunTruth truth, ItemWork work, EventTime from)
    {
        var longest = TrueWaits.Seen(truth, from).DefaultIfEmpty().Max();
        if (longest < TrueWaits.LongMs + BorderMs)
        {
            foreach (var verdict in WithoutWaits(truth, work, from))
            {
                yield return verdict;
            }
        }

        if (longest < TrueWaits.LongMs - BorderMs)
        {
            yield break;
        }

        var stretches = TrueWaits.Stretches(truth, from, Math.Min(longest, TrueWaits.LongMs));
        var end = ObservedRun.At(truth.End.At);
        var lasting = stretches.Where(stretch => end.MsSince(stretch.To) < TrueWaits.LongMs).ToArray();
        foreach (var verdict in Kinds(truth, work, lasting.Length > 0 ? lasting[^1] : stretches.MaxBy(stretch => stretch.Ms)))
        {
            yield return verdict;
        }

        if (!IsProvable(truth, stretches))
        {
            yield return "undecided";
        }
    }

    static string[] WithoutWaits(RunTruth truth, ItemWork work, EventTime from)
    {
        var end = ObservedRun.At(truth.End.At);
        var stood = TrueStandstill.MsWithin(truth, from, end) / end.MsSince(from) >= MuchShare || TrueStandstill.LongestMs(truth, from, end) >= TrueWaits.LongMs;
        var beyond = truth.Appearances().Length > Math.Max(truth.Header.MinWorkers, truth.Header.Processors);
        return stood && work != ItemWork.None ? ["notThePool"]
            : work != ItemWork.WaitForTasks ? ["healthy"]
            // The pool may raise its goal for task waits though min gives every item a worker: then none comes.
            : beyond ? ["compensated"] : ["healthy", "compensated"];
    }

    static IEnumerable<string> Kinds(RunTruth truth, ItemWork work, EventSpan stretch) =>
        TrueStandstill.MsWithin(truth, stretch.From, stretch.To) > stretch.Ms / 2 ? ["notThePool"]
        : work == ItemWork.Compute ? ["saturated"]
        : new[] { GateMs, GateMs + OneMomentMs }.Select(pauseMs => WasDetected(truth, work, stretch, pauseMs) ? "starved" : "silentlyStarved");

    /// <summary>
    /// Whether the pool noticed: it added a worker for task waits, or after a time in which nothing had been taken for as long as the gate's rule asks.
    /// </summary>
    static bool WasDetected(RunTruth truth, ItemWork work, EventSpan stretch, double pauseMs)
    {
        var starts = truth.Starts().Select(item => ObservedRun.At(item.Started!.Value)).ToArray();
        var from = stretch.From.PlusMs(ObservedRun.SwitchedOnMs);
        var workers = truth.Appearances().Select(item => ObservedRun.At(item.Started!.Value)).Where(at => at > from && at <= stretch.To);
        return workers.Any(at => work == ItemWork.WaitForTasks || IsAfterPause(starts, at, pauseMs));
    }

    static bool IsAfterPause(EventTime[] starts, EventTime at, double pauseMs)
    {
        var before = starts.Where(start => at.MsSince(start) > OneMomentMs).ToArray();
        return before.Length > 0 && at.MsSince(before[^1]) > pauseMs;
    }

    /// <summary>
    /// Whether counters can prove that something waited for long: never less than a worker's item each may have been taken between two readings,
    /// so a queue no longer than the number of workers proves nothing.
    /// </summary>
    static bool IsProvable(RunTruth truth, ImmutableArray<EventSpan> stretches) => truth.Pool.IsEmpty || truth.Pool.Any(seen =>
        seen.Pending > seen.Threads && stretches.Any(stretch => stretch.From <= ObservedRun.At(seen.At) && ObservedRun.At(seen.At) <= stretch.To));
}
