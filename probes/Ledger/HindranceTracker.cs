using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Keeps the hindrances that stopped the target's threads from running: long stretches one by one, the rest as sums. Bounded.
/// </summary>
sealed class HindranceTracker
{
    /// <summary>
    /// The minimum length of a stretch that is kept, milliseconds. A shorter one moves no gate check out of its window of 20 ms.
    /// </summary>
    const double WorthMs = 5;

    /// <summary>
    /// The minimum wait for a processor that is kept, milliseconds. Waits of a few milliseconds are common; only those that look like a
    /// wait in the pool are kept.
    /// </summary>
    const double ProcessorWaitWorthMs = 20;

    /// <summary>The most stretches kept: one hour with one each second, as long as counter samples are kept.</summary>
    const int Capacity = 3600;

    readonly List<Hindrance> kept = [];
    readonly Dictionary<HindranceKind, HindranceTotal> totals = [];
    Hindrance? stop;

    /// <summary>The newest reading of the process; null when none is taken.</summary>
    public ProcessReading? Last { get; private set; }

    /// <summary>The other processes that used the processors when last known; null when never known.</summary>
    public OthersSeen? Others { get; private set; }

    /// <summary>The kept stretches that end at <paramref name="at"/> or later, ordered by their ends.</summary>
    public IEnumerable<Hindrance> Since(EventTime at) => kept.Skip(TimeOrder.FirstFrom(kept, at, one => one.Span.To));

    public void Take(in ThreadsSuspended fact) =>
        Add(new(new(fact.At.PlusMs(-fact.Ms), fact.At), HindranceKind.Suspension, fact.Ms), WorthMs);

    public void Take(ProcessReading reading)
    {
        var span = new EventSpan(reading.At.PlusMs(-reading.IntervalMs), reading.At);
        Stopped(reading);
        if (reading.ThrottledMs is > 0 and { } throttled)
        {
            Add(new(span, HindranceKind.Throttled, throttled), WorthMs);
        }

        if (reading.WaitMs is > 0 and { } waited)
        {
            Add(new(span, HindranceKind.ProcessorWait, waited), ProcessorWaitWorthMs);
        }

        if (!reading.Others.IsDefaultOrEmpty)
        {
            Others = new(reading.At, reading.Others);
        }

        Last = reading;
    }

    public ImmutableArray<Hindrance> Snapshot() => [.. kept];

    public ImmutableArray<HindranceTotal> Totals() => [.. totals.Values.OrderBy(t => t.Kind)];

    /// <summary>
    /// How long hindrances of these kinds stopped the threads from running within a span, milliseconds; overlaps count at most once.
    /// </summary>
    public double MsWithin(EventSpan span, params HindranceKind[] kinds)
    {
        var sum = 0.0;
        var upTo = span.From;
        foreach (var one in Since(span.From))
        {
            var from = EventTime.Max(one.Span.From, upTo);
            var to = one.Span.To < span.To ? one.Span.To : span.To;
            if (Array.IndexOf(kinds, one.Kind) >= 0 && to > from)
            {
                sum += Math.Min(to.MsSince(from), one.Ms);
                upTo = to;
            }
        }

        return sum;
    }

    /// <summary>Records a stop: it is one stretch, however many readings see it, and it grows with each reading.</summary>
    void Stopped(ProcessReading reading)
    {
        if (reading is not { StoppedSince: { } since, StoppedUntil: { } until })
        {
            stop = null;
            return;
        }

        var grown = new Hindrance(new(since, until), HindranceKind.Stopped, until.MsSince(since));
        if (stop?.Span.From == since && kept.Remove(stop))
        {
            Keep(grown);
            Count(grown, stop.Ms);
        }
        else
        {
            Add(grown, worthMs: 0);
        }

        stop = grown;
    }

    void Add(Hindrance one, double worthMs)
    {
        Count(one, before: null);
        if (one.Ms < worthMs)
        {
            return;
        }

        Keep(one);
        if (kept.Count > Capacity)
        {
            kept.RemoveRange(0, Capacity / 10);
        }
    }

    // Readings from outside the stream may arrive after events that happened later.
    void Keep(Hindrance one)
    {
        var index = kept.Count;
        while (index > 0 && kept[index - 1].Span.To > one.Span.To)
        {
            index--;
        }

        kept.Insert(index, one);
    }

    void Count(Hindrance one, double? before)
    {
        var had = totals.TryGetValue(one.Kind, out var found) ? found : new(one.Kind, 0, 0, 0);
        totals[one.Kind] = had with
        {
            Count = had.Count + (before is null ? 1 : 0),
            Ms = had.Ms + one.Ms - (before ?? 0),
            LongestMs = Math.Max(had.LongestMs, one.Ms),
        };
    }
}
