using Tpwatch.Events.Facts;
using Tpwatch.Explain.Gaps;
using Tpwatch.Timeline;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>What was seen against what the fixture says of itself: workers over time, injections, waits. Pure; each difference in one sentence.</summary>
static class TruthCheck
{
    /// <summary>A worker that is injected takes its item within this on a machine that lets it run.</summary>
    const double StartsMs = 50;

    /// <summary>An event and the item it lets begin are stamped on different threads.</summary>
    const double StampMs = 1;

    public static IEnumerable<string> Differences(ObservedRun run, bool awaits)
    {
        var lanes = new TrueLanes(run.Truth);
        return
        [
            .. run.Report.Timeline.Quality is { Lost: 0, LossUnknown: false } ? [] : new[] { "events were lost" },
            .. run.Report.Evicted == 0 ? [] : new[] { "gaps were forgotten" },
            .. awaits ? [] : (IEnumerable<string>)[.. TooFewWorkers(run, lanes), .. Missed(run, lanes)],
            .. Invented(run, lanes),
            .. TooLong(run),
        ];
    }

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

    /// <summary>No injection missed: never did more workers have items than the goals that were seen allow.</summary>
    static IEnumerable<string> Missed(ObservedRun run, TrueLanes lanes)
    {
        var rises = Adjustments(run).ToArray();
        var (next, allowed) = (0, run.Truth.Header.MinWorkers);
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

    /// <summary>No injection invented: after each the gate's worker takes an item, or none waits.</summary>
    static IEnumerable<string> Invented(ObservedRun run, TrueLanes lanes)
    {
        var injections = Adjustments(run).Where(g => g.Reason == AdjustmentReason.Starvation).ToArray();
        if (run.Report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation) != injections.Length)
        {
            yield return $"{injections.Length} injections have a gap, of {run.Report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation)} that were counted";
        }

        var end = ObservedRun.At(run.Truth.End.At);
        foreach (var injection in injections)
        {
            var until = injection.End.PlusMs(StartsMs + run.StolenMs(injection.End, injection.End.PlusMs(StartsMs)));
            if (until < end && lanes.WaitingAt(until) > 0 && lanes.StartsBetween(injection.End.PlusMs(-StampMs), until) == 0)
            {
                yield return $"nobody began after injection #{injection.Number}, and {lanes.WaitingAt(until)} items waited";
            }
        }
    }

    /// <summary>A proven wait is a lower bound: never longer than the longest true one.</summary>
    static IEnumerable<string> TooLong(ObservedRun run)
    {
        var longest = run.Truth.Items.Select(i => run.Truth.Ms(i.Enqueued, i.Started ?? run.Truth.End.At)).DefaultIfEmpty().Max();
        var proven = run.Report.Episodes.Select(e => e.ProvenWaitMs).DefaultIfEmpty().Max();
        if (proven > longest + StampMs)
        {
            yield return FormattableString.Invariant($"a wait of {proven:0} ms is called proven, and the longest was {longest:0} ms");
        }
    }

    static IEnumerable<Gap> Adjustments(ObservedRun run) => run.Report.Gaps.Where(g => g.Reason is not null).OrderBy(g => g.End);
}
