using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Items estimated from heartbeats, adjustments and the workers' own moments. Arrivals: what is waiting, held and completed together. How
/// long an item holds its worker: the time that all workers were held, divided by the items that ended (Little's law), the same for all.
/// What kind of blocking: task waits where the pool compensated more often than it injected.
/// </summary>
sealed class CounterItems : IItemSource
{
    /// <summary>More would take longer to simulate than somebody waits.</summary>
    public const int MostItems = 50_000;

    /// <summary>A smaller share of an item's time is what the process computes besides.</summary>
    const double LeastTold = 0.001;

    public ItemsSeen Look(PoolReport report)
    {
        if (report.Timeline.Heartbeats.Count(beat => beat.Backlog is not null) < 2)
        {
            return ItemsSeen.None("without counter samples it is not known how many items arrived");
        }

        var use = WorkerUse.Of(report);
        var blocking = SeenPool.WaitsForTasks(report) ? Blocking.PoolTask : Blocking.Unseen;
        var counted = CountedItems.Of(report, use, blocking == Blocking.PoolTask);
        return counted.Total < 1 ? ItemsSeen.None("no work item ran on the pool in this capture")
            : counted.Total > MostItems ? ItemsSeen.None(
                $"{Format.Count((long)counted.Total)} items are too many for the model (at most {Format.Count(MostItems)})")
            : Items(report, use, counted, blocking);
    }

    static ItemsSeen Items(PoolReport report, WorkerUse use, CountedItems counted, Blocking blocking)
    {
        var hold = counted.HoldMs(use);
        var run = Math.Min(WorkerUse.ComputedMs(report) / counted.Total, hold);
        var arrivals = counted.Arrivals();
        var items = arrivals.Select(at => new WhatIfItem(at, run, hold - run, blocking)).ToImmutableArray();
        var estimate = new ItemsSeen(items, "")
        {
            Ended = counted.Drained ? use.LastLetGo : null,
            Existing = report.Timeline.Heartbeats[0] is { Backlog: > 0, Workers: { } workers } ? workers : 0,
        };
        var fitted = blocking == Blocking.PoolTask ? TailOfBurst.WhereSeen(report, estimate) : StaggeredItems.WhereBetter(report, estimate);
        return fitted with { Basis = Basis(report, fitted) };
    }

    static string Basis(PoolReport report, ItemsSeen seen)
    {
        var item = seen.Items[^1];
        var hold = item.RunMs + item.BlockMs;
        var staggered = seen.Items[0] != item with { Queued = seen.Items[0].Queued };
        var computes = item.RunMs < LeastTold * hold ? "and not to compute" : $"and to compute for {Format.Duration(item.RunMs)}";
        var how = double.IsPositiveInfinity(hold)
            ? "No item completed"
            : (Demand.Of(report).LongRunMs is null ? $"Each item is assumed to hold a thread for {Format.Duration(hold)} {computes}"
                : $"All items are assumed to hold a thread equally long {computes}")
                + (staggered
                    ? ". Items that run at the start of the capture are assumed to complete one after another, not all at once" : "");
        var kind = item.Blocking == Blocking.PoolTask
            ? "blocked on tasks that need a worker thread themselves"
            : item.RunMs > item.BlockMs ? "computing most of the time"
            : "blocked in calls that the pool cannot detect";
        var every = report.Timeline.Heartbeats[^1].IntervalMs is { } ms ? $" every {Format.Seconds(Math.Round(ms / 50) * 50)[..^1]} s" : "";
        return $"estimated from counter samples{every} and thread events. "
            + $"The model assumes {Format.Plural(seen.Items.Length, "item")}, {kind}. {how}";
    }
}
