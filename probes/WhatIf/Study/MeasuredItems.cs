using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Reports;
using Tpwatch.Reports.Items;

namespace Tpwatch.WhatIf.Study;

/// <summary>
/// Items that were measured one by one: when each was queued and how long it held its worker. How much of that it computed is the
/// processors' use shared among them. Where not all were seen, or the end of a wait for a task is an item itself, what the counters tell is
/// taken instead.
/// </summary>
sealed class MeasuredItems(IItemSource otherwise) : IItemSource
{
    public ItemsSeen Look(PoolReport report) =>
        report is { Measured: { KeptAll: true, Unmatched: 0 } items, RunTime.Count: > 0 } && !WaitsForTasks(report)
            && items.Ended.Length + items.Running.Length + items.WaitingSince.Length <= CounterItems.MostItems
            ? Of(report, items)
            : otherwise.Look(report);

    // Then timers' and continuations' items are among them, which the model makes itself.
    static bool WaitsForTasks(PoolReport report) =>
        report.Adjustments.GetValueOrDefault(
            AdjustmentReason.CooperativeBlocking) > report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);

    static ItemsSeen Of(PoolReport report, ItemSnapshot seen)
    {
        var (ended, usual) = (seen.Ended.ToArray(), report.RunTime!.P50Ms);
        var share = Computing(report, ended);
        var now = report.Timeline.Now;
        var items = ended.Select(i => (i.Queued, HoldMs: i.Ended!.Value.MsSince(i.Taken)))
            .Concat(seen.Running.Select(i => (i.Queued, HoldMs: Math.Max(usual, now.MsSince(i.Taken)))))
            .Concat(seen.WaitingSince.Select(at => (Queued: at, HoldMs: usual)))
            .OrderBy(i => i.Queued).Select(i => new WhatIfItem(i.Queued, i.HoldMs * share, i.HoldMs * (1 - share))).ToImmutableArray();
        return new(items, Basis(ended.Length, items.Length))
        {
            Ended = seen.Running.IsEmpty && seen.WaitingSince.IsEmpty ? ended.Max(i => i.Ended) : null,
            RampMs = WorkerUse.RampOf(report),
        };
    }

    static double Computing(PoolReport report, MeasuredItem[] ended)
    {
        var processors = report.Timeline.Target.Processors.Value ?? 1;
        var used = report.Timeline.Heartbeats.Where(b => b.Cpu is { } cpu && double.IsFinite(cpu))
            .Sum(b => b.Cpu!.Value * processors * (b.IntervalMs ?? 0));
        var held = ended.Sum(i => i.Ended!.Value.MsSince(i.Taken));
        return held > 0 ? Math.Clamp((used - OtherShare * report.Timeline.Now.MsSince(report.Timeline.Start)) / held, 0, 1) : 0;
    }

    /// <summary>Processor time that is no item's, a share of a processor: what a young program compiles and what watching costs.</summary>
    const double OtherShare = 0.03;

    static string Basis(int ended, int all)
    {
        var unfinished = all == ended
            ? ""
            : $". {Format.Plural(all - ended, "item")} had not completed. Each is assumed to take the median time of the others, "
                + "or as long as it has run already";
        return $"{Format.Plural(all, "item")} measured one by one, blocked in calls that the pool cannot detect{unfinished}";
    }
}
