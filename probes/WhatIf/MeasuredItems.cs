using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Items that were measured one by one: when each was queued and how long it held its worker thread. The processor time is the processor
/// use divided among them. If not all items were observed, or the end of a task wait is an item itself, the items estimated from counters
/// are used instead.
/// </summary>
sealed class MeasuredItems(IItemSource otherwise) : IItemSource
{
    // With task waits, the measured items include those of timers and continuations, which the model creates itself.
    public ItemsSeen Look(PoolReport report) =>
        report is { Measured: { KeptAll: true, Unmatched: 0 } items, RunTime.Count: > 0 } && !SeenPool.WaitsForTasks(report)
            && items.Ended.Length + items.Running.Length + items.WaitingSince.Length <= CounterItems.MostItems
            ? Of(report, items)
            : otherwise.Look(report);

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
            OneByOne = true,
            Ended = seen.Running.IsEmpty && seen.WaitingSince.IsEmpty ? ended.Max(i => i.Ended) : null,
        };
    }

    static double Computing(PoolReport report, MeasuredItem[] ended)
    {
        var held = ended.Sum(i => i.Ended!.Value.MsSince(i.Taken));
        return held > 0 ? Math.Min(1, WorkerUse.ComputedMs(report) / held) : 0;
    }

    static string Basis(int ended, int all)
    {
        var unfinished = all == ended
            ? ""
            : $". {Format.Plural(all - ended, "item")} had not completed. Each of these items is assumed to hold a thread as "
                + "long as the median item. A running item that has held a thread longer is assumed to complete at the end of the capture";
        return $"{Format.Plural(all, "item")} measured one by one, assumed to block in calls that the pool cannot detect{unfinished}";
    }
}
