using Tpwatch.Events.Facts;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Timeline;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>What was seen against what the fixture says of itself: workers over time, injections, waits. Pure; each difference in one sentence.</summary>
static class TruthCheck
{
    /// <summary>A new thread on a machine whose processors are all busy may take so long to its first item; twice as long as the gate's next look.</summary>
    const double StartsMs = 1000;

    /// <summary>An event and the item it lets begin are stamped on different threads.</summary>
    const double StampMs = 1;

    public static IEnumerable<string> Differences(ObservedRun run, ScenarioEntry entry)
    {
        if (run.Report.Verdict == Verdict.Undecided && entry.Expectation.Verdicts.Contains("undecided"))
        {
            // Little was seen, and that is what it says.
            return [];
        }

        var lanes = new TrueLanes(run.Truth);
        return
        [
            .. run.Report.Timeline.Quality is { Lost: 0, LossUnknown: false } ? [] : new[] { "events were lost" },
            .. run.Report.Evicted == 0 ? [] : new[] { "gaps were forgotten" },
            .. entry.Awaits ? [] : (IEnumerable<string>)[.. TooFewWorkers(run, lanes), .. Missed(run, lanes)],
            .. TooManyWorkers(run, entry is { WorkersTakeItems: true, Awaits: false } ? lanes : null),
            .. Invented(run, lanes),
            .. TooLong(run),
        ];
    }

    /// <summary>Workers that the pool may have for no item of the fixture's: for its own timers and the listener's, or added for nothing.</summary>
    const int Others = 3;

    /// <summary>At no time fewer workers than had an item.</summary>
    static IEnumerable<string> TooFewWorkers(ObservedRun run, TrueLanes lanes)
    {
        var buckets = run.Report.Timeline.Buckets;
        for (var index = buckets.FirstIndex; index < buckets.EndIndex; index++)
        {
            var middle = buckets.TimeOf(index).PlusMs(BucketSeries.BucketMs / 2.0);
            var busy = lanes.BusyAt(middle);
            // What a heartbeat says is some milliseconds old, and stands until the next event.
            if (buckets[index] is { Lost: false, WorkersMax: >= 0 } bucket && bucket.WorkersMax < busy)
            {
                yield return FormattableString.Invariant(
                    $"{middle.MsSince(buckets.Origin):0} ms after the start {bucket.WorkersMax} workers were seen, and {busy} had an item");
            }
        }
    }

    /// <summary>
    /// At no time more workers than the goals that were seen allow, nor (a second later) than had taken an item; of those that go on with an item that
    /// awaited, the record knows nothing.
    /// </summary>
    static IEnumerable<string> TooManyWorkers(ObservedRun run, TrueLanes? lanes)
    {
        var buckets = run.Report.Timeline.Buckets;
        var rises = Adjustments(run).ToArray();
        var (next, allowed) = (0, Beginning(run));
        for (var index = buckets.FirstIndex; index < buckets.EndIndex; index++)
        {
            var end = buckets.TimeOf(index + 1);
            for (; next < rises.Length && rises[next].End <= end; next++)
            {
                allowed = Math.Max(allowed, rises[next].GoalAfter ?? 0);
            }

            var most = Math.Min(allowed, lanes?.AppearedBy(end.PlusMs(StartsMs)) + Others ?? allowed);
            if (buckets[index] is { Lost: false } bucket && bucket.WorkersMin > most)
            {
                yield return FormattableString.Invariant($"{end.MsSince(buckets.Origin):0} ms after the start {bucket.WorkersMin} workers were seen, and there were {most} at most");
            }
        }
    }

    /// <summary>No injection missed: never did more workers have items than the goals that were seen allow.</summary>
    static IEnumerable<string> Missed(ObservedRun run, TrueLanes lanes)
    {
        var rises = Adjustments(run).ToArray();
        var (next, allowed) = (0, Beginning(run));
        foreach (var item in run.Truth.Starts())
        {
            var at = ObservedRun.At(item.Started!.Value);
            for (; next < rises.Length && rises[next].End <= at.PlusMs(StampMs); next++)
            {
                allowed = Math.Max(allowed, rises[next].GoalAfter ?? 0);
            }

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
        var injections = Adjustments(run).Where(g => g.Reason == AdjustmentReason.Starvation).ToArray();
        if (run.Report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation) != injections.Length)
        {
            yield return $"{injections.Length} injections have a gap, of {run.Report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation)} that were counted";
        }

        var end = ObservedRun.At(run.Truth.End.At);
        foreach (var (injection, next) in injections.Zip([.. injections.Skip(1).Select(g => (EventTime?)g.End), null]))
        {
            var until = EventTime.Max(next ?? injection.End, injection.End.PlusMs(StartsMs));
            if (until < end && lanes.WaitingAt(until) > 0 && lanes.StartsBetween(injection.End.PlusMs(-StampMs), until) == 0)
            {
                yield return $"nobody began after injection #{injection.Number}, and {lanes.WaitingAt(until)} items waited";
            }
        }
    }

    /// <summary>A proven wait is a lower bound: never longer than the longest true one.</summary>
    static IEnumerable<string> TooLong(ObservedRun run)
    {
        // What had not begun when the record was closed went on waiting until the process was gone.
        var end = Math.Max(run.Truth.End.At, run.Report.Timeline.Now.Nanoseconds);
        var longest = run.Truth.Items.Select(i => run.Truth.Ms(i.Enqueued, i.Started ?? end)).DefaultIfEmpty().Max();
        var proven = run.Report.Episodes.Select(e => e.ProvenWaitMs).DefaultIfEmpty().Max();
        if (proven > longest + StampMs)
        {
            yield return FormattableString.Invariant($"a wait of {proven:0} ms is called proven, and the longest was {longest:0} ms");
        }
    }

    /// <summary>The pool begins with as many as there are processors; a min below that takes none of them away.</summary>
    static int Beginning(ObservedRun run) => Math.Max(run.Truth.Header.MinWorkers, run.Truth.Header.Processors);

    static IEnumerable<Gap> Adjustments(ObservedRun run) => run.Report.Gaps.Where(g => g.Reason is not null).OrderBy(g => g.End);
}
