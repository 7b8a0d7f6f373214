using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>How many items had come at each heartbeat: those that wait, those that hold a worker and those completed.</summary>
sealed class CountedItems
{
    /// <summary>An interval with less than a quarter of the items of the one before ends a burst rather than goes on with it.</summary>
    const double BurstShare = 0.25;

    /// <summary>A wait for a task and its end.</summary>
    const double EndAndItem = 2;

    readonly PoolReport report;
    readonly Heartbeat[] beats;
    readonly double[] arrived;
    double ended;
    readonly int heldAtEnd;

    CountedItems(PoolReport report, WorkerUse use, double completionsPerItem)
    {
        this.report = report;
        beats = [.. report.Timeline.Heartbeats.Where(beat => beat.Backlog is not null)];
        arrived = new double[beats.Length];
        double completed = 0;
        for (var i = 0; i < beats.Length; i++)
        {
            completed += i == 0 ? 0 : beats[i].Completed ?? 0;
            arrived[i] = beats[i].Backlog!.Value + use.At(beats[i].At) + completed / completionsPerItem;
        }

        // Workers counted as held may not be yet, and the end of a wait for a task waits as an item does: too many, never too few.
        for (var i = beats.Length - 2; i >= 0; i--)
        {
            arrived[i] = Math.Min(arrived[i], arrived[i + 1]);
        }

        heldAtEnd = use.At(report.Timeline.Now);
        Drained = heldAtEnd == 0;
        ended = Drained ? Total : completed / completionsPerItem;
    }

    /// <summary>Items in all.</summary>
    public double Total => Math.Round(arrived[^1]);

    /// <summary>Whether every item had ended by the end of the capture.</summary>
    public bool Drained { get; }

    public static CountedItems Of(PoolReport report, WorkerUse use, bool endsAreItems) =>
        endsAreItems ? new CountedItems(report, use, EndAndItem).AsBurst() : new(report, use, 1);

    // In a burst all items are counted before the first one ends; what completes beyond them are ends, of timers fired for nothing too.
    CountedItems AsBurst()
    {
        var first = Array.FindIndex(arrived, items => items >= 1);
        if (first >= 0 && Drained && arrived[first] > Total * (1 - BurstShare))
        {
            Array.Fill(arrived, arrived[first], first, arrived.Length - first);
            ended = Total;
        }

        return this;
    }

    /// <summary>
    /// How long an item holds its worker, milliseconds: items that began before or go on afterwards count half. Infinite when none ended.
    /// </summary>
    public double HoldMs(WorkerUse use)
    {
        var count = ended + (Drained ? 0 : heldAtEnd / 2.0) - use.At(beats[0].At) / 2.0;
        return ended < 1 ? double.PositiveInfinity : use.HeldMs(beats[0].At, report.Timeline.Now) / Math.Max(1, count);
    }

    /// <summary>When each item came: at once where a burst began, evenly over an interval otherwise.</summary>
    public ImmutableArray<EventTime> Arrivals()
    {
        var arrivals = ImmutableArray.CreateBuilder<EventTime>();
        arrivals.AddRange(Enumerable.Repeat(beats[0].At, Math.Max(0, (int)Math.Round(arrived[0]))));
        for (var i = 1; i < beats.Length; i++)
        {
            var count = Math.Max(0, New(i));
            var (from, to) = count > 0 ? Span(i) : default;
            arrivals.AddRange(Enumerable.Range(0, count).Select(n => from.PlusMs(to.MsSince(from) * n / count)));
        }

        return arrivals.ToImmutable();
    }

    int New(int index) => index <= 0 || index >= beats.Length ? 0 : (int)(Math.Round(arrived[index]) - Math.Round(arrived[index - 1]));

    double Rate(int index) => New(index) / Math.Max(1, beats[index].At.MsSince(beats[index - 1].At));

    (EventTime From, EventTime To) Span(int i)
    {
        var (begin, end) = (beats[i - 1].At, beats[i].At);
        var (before, now, after) = (New(i - 1), New(i), New(i + 1));
        if (before > now * BurstShare)
        {
            // The last of a row comes as fast as those before it.
            return after > now * BurstShare ? (begin, end) : (begin, Earlier(end, begin.PlusMs(now / Rate(i - 1))));
        }

        var onset = WorkerUse.Onset(report, begin, end);
        return after <= now * BurstShare ? (onset.At, onset.At)
            : onset.Seen ? (onset.At, end)
            : (EventTime.Max(begin, end.PlusMs(-now / Rate(i + 1))), end);
    }

    static EventTime Earlier(EventTime one, EventTime other) => one < other ? one : other;
}
