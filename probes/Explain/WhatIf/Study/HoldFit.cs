using Tpwatch.Timeline;

namespace Tpwatch.Explain.WhatIf.Study;

/// <summary>
/// Where the end of a wait needs a worker, workers are held longer than the tasks take, by what the pool itself delays. So the tasks' time is sought with
/// which the pool as it was seen to grow would have shown the backlog that was seen.
/// </summary>
static class HoldFit
{
    /// <summary>Tasks may have taken as little as this share of the time for which workers were held.</summary>
    const double Least = 0.1;

    /// <summary>And as much as this, the estimate being one itself.</summary>
    const double Most = 1.1;

    const int Steps = 30;

    public static ItemsSeen Of(PoolReport report, ItemsSeen seen)
    {
        var held = seen.Items[0].BlockMs;
        if (double.IsPositiveInfinity(held))
        {
            return seen;
        }

        var (from, to) = Tail(report, seen) ?? (held * Least, held * Most);
        var coarse = Best(report, seen, from, to);
        var width = (to - from) / Steps;
        return With(seen, Best(report, seen, Math.Max(from, coarse - width), coarse + width));
    }

    /// <summary>
    /// A worker sleeps only when no item is left, so the last item was taken before the first of them slept, and ended when the last one did. It was taken since
    /// the end before that sleep; with so many workers they end so closely one after another.
    /// </summary>
    static (double From, double To)? Tail(PoolReport report, ItemsSeen seen)
    {
        var waited = report.Timeline.Heartbeats.LastOrDefault(beat => beat.Backlog > 0)?.At;
        var slept = report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerDeed.Slept && m.At > waited).Select(m => m.At).ToArray();
        return slept is [var first, ..] && seen.Ended is { } end && end > first && report.MaxWorkers is > 1 and { } workers
            ? (end.MsSince(first), end.MsSince(first) * (1 + 1.0 / workers))
            : null;
    }

    static double Best(PoolReport report, ItemsSeen seen, double from, double to) =>
        Enumerable.Range(0, Steps + 1).Select(n => from + (to - from) * n / Steps).MinBy(ms => Misfit(report, With(seen, ms)));

    static ItemsSeen With(ItemsSeen seen, double blockMs) =>
        seen with { Items = [.. seen.Items.Select(item => item with { BlockMs = blockMs })] };

    // Shares of all items and of the whole time, so that one does not outweigh the other.
    static double Misfit(PoolReport report, ItemsSeen seen)
    {
        var run = SeenPool.Run(report, seen);
        var first = seen.Items[0].Queued;
        var whole = (seen.Ended ?? report.Timeline.Now).MsSince(first);
        var backlog = report.Timeline.Heartbeats.Where(beat => beat.At > first)
            .Sum(beat => Math.Abs((beat.Backlog ?? 0) - run.BacklogAt(beat.At))) / (double)seen.Items.Length;
        return backlog + (seen.Ended is null ? 0 : Math.Abs((run.TotalMs ?? 10 * whole) - whole) / whole);
    }
}
