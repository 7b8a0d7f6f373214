using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Checks;

/// <summary>
/// What was seen against what the fixture says of itself: workers over time, injections, gaps,
/// proven waits. Each difference in one sentence.
/// </summary>
static class TruthCheck
{
    /// <summary>
    /// A new thread on a machine whose processors are all busy may take so long to its first item; twice as long as the gate's next look.
    /// </summary>
    const double StartsMs = 1000;

    /// <summary>The pool's API is asked every 100 ms; a loaded machine lets the one that asks wait, and an event come later.</summary>
    const double SaidMs = 500;

    /// <summary>From the reading of a counter to the event that carries it; a loaded machine takes so long between the two.</summary>
    const double ReadMs = 100;

    /// <summary>The same of the first one, before which the target compiles what reads them.</summary>
    const double FirstReadMs = 1000;

    /// <summary>An event and the item it lets begin are stamped on different threads.</summary>
    const double StampMs = 1;

    /// <summary>
    /// Workers that were there for no item of the fixture's before anybody looked: for its own timers and the listener's.
    /// </summary>
    const int Others = 3;

    public static ImmutableArray<string> Differences(ObservedRun run, ScenarioRow row)
    {
        var lanes = new TrueLanes(run.Truth);
        var goals = new SeenGoals(run, lanes);
        return
        [
            .. run.Report.Timeline.Quality is { Lost: 0, LossUnknown: false } ? [] : new[] { "events were lost" },
            .. run.Report.Evicted == 0 ? [] : new[] { "gaps were forgotten" },
            .. row.Awaits ? [] : (IEnumerable<string>)[.. TooFewWorkers(run, lanes), .. Missed(run, lanes, goals)],
            .. TooManyWorkers(run, goals),
            .. Invented(run, lanes),
            .. TooLong(run),
            .. row.WorkersTakeItems ? GapCheck.Differences(run) : [],
        ];
    }

    /// <summary>At no time fewer workers than had an item.</summary>
    static IEnumerable<string> TooFewWorkers(ObservedRun run, TrueLanes lanes)
    {
        foreach (var (bucket, middle, origin) in Buckets(run))
        {
            var busy = Math.Min(lanes.BusyAt(middle), BusyWhenRead(run, bucket, middle, lanes) ?? int.MaxValue);
            if (bucket is { WorkersMax: >= 0 } && bucket.WorkersMax < busy)
            {
                yield return $"{middle.MsSince(origin):0} ms after the start {bucket.WorkersMax} workers were seen, and {busy} had an item";
            }
        }
    }

    /// <summary>
    /// What a heartbeat says was read before it was sent, and stands until the next event: how many were
    /// busy then; null where an event has spoken since.
    /// </summary>
    static int? BusyWhenRead(ObservedRun run, Bucket bucket, EventTime middle, TrueLanes lanes) =>
        run.Report.Timeline.CounterSamples.LastOrDefault(sample => sample.At <= middle) is { Workers: { } workers } last
        && workers == bucket.WorkersMax
            ? lanes.BusyAt(last.At.PlusMs(last == run.Report.Timeline.CounterSamples[0] ? -FirstReadMs : -ReadMs))
            : null;

    /// <summary>
    /// At no time more workers than the goals that were seen allow, nor than the pool's own API said around that time.
    /// </summary>
    static IEnumerable<string> TooManyWorkers(ObservedRun run, SeenGoals goals)
    {
        foreach (var (bucket, middle, origin) in Buckets(run))
        {
            var end = middle.PlusMs(BucketSeries.BucketMs / 2.0);
            // Workers that were there for other work before anybody looked are nobody's invention.
            var allowed = goals.MostBy(end) + (run.IsLate ? Others : 0);
            var most = Math.Min(allowed, SaidAround(run, middle) ?? allowed);
            if (bucket.WorkersMin > most)
            {
                yield return $"{end.MsSince(origin):0} ms after the start {bucket.WorkersMin} workers were seen, and there "
                        + $"were {most} at most (goals allow {allowed})";
            }
        }
    }

