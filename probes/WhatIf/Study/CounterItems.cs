using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf.Study;

/// <summary>
/// Items estimated from heartbeats, adjustments and the workers' own moments. Arrivals: what is waiting, held and completed together. How
/// long an item holds its worker: the time that all workers were held, divided by the items that ended (Little's law), the same for all.
/// What kind of blocking: task waits where the pool compensated more often than it injected.
/// </summary>
sealed class CounterItems : IItemSource
{
    /// <summary>More would take longer to simulate than somebody waits.</summary>
    public const int MostItems = 50_000;

    /// <summary>
    /// Processor time that is no item's, milliseconds a second: what a young program compiles and what watching costs. Programs whose items
    /// only slept used 10 to 30.
    /// </summary>
    const double OtherMsPerSecond = 30;

    /// <summary>Less would be told as 0.0 ms, milliseconds.</summary>
    const double LeastToldMs = 0.05;

    public ItemsSeen Look(PoolReport report)
    {
        if (report.Timeline.Heartbeats.Count(beat => beat.Backlog is not null) < 2)
        {
            return ItemsSeen.None("without counter samples it is not known how many items arrived");
        }

        var use = WorkerUse.Of(report);
        var blocking = KindOf(report);
        var counted = CountedItems.Of(report, use, blocking == Blocking.PoolTask);
        return counted.Total < 1 ? ItemsSeen.None("no work item ran on the pool in this capture")
            : counted.Total > MostItems ? ItemsSeen.None(
                $"{Format.Count((long)counted.Total)} items are too many for the model (at most {Format.Count(MostItems)})")
            : Items(report, use, counted, blocking);
    }

    static ItemsSeen Items(PoolReport report, WorkerUse use, CountedItems counted, Blocking blocking)
    {
        var hold = counted.HoldMs(use);
        var run = Math.Min(RunMs(report, use, counted), hold);
        var arrivals = counted.Arrivals();
        var items = arrivals.Select(at => new WhatIfItem(at, run, hold - run, blocking)).ToImmutableArray();
        var estimate = new ItemsSeen(items, "")
        {
            Ended = counted.Drained ? use.LastLetGo : null,
            RampMs = WorkerUse.RampOf(report),
            Existing = report.Timeline.Heartbeats[0] is { Backlog: > 0, Workers: { } workers } ? workers : 0,
        };
        var fitted = blocking == Blocking.PoolTask ? TailOfBurst.WhereSeen(report, estimate) : StaggeredItems.WhereBetter(report, estimate);
        return fitted with { Basis = Basis(report, fitted) };
    }

    /// <summary>Who compensates or injects more often says what the items wait for; the pool is told of task waits alone.</summary>
    static Blocking KindOf(PoolReport report)
    {
        var rises = report.Gaps.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > g.GoalBefore);
        return rises > report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation) ? Blocking.PoolTask : Blocking.Unseen;
    }

    // The usual second counts: start-up and whatever else happens once is no part of an item.
    static double RunMs(PoolReport report, WorkerUse use, CountedItems counted)
    {
        var processors = report.Timeline.Target.Processors.Value ?? 1;
        var busy = report.Timeline.Heartbeats.Where(beat => beat.Cpu is { } cpu && double.IsFinite(cpu) && use.At(beat.At) > 0).ToArray();
        var shares = busy.Select(beat => Math.Max(0, beat.Cpu!.Value * processors - OtherMsPerSecond / 1000)).Order().ToArray();
        return shares.Length == 0 ? 0 : shares[shares.Length / 2] * busy.Sum(beat => beat.IntervalMs ?? 0) / counted.Total;
    }

    static string Basis(PoolReport report, ItemsSeen seen)
    {
        var item = seen.Items[^1];
        var hold = item.RunMs + item.BlockMs;
        var staggered = seen.Items[0] != item with { Queued = seen.Items[0].Queued };
        var computes = item.RunMs < LeastToldMs ? "without computing" : $"and to compute for {Format.Duration(item.RunMs)} of that";
        var how = double.IsPositiveInfinity(hold)
            ? "No item completed"
            : $"Each item is assumed to hold a thread for {Format.Duration(hold)} {computes}"
                + (staggered ? ". Items that run at the start are assumed to end one after another, not all at once" : "");
        var kind = item.Blocking == Blocking.PoolTask
            ? "blocked on tasks that need a worker thread themselves"
            : "blocked in calls that the pool cannot detect";
        var beat = report.Timeline.Heartbeats[^1].IntervalMs is { } ms ? Format.Seconds(Math.Round(ms / 50) * 50)[..^1] + " s" : "?";
        return $"estimated from counter samples every {beat} and thread events. {Format.Plural(seen.Items.Length, "item")}, {kind}. {how}";
    }
}
