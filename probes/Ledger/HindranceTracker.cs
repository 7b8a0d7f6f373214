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

/// <summary>Evidence from outside the pool that the process, or its gate thread, did not run (G12).</summary>
sealed class NotRunning(HindranceTracker hindrances)
{
    /// <summary>
    /// How much later than usual a counter sample must arrive to show that the process stood still, for whatever reason, milliseconds.
    /// </summary>
    const double HoleMs = 1500;

    /// <summary>The most entries kept, more than any query needs; the oldest are dropped first.</summary>
    const int Capacity = 256;

    readonly Recent<Hindrance> gateWaits = new(Capacity);
    readonly Recent<EventSpan> holes = new(Capacity);
    double? usualIntervalMs;
    EventTime? lastEvent;
    EventSpan silence;
    (EventTime At, DateTime Utc) start;

    /// <summary>Whether the gate thread is known by name, so that its own waits for a processor are.</summary>
    public bool IsGateKnown { get; private set; }

    public void Open(EventTime at, DateTime utc) => start = (at, utc);

    /// <summary>
    /// Takes the waits of the gate thread for a processor if the thread is known by name; otherwise the waits of any thread are used for
    /// it.
    /// </summary>
    public void Take(ProcessReading reading)
    {
        IsGateKnown |= reading.GateWaitMs is not null;
        if (reading.GateWaitMs is > 0 and { } waited)
        {
            gateWaits.Add(new(new(reading.At.PlusMs(-reading.IntervalMs), reading.At), HindranceKind.ProcessorWait, waited));
        }
    }

    /// <summary>Records an event of the target, which shows that it was running.</summary>
    public void See(EventTime at)
    {
        if (lastEvent is { } last && at.MsSince(last) > silence.Ms)
        {
            silence = new(last, at);
        }

        lastEvent = at;
    }

    /// <summary>Takes a counter sample; returns the time before it without any event, or null when the sample was not late.</summary>
    public EventSpan? Take(CounterSample sample)
    {
        var silent = silence;
        silence = default;
        if (sample.IntervalMs is not { } interval)
        {
            return null;
        }

        var late = usualIntervalMs is { } usual && interval > usual + HoleMs && silent.Ms > HoleMs;
        usualIntervalMs = Math.Min(usualIntervalMs ?? interval, interval);
        if (!late)
        {
            return null;
        }

        holes.Add(silent);
        return silent;
    }

    /// <summary>The last stop of the process that touches a span; null when it was not stopped.</summary>
    public EventSpan? Stop(EventSpan span) =>
        hindrances.Since(span.From).LastOrDefault(h => h.Kind == HindranceKind.Stopped && h.Span.Touches(span))?.Span;

    /// <summary>The last time within a span in which the process was silent; null when there is none.</summary>
    public EventSpan? Hole(EventSpan span) => holes.Where(h => Overlap(h, span) > 1).Select(h => (EventSpan?)h).LastOrDefault();

    /// <summary>
    /// How long each kind kept the process from running within a window, longest first; <paramref name="ofTheGate"/>: of the waits for a
    /// processor, those of the gate thread alone.
    /// </summary>
    public List<(HindranceKind Kind, double Ms)> Causes(EventSpan window, bool ofTheGate)
    {
        var seen = hindrances.Since(window.From);
        var all = ofTheGate ? seen.Where(h => h.Kind != HindranceKind.ProcessorWait).Concat(gateWaits) : seen;
        return
        [
            .. all.Where(h => h.Span.Touches(window)).GroupBy(h => h.Kind)
                .Select(kind => (kind.Key, Math.Min(window.Ms, kind.Sum(h => Math.Min(h.Ms, Overlap(h.Span, window))))))
                .Where(c => c.Item2 >= 1).OrderByDescending(c => c.Item2),
        ];
    }

    /// <summary>The suspension or stop during which a given time lies; null when there is none.</summary>
    public Hindrance? At(EventTime at) => hindrances.Since(at).FirstOrDefault(h =>
        h.Kind is HindranceKind.Suspension or HindranceKind.Stopped && h.Span.From <= at && at <= h.Span.To);

    static double Overlap(EventSpan a, EventSpan b) => Math.Max(0, (a.To < b.To ? a.To : b.To).MsSince(a.From > b.From ? a.From : b.From));

    /// <summary>The words for a hindrance that stops a process from running.</summary>
    public static string Words(HindranceKind kind) => kind switch
    {
        HindranceKind.Suspension => "suspended by the runtime (garbage collection)",
        HindranceKind.Stopped => "stopped",
        HindranceKind.Throttled => "throttled by its processor quota",
        _ => "ready, but without a processor",
    };

    /// <summary>The time of the day of an event.</summary>
    public string Utc(EventTime at) => Format.Utc(start.Utc.AddTicks((at.Nanoseconds - start.At.Nanoseconds) / 100));
}