    /// <summary>
    /// Most workers by the pool's own API around a moment, up to the next reading, however long it took; null where none came any more.
    /// </summary>
    static int? SaidAround(ObservedRun run, EventTime middle)
    {
        var after = run.Truth.Pool.FirstOrDefault(seen => ObservedRun.At(seen.At).MsSince(middle) >= SaidMs);
        return run.Truth.Pool.Where(seen => seen.At <= after?.At && ObservedRun.At(seen.At).MsSince(middle) >= -SaidMs)
            .Select(seen => (int?)seen.Threads).Max();
    }

    /// <summary>No injection missed: never did more workers have items than the goals that were seen allow.</summary>
    static IEnumerable<string> Missed(ObservedRun run, TrueLanes lanes, SeenGoals goals)
    {
        foreach (var item in run.Truth.Starts().Where(item => ObservedRun.At(item.Started!.Value) >= run.From))
        {
            var at = ObservedRun.At(item.Started!.Value);
            var allowed = goals.MostBy(at.PlusMs(StampMs));
            if (lanes.BusyAt(at) > allowed)
            {
                yield return $"item {item.Id} was the {lanes.BusyAt(at)}th at once, and the goals that were seen allow {allowed}";
                yield break;
            }
        }
    }

    /// <summary>No injection invented: before the next one the gate's worker takes an item, or none waits.</summary>
    static IEnumerable<string> Invented(ObservedRun run, TrueLanes lanes)
    {
        var injections = run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation).OrderBy(g => g.End).ToArray();
        if (run.Report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation) != injections.Length)
        {
            yield return $"{injections.Length} injections have a gap, "
                + $"of {run.Report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation)} that were counted";
        }

        foreach (var (injection, next) in injections.Zip([.. injections.Skip(1).Select(g => (EventTime?)g.End), null]))
        {
            var until = EventTime.Max(next ?? injection.End, injection.End.PlusMs(StartsMs));
            if (until < run.To && lanes.WaitingAt(until) > 0 && lanes.StartsBetween(injection.End.PlusMs(-StampMs), until) == 0)
            {
                yield return $"nobody began after injection #{injection.Number}, and {lanes.WaitingAt(until)} items waited";
            }
        }
    }

    /// <summary>A proven wait is a lower bound: never longer than any item had waited when its episode ended.</summary>
    static IEnumerable<string> TooLong(ObservedRun run) =>
        from episode in run.Report.Episodes
        // What had not begun when the record was closed went on waiting until the process was gone.
        let longest = run.Truth.Items.Where(i => ObservedRun.At(i.Enqueued) < episode.Span.To)
            .Select(i => Waited(i, episode.Span.To)).DefaultIfEmpty().Max()
        where episode.ProvenWaitMs > longest + StampMs
        select $"a wait of {episode.ProvenWaitMs:0} ms is called proven, and the longest by then was {longest:0} ms";

    static double Waited(TruthItem item, EventTime until)
    {
        var started = item.Started is { } at && ObservedRun.At(at) < until ? ObservedRun.At(at) : until;
        return started.MsSince(ObservedRun.At(item.Enqueued));
    }

    static IEnumerable<(Bucket Bucket, EventTime Middle, EventTime Origin)> Buckets(ObservedRun run)
    {
        var buckets = run.Report.Timeline.Buckets;
        for (var index = buckets.FirstIndex; index < buckets.EndIndex; index++)
        {
            if (buckets[index] is { Lost: false } bucket)
            {
                yield return (bucket, buckets.TimeOf(index).PlusMs(BucketSeries.BucketMs / 2.0), buckets.Origin);
            }
        }
    }
}

/// <summary>
/// The length of a wait for a worker, as the ledger tells it, against the time between the first items of the two workers that came: where
/// each of two injections in a row gave an item its first worker, the two differ only by how long the threads took to start.
/// </summary>
static class GapCheck
{
    /// <summary>
    /// From the adjustment to the first line of an item: half a millisecond on an idle machine, and a new thread has to be scheduled.
    /// </summary>
    const double StartsMs = 10;

    /// <summary>A worker that appears so long after an injection is not its.</summary>
    const double OwnMs = 250;

