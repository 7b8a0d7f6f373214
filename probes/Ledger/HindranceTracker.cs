using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Keeps the longer hindrances (times in which threads of the target could not run), and totals of all hindrances.</summary>
sealed class HindranceTracker
{
    /// <summary>
    /// Minimum length of a hindrance that is kept, milliseconds. A shorter hindrance moves no gate check out of its window of 20 ms.
    /// </summary>
    const double WorthMs = 5;

    /// <summary>
    /// Minimum wait for a processor that is kept, milliseconds. Shorter waits are common, and too short to be mistaken for a delay of the
    /// pool.
    /// </summary>
    const double ProcessorWaitWorthMs = 20;

    /// <summary>Maximum number of hindrances kept: one per second for one hour.</summary>
    const int Capacity = 3600;

    readonly List<Hindrance> kept = [];
    readonly Dictionary<HindranceKind, HindranceTotal> totals = [];
    Hindrance? stop;

    /// <summary>The newest reading of the process; null before the first.</summary>
    public ProcessReading? Last { get; private set; }

    /// <summary>Other processes that used the processors, from the newest reading that lists any; null when none does.</summary>
    public TopCpuProcesses? Others { get; private set; }

    /// <summary>Returns the kept hindrances that end at <paramref name="at"/> or later, ordered by their ends.</summary>
    public IEnumerable<Hindrance> Since(EventTime at) => kept.Skip(TimeOrderedSearch.FirstFrom(kept, at, one => one.Span.To));

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
    /// Returns how long hindrances of the given kinds stopped the threads from running within a span, milliseconds. Overlaps count once.
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

    /// <summary>Records a stop of the process. All readings during one stop form one hindrance, which grows with each reading.</summary>
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

    // Inserts in order of end times: a reading of the process may arrive after an event that is newer than the reading.
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

/// <summary>Keeps evidence from outside the pool that the process, or its gate thread, did not run (G12).</summary>
sealed class StandstillEvidence(HindranceTracker hindrances)
{
    /// <summary>Minimum lateness of a counter sample that shows a standstill of the process, milliseconds.</summary>
    const double HoleMs = 1500;

    /// <summary>Maximum number of kept processor waits of the gate thread, and of kept times without an event.</summary>
    const int Capacity = 256;

    readonly Recent<Hindrance> gateWaits = new(Capacity);
    readonly Recent<EventSpan> holes = new(Capacity);
    double? usualIntervalMs;
    EventTime? lastEvent;
    EventSpan silence;
    (EventTime At, DateTime Utc) start;

    /// <summary>Whether the gate thread was found by its name. Only then are its own waits for a processor known.</summary>
    public bool IsGateKnown { get; private set; }

    public void Open(EventTime at, DateTime utc) => start = (at, utc);

    /// <summary>Takes the gate thread's wait for a processor from a reading, if the reading has one.</summary>
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

    /// <summary>Takes a counter sample. If it is late, returns the longest time without an event since the last one, else null.</summary>
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

    /// <summary>Returns the last stop of the process that touches a span; null when there is none.</summary>
    public EventSpan? Stop(EventSpan span) =>
        hindrances.Since(span.From).LastOrDefault(h => h.Kind == HindranceKind.Stopped && h.Span.Touches(span))?.Span;

    /// <summary>Returns the last kept time without events that overlaps a span; null when there is none.</summary>
    public EventSpan? Hole(EventSpan span) => holes.Where(h => Overlap(h, span) > 1).Select(h => (EventSpan?)h).LastOrDefault();

    /// <summary>
    /// Returns how long each kind of hindrance kept the process from running within a window, longest first. With
    /// <paramref name="ofTheGate"/>, the only processor waits that count are those of the gate thread.
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

    /// <summary>Returns the suspension or stop that was in progress at a given time; null when there is none.</summary>
    public Hindrance? At(EventTime at) => hindrances.Since(at).FirstOrDefault(h =>
        h.Kind is HindranceKind.Suspension or HindranceKind.Stopped && h.Span.From <= at && at <= h.Span.To);

    static double Overlap(EventSpan a, EventSpan b) => Math.Max(0, (a.To < b.To ? a.To : b.To).MsSince(a.From > b.From ? a.From : b.From));

    /// <summary>Converts an event time to UTC.</summary>
    public DateTime Utc(EventTime at) => start.Utc.AddTicks((at.Nanoseconds - start.At.Nanoseconds) / 100);
}
