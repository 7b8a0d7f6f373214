using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Finds the waits that the pool did not cause (G12): a delay across a stop of the process is not judged, and a late one is excused when
/// evidence from outside the pool covers the lateness.
/// </summary>
sealed class NotRunning(HindranceTracker hindrances)
{
    /// <summary>The share of the lateness that must be covered; the rest is the error of two clocks and of waking up.</summary>
    const double Covered = 0.8;

    /// <summary>
    /// How much later than usual a counter sample must arrive to show that the process stood still, for whatever reason, milliseconds.
    /// </summary>
    const double HoleMs = 1500;

    /// <summary>How long before a late gate check a hindrance may still be its cause, milliseconds: the width of a window.</summary>
    const double BeforeMs = 20;

    /// <summary>The most entries kept, more than any query needs; the oldest are dropped first.</summary>
    const int Capacity = 256;

    readonly Recent<Hindrance> gateWaits = new(Capacity);
    readonly Recent<EventSpan> holes = new(Capacity);
    bool gateKnown;
    double? usualIntervalMs;
    EventTime? lastEvent;
    EventSpan silence;
    (EventTime At, DateTime Utc) start;

    public void Open(EventTime at, DateTime utc) => start = (at, utc);

    /// <summary>
    /// Takes the waits of the gate thread for a processor if the thread is known by name; otherwise the waits of any thread are used for
    /// it.
    /// </summary>
    public void Take(ProcessReading reading)
    {
        gateKnown |= reading.GateWaitMs is not null;
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

    /// <summary>The delay after hindrances are considered; the same object when they change nothing.</summary>
    public InjectionDelay Judge(InjectionDelay delay)
    {
        // Lasting waits are explained by the tracker that finds them.
        if (!delay.IsWait || delay.Start is not { } begin || delay.Verdict is DelayVerdict.Open or DelayVerdict.NoData
            || IsFromCounters(delay))
        {
            return delay;
        }

        var span = new EventSpan(begin, delay.End);
        return Stop(span) is { } stop
            ? Unjudged(delay, $"The process was stopped from {Utc(stop.From)} to {Utc(stop.To)}")
            : Hole(span) is { } hole ? Unjudged(delay, $"No event came from {Utc(hole.From)} to {Utc(hole.To)} "
                + $"({Format.Duration(hole.Ms)}), so the process stood still")
            : delay is { Verdict: DelayVerdict.Late, Mechanism: not Mechanism.G12NotRunning } ? Excused(delay)
            : delay;
    }

    static bool IsFromCounters(InjectionDelay delay) =>
        delay.Reason is null && delay.Mechanism is not (Mechanism.G0Ramp or Mechanism.G13SlowThread or Mechanism.G15TimeoutChurn);

    EventSpan? Stop(EventSpan span) =>
        hindrances.Since(span.From).LastOrDefault(h => h.Kind == HindranceKind.Stopped && h.Span.Touches(span))?.Span;

    EventSpan? Hole(EventSpan span) => holes.Where(h => Overlap(h, span) > 1).Select(h => (EventSpan?)h).LastOrDefault();

    static InjectionDelay Unjudged(InjectionDelay delay, string what) =>
        delay with
        {
            Verdict = DelayVerdict.NoData,
            Mechanism = Mechanism.G12NotRunning,
            Windows = [],
            Ticks = [],
            Because = $"{what}. tpwatch does not judge a delay across that time."
        };

    InjectionDelay Excused(InjectionDelay delay)
    {
        var late = delay.LateMs ?? 0;
        var causes = Causes(delay, new(delay.End.PlusMs(-late - BeforeMs), delay.End));
        var sum = causes.Sum(c => c.Ms);
        if (late <= 0 || sum < Covered * late)
        {
            return delay;
        }

        var told = causes is [{ Kind: HindranceKind.ProcessorWait, Ms: var ms }]
            ? $"Around that time, {(IsOfTheGate(delay) ? "the gate thread" : "a thread of the process")} "
                + $"was ready but had no processor for {Format.Duration(ms)}"
            : "The process did not run at that moment: "
                + string.Join(", ", causes.Select(c => $"{Words(c.Kind)} for {Format.Duration(c.Ms)}"));
        return delay with
        {
            // The verdict stays late: the windows are the times that the rule allows, and this sentence says why the pool missed them.
            Mechanism = Mechanism.G12NotRunning,
            Ticks = [.. delay.Ticks.Select(Told)],
            Because = $"{delay.Because} {told}.",
        };
    }

    // Without an adjustment event other threads caused the delay, so their waits count.
    bool IsOfTheGate(InjectionDelay delay) => gateKnown && delay.Reason is not null;

    List<(HindranceKind Kind, double Ms)> Causes(InjectionDelay delay, EventSpan window)
    {
        var seen = hindrances.Since(window.From);
        var all = IsOfTheGate(delay) ? seen.Where(h => h.Kind != HindranceKind.ProcessorWait).Concat(gateWaits) : seen;
        return
        [
            .. all.Where(h => h.Span.Touches(window)).GroupBy(h => h.Kind)
                .Select(kind => (kind.Key, Math.Min(window.Ms, kind.Sum(h => Math.Min(h.Ms, Overlap(h.Span, window))))))
                .Where(c => c.Item2 >= 1).OrderByDescending(c => c.Item2),
        ];
    }

    GateCheck Told(GateCheck check)
    {
        var during = hindrances.Since(check.At).FirstOrDefault(h =>
            h.Kind is HindranceKind.Suspension or HindranceKind.Stopped && h.Span.From <= check.At && check.At <= h.Span.To);
        return check.Fired || during is null
            ? check
            : new(check.At, check.SinceDequeueMs, check.Cpu, Fired: false,
                $"the gate thread did not run: {Words(during.Kind)} for {Format.Duration(during.Ms)}", Sure: true, check.Basis)
            {
                Answer = check.Answer, IsByDispatch = check.IsByDispatch,
            };
    }

    static double Overlap(EventSpan a, EventSpan b) => Math.Max(0, (a.To < b.To ? a.To : b.To).MsSince(a.From > b.From ? a.From : b.From));

    /// <summary>The words for a hindrance that stops a process from running.</summary>
    public static string Words(HindranceKind kind) => kind switch
    {
        HindranceKind.Suspension => "suspended by the runtime (garbage collection)",
        HindranceKind.Stopped => "stopped",
        HindranceKind.Throttled => "throttled by its processor quota",
        _ => "ready, but without a processor",
    };

    string Utc(EventTime at) => Format.Utc(start.Utc.AddTicks((at.Nanoseconds - start.At.Nanoseconds) / 100));
}
