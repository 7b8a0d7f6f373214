using Tpwatch.Reports;

namespace Tpwatch.WhatIf.Study;

/// <summary>
/// Where the end of a wait needs a worker, workers are held longer than the tasks take, by what the pool itself delays. At the end of a
/// burst nothing delays them any more, and the tasks' time is read off the workers; where there is no end, that time is sought with which
/// the pool as it was seen to grow would have shown the backlog that was seen.
/// </summary>
static class HoldFit
{
    /// <summary>Tasks may have taken as little as this share of the time for which workers were held.</summary>
    const double Least = 0.1;

    /// <summary>And as much as this, the estimate being one itself.</summary>
    const double Most = 1.1;

    /// <summary>So many runs a search, and fewer where each takes long.</summary>
    const int MostSteps = 30;

    const int FewestSteps = 6;

    /// <summary>Items simulated in one search: half a second.</summary>
    const int ItemsASearch = 60_000;

    public static ItemsSeen Of(PoolReport report, ItemsSeen seen)
    {
        var held = seen.Items[0].BlockMs;
        return double.IsPositiveInfinity(held) ? seen
            : TailOfBurst.HoldMs(report, seen) is { } ms ? With(seen, ms)
            : Search(report, seen, held * Least, held * Most);
    }

    static ItemsSeen Search(PoolReport report, ItemsSeen seen, double from, double to)
    {
        var steps = Math.Clamp(ItemsASearch / seen.Items.Length, FewestSteps, MostSteps);
        var coarse = Best(report, seen, from, to, steps);
        var width = (to - from) / steps;
        return With(seen, Best(report, seen, Math.Max(from, coarse - width), Math.Min(to, coarse + width), steps));
    }

    static double Best(PoolReport report, ItemsSeen seen, double from, double to, int steps) =>
        Enumerable.Range(0, steps + 1).Select(n => from + (to - from) * n / steps)
            .MinBy(ms => Misfit(report, With(seen, ms)));

    static ItemsSeen With(ItemsSeen seen, double blockMs) =>
        seen with { Items = [.. seen.Items.Select(item => item with { BlockMs = blockMs })] };

    static double Misfit(PoolReport report, ItemsSeen seen)
    {
        var run = SeenPool.Run(report, seen);
        return report.Timeline.Heartbeats.Where(beat => beat.At > seen.Items[0].Queued)
            .Sum(beat => Math.Abs((beat.Backlog ?? 0) - run.BacklogAt(beat.At)));
    }
}
