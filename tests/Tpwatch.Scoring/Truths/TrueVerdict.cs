using Tpwatch.Core;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>
/// Which verdict holds for a run, from the fixture's own record and from what its items do: never from what a tool said. Several are right
/// only where the record itself lies on a border.
/// </summary>
static class TrueVerdict
{
    /// <summary>A capture shorter than this may say that it cannot answer, milliseconds; the border is a third wide.</summary>
    const double ShortMs = 2_000;

    /// <summary>Counters come once a second: a wait that ends so near to the second's limit may be seen as either, milliseconds.</summary>
    const double BorderMs = 400;

    /// <summary>Within this after a start the gate's condition (nothing dequeued for more than 500 ms) cannot hold, milliseconds.</summary>
    const double GateMs = 500;

    /// <summary>
    /// Items that end by timers that are due together let others begin within this, milliseconds: one moment to the gate.
    /// </summary>
    const double OneMomentMs = 10;

    /// <summary>A wait of a second at max, and the two heartbeats that see it, milliseconds.</summary>
    const double AtMaxMs = TrueWaits.LongMs + 2 * 1_000 + BorderMs;

    /// <summary>Three seconds without anything, by which a wedge is told, and heartbeats to see it, milliseconds.</summary>
    const double WedgedMs = 6_000;

    /// <summary>From here on a run is long beside a stop of a second, milliseconds.</summary>
    const double LongRunMs = 20_000;

    /// <summary>So long nothing ends where work hangs, milliseconds.</summary>
    const double HangMs = 5_000;

    /// <summary>What ends between the last heartbeat and the end nobody sees, milliseconds.</summary>
    const double LastBeatMs = 1_000 + BorderMs;

    static readonly string[] Either = ["held", "healthy", "compensated", "undecided"];

    /// <summary>An idle worker ends after this, milliseconds.</summary>
    const double IdleTimeoutMs = 21_000;

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
        if (Hangs(truth, from) is ["held"])
        {
            yield return "held";
            yield break;
        }

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
        var much = TrueStandstill.MsWithin(truth, from, end) / end.MsSince(from) >= MuchShare;
        var stood = much || TrueStandstill.LongestMs(truth, from, end) >= TrueWaits.LongMs;
        var beyond = truth.Appearances().Length > Math.Max(truth.Header.MinWorkers, truth.Header.Processors);
        // A stop of a second in a long run is told or not by how long ago it was.
        return stood && work != ItemWork.None ? much || end.MsSince(from) < LongRunMs ? ["notThePool"] : ["notThePool", "healthy"]
            : Hangs(truth, from) is { } hangs ? hangs
            : work != ItemWork.WaitForTasks ? ["healthy"]
            // The pool may raise its goal for task waits though min gives every item a worker: then none comes.
            : beyond ? ["compensated"] : ["healthy", "compensated"];
    }

    /// <summary>
    /// Whether as many items as processors or more run to the end and none ends any more, though none waits; null where they do not. Who
    /// attached late knows of idle workers only when their time-out has passed.
    /// </summary>
    static string[]? Hangs(RunTruth truth, EventTime from)
    {
        return Hangs(truth, from, ObservedRun.At(truth.End.At))
            ?? (Hangs(truth, from, ObservedRun.At(truth.End.At).PlusMs(-LastBeatMs)) is null ? null : Either);
    }

    static string[]? Hangs(RunTruth truth, EventTime from, EventTime end)
    {
        var lanes = new TrueLanes(truth);
        var last = truth.Items.SelectMany(i => new[] { i.Started, i.Ended }).OfType<long>()
            .Where(at => ObservedRun.At(at) <= end).DefaultIfEmpty(truth.Header.Anchor.Stopwatch).Max();
        var quietMs = end.MsSince(EventTime.Max(from, ObservedRun.At(last)));
        var seesAll = truth.Items.Length > 0 && from < ObservedRun.At(truth.Items.Min(i => i.Enqueued))
            || end.MsSince(from) > IdleTimeoutMs + HangMs;
        return lanes.BusyAt(end) < truth.Header.Processors || lanes.WaitingAt(end) > 0 || quietMs < HangMs ? null
            : quietMs > HangMs + 2 * 1_000 && seesAll ? ["held"] : Either;
    }

    static IEnumerable<string> Kinds(RunTruth truth, ItemWork work, EventSpan stretch) =>
        TrueStandstill.MsWithin(truth, stretch.From, stretch.To) > stretch.Ms / 2 ? ["notThePool"]
        : work == ItemWork.Compute ? ["saturated"]
        : IsWedged(truth, stretch) ? ["wedged"]
        : AtMax(truth, stretch) is { } certain && certain ? ["starvedAtMax"]
        : [
            .. AtMax(truth, stretch) is null ? new[] { "starvedAtMax" } : [],
            .. new[]
            {
                GateMs,
                GateMs + OneMomentMs,
            }.Select(pauseMs => WasDetected(truth, work, stretch, pauseMs) ? "starved" : "silentlyStarved"),
        ];

    /// <summary>
    /// Whether as many workers as max had come well before the stretch ended, and for so long nothing was taken that ticks of the gate show
    /// it; null where that lies on a border, or only who knows max from elsewhere can tell.
    /// </summary>
    static bool? AtMax(RunTruth truth, EventSpan stretch)
    {
        var lanes = new TrueLanes(truth);
        var (from, max) = (stretch.To.PlusMs(-AtMaxMs), MaxAt(truth, stretch.To));
        return lanes.AppearedBy(from) >= max && lanes.StartsBetween(from, stretch.To) == 0 ? true
            : lanes.AppearedBy(stretch.To) >= max ? null
            : false;
    }

    /// <summary>What the pool's own API said of max.</summary>
    static int MaxAt(RunTruth truth, EventTime at) =>
        truth.Pool.LastOrDefault(seen => ObservedRun.At(seen.At) <= at)?.Max ?? truth.Header.MaxWorkers;

    /// <summary>Whether items wait while no worker holds one, and no call has taken all workers away: nobody comes for them.</summary>
    static bool IsWedged(RunTruth truth, EventSpan stretch)
    {
        var lanes = new TrueLanes(truth);
        var middle = stretch.From.PlusMs(stretch.Ms / 2);
        return stretch.Ms >= WedgedMs && lanes.WaitingAt(middle) > 0
            && lanes.BusyAt(middle) == 0 && lanes.StartsBetween(middle, stretch.To) == 0;
    }

    /// <summary>
    /// Whether the pool noticed: it added a worker for task waits, or after a time in which nothing had
    /// been taken for as long as the gate's rule asks.
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
    /// Whether counters can prove that something waited for long: never less than a worker's item each may have been taken between two
    /// readings, so a queue no longer than the number of workers proves nothing.
    /// </summary>
    static bool IsProvable(RunTruth truth, ImmutableArray<EventSpan> stretches) => truth.Pool.IsEmpty || truth.Pool.Any(seen =>
        seen.Pending > seen.Threads
        && stretches.Any(stretch => stretch.From <= ObservedRun.At(seen.At) && ObservedRun.At(seen.At) <= stretch.To));
}
