using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Judges a starvation gap (G1, G2): a whole number of gate ticks, of which each is asked whether it could, or had to, inject.
/// </summary>
static class StarvationJudge
{
    /// <summary>What is said of a gap that a loss touches.</summary>
    public const string LossSentence = "Events were lost in that time, so tpwatch does not judge the delay.";

    public static Gap Judge(IInjectionPolicy policy, StarvationCase given, BeatLog beats)
    {
        var start = StartOf(given);
        var gap = new Gap
        {
            Number = 0,
            Start = start,
            StartBasis = start is null ? Basis.Unknown : Basis.Observed,
            End = given.At,
            EndBasis = Basis.Observed,
            Reason = AdjustmentReason.Starvation,
            GoalBefore = given.Before.Goal ?? given.GoalAfter - 1,
            GoalAfter = given.GoalAfter,
            Verdict = GapVerdict.NotTimed,
            Mechanism = Mechanism.G1GateTick,
            Because = "",
            Cpu = beats.CpuAt(given.At),
            Backlog = beats.BacklogAround(given.At),
        };
        return given.IsLost ? gap with { Verdict = GapVerdict.NoData, Because = LossSentence }
            : start is { } dequeue && given.Before.LastTick is null && IsStale(dequeue, given.At, beats)
            ? Untimed(gap with { Start = null, StartBasis = Basis.Unknown }, given)
            : start is null || given.Before.LastTick is null ? Untimed(gap, given)
            : new GateTicks(policy, given).Asked(beats) is { } ticks ? Timed(gap, given, ticks, beats)
            : PhaseLost(gap);
    }

    /// <summary>
    /// Items have completed since a dequeue, so that others have been dequeued at moments that are not in the
    /// stream; or it lies so far back that nobody knows.
    /// </summary>
    static bool IsStale(EventTime dequeue, EventTime at, BeatLog beats) =>
        beats.MayHaveCompleted(dequeue, at) ?? at.MsSince(dequeue) > GateTiming.MaxUnseenTicks * GateTiming.AfterHold;

    static EventTime? StartOf(StarvationCase given)
    {
        var dequeue = given.Dequeues.Length > 0 ? given.Dequeues[^1] : given.Before.LastDequeue;
        if (given.Before.LastTick is not { } tick || given.Before.TickPeriodMs != GateTiming.AfterInjection)
        {
            return dequeue;
        }

        // The worker that the last tick added starts within moments; a later start is progress of its own.
        return dequeue is { } d && d.MsSince(tick) > GateTiming.LateMs ? d : tick;
    }

    static Gap Untimed(Gap gap, StarvationCase given) => gap with
    {
        Because = $"The gate thread adds one thread when no item was {given.Before.Settings.ClockDone} for more than 500 ms. "
            + "tpwatch saw no recent injection that tells when the gate thread checks, so tpwatch does not judge this delay.",
    };

    static Gap PhaseLost(Gap gap) => gap with
    {
        Because = $"More than {GateTiming.MaxUnseenTicks} gate checks passed without a thread injection. "
            + "So tpwatch cannot tell when the gate checks ran, and does not judge this delay.",
    };

    static Gap Timed(Gap gap, StarvationCase given, List<AskedTick> ticks, BeatLog beats)
    {
        var judged = Verdict(gap with { Ticks = Describe(given, ticks, beats) }, ticks);
        return judged with { Because = StarvationSentence.Of(judged, given.Before.Settings) };
    }

    static ImmutableArray<GateTick> Describe(StarvationCase given, List<AskedTick> ticks, BeatLog beats) =>
        [.. ticks.Select((tick, index) => Described(given, tick, index == ticks.Count - 1, beats))];

    static GateTick Described(StarvationCase given, AskedTick tick, bool fired, BeatLog beats)
    {
        var (at, decision) = (tick.At, tick.Decision);
        return new(
            fired ? given.At : at, decision.SinceDequeueMs, beats.CpuAt(at), fired, TickSentence.Of(decision, fired, at, beats),
            decision.Certain || (decision.Sure && fired == (decision.Kind == DecisionKind.Add)),
            fired ? Basis.Observed : Basis.Inferred)
        {
            Answer = decision.Kind == DecisionKind.Undecided ? null : decision.Kind == DecisionKind.Add,
        };
    }

    static Gap Verdict(Gap gap, List<AskedTick> ticks)
    {
        var start = gap.Start!.Value;
        var windows = ticks.Where(d => d.Decision.Possible && d.Tick.Latest > start)
            .Select(d => new GapWindow(d.Tick.Earliest.MsSince(start), d.Tick.Latest.MsSince(start))).ToImmutableArray();
        var observed = gap.ObservedMs!.Value;
        var missed = ticks.FindIndex(0, ticks.Count - 1, d => d.Decision.Certain);
        var verdict = missed >= 0 ? GapVerdict.Late
            : windows.Any(w => observed >= w.MinMs && observed <= w.MaxMs) ? GapVerdict.Fits
            : windows.Length == 0 || observed < windows[0].MinMs ? GapVerdict.Early
            : GapVerdict.Late;
        return gap with
        {
            Windows = windows.IsEmpty ? [FirstAllowed(ticks[^1].Tick, start, observed)] : windows,
            Verdict = verdict,
            Mechanism = ticks[^1].Decision.Mechanism,
        };
    }

    /// <summary>Where no tick up to the injection could add: the tick it came before, or the one after it.</summary>
    static GapWindow FirstAllowed(PoolTick tick, EventTime start, double observed)
    {
        var shift = observed < tick.Earliest.MsSince(start) ? 0 : GateTiming.AfterHold;
        return new(tick.Earliest.MsSince(start) + shift, tick.Latest.MsSince(start) + shift);
    }
}
