using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Where the end of a wait needs a worker, workers are held longer than the tasks take, by what the pool itself delays. At the end of a
/// burst nothing delays them any more, and it shows how long its items hold their workers. A worker sleeps only when no item is left, so
/// the last item was taken before the first of them slept, at most one step of the pool before; and it ended when the last of them slept.
/// Within that range the time is the one at which the sleeps follow the moments when workers were added, each of which took an item.
/// </summary>
static class TailOfBurst
{
    /// <summary>A sleep and a start belong together when they differ by so little from the time, milliseconds.</summary>
    const double SameMs = 6;

    /// <summary>Fewer sleeps that follow a start may do so by accident.</summary>
    const int Enough = 3;

    /// <summary>The items with that time, where the capture has such an end; else as they are.</summary>
    public static ItemsSeen WhereSeen(PoolReport report, ItemsSeen seen) =>
        double.IsPositiveInfinity(seen.Items[0].BlockMs) || HoldMs(report, seen) is not { } ms ? seen
            : seen with { Items = [.. seen.Items.Select(item => item with { BlockMs = ms })] };

    /// <summary>How long an item holds its worker, milliseconds; null when the capture has no such end or it shows nothing.</summary>
    static double? HoldMs(PoolReport report, ItemsSeen seen)
    {
        var waited = report.Timeline.Heartbeats.LastOrDefault(beat => beat.Backlog > 0)?.At;
        var slept = report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerDeed.Slept && m.At > waited).Select(m => m.At).ToArray();
        if (seen.Ended is not { } end || slept is not [var first, ..] || first >= end)
        {
            return null;
        }

        var least = end.MsSince(first) - SameMs;
        var added = Added(report).ToArray();
        var times = slept.SelectMany(at => added.Select(start => at.MsSince(start)))
            .Where(ms => ms >= least && ms < least + CooperativeSchedule.MaxMs).ToArray();
        var best = times.Select(ms => (Ms: ms, Follow: Follow(slept, added, ms))).OrderByDescending(t => t.Follow).FirstOrDefault();
        return best.Follow < Enough ? null : times.Where(ms => Math.Abs(ms - best.Ms) <= SameMs).Average();
    }

    static IEnumerable<EventTime> Added(PoolReport report) =>
        report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerDeed.Started).Select(m => m.At)
            .Concat(
                report.Gaps.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > g.GoalBefore).Select(g => g.End));

    // Several that sleep at once count once.
    static int Follow(EventTime[] slept, EventTime[] added, double ms) =>
        added.Count(start => slept.Any(at => Math.Abs(at.MsSince(start) - ms) <= SameMs));
}