    public static IEnumerable<string> Differences(ObservedRun run)
    {
        var injections = run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation).OrderBy(g => g.End).ToArray();
        var first = run.Truth.Appearances().ToArray();
        foreach (var (before, delay) in injections.Zip(injections.Skip(1)))
        {
            if (delay is { ObservedMs: { } observed, StartBasis: Basis.Observed }
                && Own(first, before.End) is { } from && Own(first, delay.End) is { } to
                && Math.Abs(delay.Start!.Value.MsSince(before.End)) < OwnMs && Off(run.Truth, observed, (from, to)) is { } off)
            {
                yield return $"gap #{delay.Number} is told as {observed:0.0} ms, and its two workers began {off:0.0} ms apart";
            }
        }
    }

    // What the fixture says that the machine took: from the process as a whole, and from the two new threads alone.
    static double? Off(RunTruth truth, double observed, (TruthItem From, TruthItem To) workers)
    {
        var (from, to) = (At(workers.From), At(workers.To));
        var stolen = TrueStandstill.MsWithin(truth, from.PlusMs(-OwnMs), to) + (workers.From.ReadyMs ?? 0) + (workers.To.ReadyMs ?? 0);
        return Math.Abs(observed - to.MsSince(from)) > StartsMs + stolen ? to.MsSince(from) : null;
    }

    static TruthItem? Own(TruthItem[] first, EventTime injected) =>
        first.FirstOrDefault(item => At(item) >= injected) is { } own && At(own).MsSince(injected) <= OwnMs ? own : null;

    static EventTime At(TruthItem item) => ObservedRun.At(item.Started!.Value);
}

/// <summary>The most workers that the rises of the goal that were seen allow, over time.</summary>
sealed class SeenGoals
{
    /// <summary>The fixture asks the pool ten times a second, milliseconds.</summary>
    const double PollMs = 150;

    /// <summary>Later than this after it was asked for no session begins, milliseconds.</summary>
    const double LatestMs = 1000;

    readonly ImmutableArray<(EventTime At, int Most)> rises;
    readonly int beginning;

    public SeenGoals(ObservedRun run, TrueLanes lanes)
    {
        // The pool begins with as many as there are processors; a min below that takes none of them away.
        // Who attaches late finds those that are there.
        var header = run.Truth.Header;
        beginning = Math.Max(
            Math.Max(header.MinWorkers, header.Processors), run.IsLate ? lanes.AppearedBy(SwitchedOn(run)) : 0);
        var most = beginning;
        var builder = ImmutableArray.CreateBuilder<(EventTime, int)>();
        // A call that sets min raises the goal and sends no adjustment; the pool's own API tells of it up to a tenth of a second late.
        var calls = run.Truth.Pool.Select(seen => (At: ObservedRun.At(seen.At).PlusMs(-PollMs), TargetThreads: seen.Min));
        var seen = run.Report.InjectionDelays.Where(g => g.Reason is not null)
            .Select(g => (At: g.End, TargetThreads: g.TargetThreadsAfter ?? 0));
        foreach (var (at, targetThreads) in calls.Concat(seen).OrderBy(rise => rise.At))
        {
            most = Math.Max(most, targetThreads);
            builder.Add((at, most));
        }

        rises = builder.ToImmutable();
    }

    // On a crowded machine a session takes its time to begin; its first event shows that it has.
    static EventTime SwitchedOn(ObservedRun run)
    {
        var (soon, late) = (run.From.PlusMs(ObservedRun.SwitchedOnMs), run.From.PlusMs(LatestMs));
        return run.Report.InjectionDelays.FirstOrDefault(g => g.Reason is not null) is { } first && first.End > soon
            ? first.End < late ? first.End : late
            : soon;
    }

    /// <summary>The highest goal up to a moment.</summary>
    public int MostBy(EventTime at)
    {
        var (low, high) = (0, rises.Length);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = rises[middle].At <= at ? (middle + 1, high) : (low, middle);
        }

        return low == 0 ? beginning : rises[low - 1].Most;
    }
}
