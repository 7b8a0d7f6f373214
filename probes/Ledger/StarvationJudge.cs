using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Ledger.Beats;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>One injection by the gate with what was known before it.</summary>
/// <param name="Before">The policy's state at the gate's last known tick, or without a tick when its phase is not known.</param>
/// <param name="Dequeues">Dequeues seen since then, oldest first.</param>
/// <param name="At">The adjustment's event time.</param>
/// <param name="GoalAfter">The new goal.</param>
sealed record StarvationCase(PoolState Before, ImmutableArray<EventTime> Dequeues, EventTime At, int GoalAfter)
{
    /// <summary>From each step for task waits since that tick to the moment at which the next one was due.</summary>
    public ImmutableArray<EventSpan> Steps { get; init; } = [];

    /// <summary>
    /// The time without a dequeue that the injection shows, within the capture: since the gate's last tick if nothing completed since, else
    /// the 500 ms that the gate's rule asks for.
    /// </summary>
    public EventSpan WithoutDequeue(BeatLog beats, EventTime captureStart) =>
        Before.LastTick is { } tick && At.MsSince(tick) < GateTiming.MaxUnseenTicks * GateTiming.AfterHold
        && beats.MayHaveCompleted(tick, At) == false
            ? new(tick, At)
            : new(EventTime.Max(captureStart, At.PlusMs(-GateTiming.StarvationMs)), At);
}

/// <summary>
/// Judges a starvation gap (G1, G2): a whole number of gate ticks, of which each is asked whether it could, or had to, inject.
/// </summary>
sealed class StarvationJudge(IInjectionPolicy policy)
{
    /// <summary>How far a wake may lie from the injection and still be the same tick: half a period.</summary>
    const double SameTickMs = GateTiming.AfterHold / 2;

    public Gap Judge(int number, StarvationCase given, BeatLog beats)
    {
        var start = StartOf(given);
        var gap = new Gap
        {
            Number = number,
            Start = start,
            StartBasis = start is null ? Basis.Unknown : Basis.Observed,
            End = given.At,
            EndBasis = Basis.Observed,
            Reason = AdjustmentReason.Starvation,
            GoalBefore = given.Before.Goal ?? given.GoalAfter - 1,
            GoalAfter = given.GoalAfter,
            Verdict = GapVerdict.NotTimed,
            Rule = GapRule.G1GateTick,
            Because = "",
            Cpu = beats.CpuAt(given.At),
            Backlog = beats.BacklogAround(given.At),
        };
        return start is { } dequeue && given.Before.LastTick is null && IsStale(dequeue, given.At, beats)
            ? Untimed(gap with { Start = null, StartBasis = Basis.Unknown }, given)
            : start is null || given.Before.LastTick is null ? Untimed(gap, given)
            : Timed(gap, given, beats);
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
        Because = $"The gate adds one worker at a tick that finds nothing {given.Before.Settings.ClockDone} for more than 500 "
            + "ms. When its ticks fall is not known "
            + "before its first injection; this one shows it.",
    };

    Gap Timed(Gap gap, StarvationCase given, BeatLog beats)
    {
        var wakes = Wakes(given);
        var fired = wakes.FindIndex(w => w.At.MsSince(given.At) >= -SameTickMs);
        if (fired < 0)
        {
            return gap with
            {
                Because =
                    $"{Format.Duration(gap.ObservedMs ?? 0)} hold more than {GateTiming.MaxUnseenTicks} unseen ticks; their phase is not "
                        + "known to within a window any more. This injection shows it again.",
            };
        }

        var decisions = Decide(given, wakes.GetRange(0, fired + 1), beats);
        var ticks = Describe(given, decisions, beats);
        var judged = Verdict(gap with { Ticks = ticks }, decisions, fired);
        return judged with { Because = StarvationSentence.Of(judged, given.Before.Settings) };
    }

    /// <summary>
    /// The gate's looks from the last known tick to the injection; the first one in any case, so
    /// that one that came too early has its measure.
    /// </summary>
    List<Wake> Wakes(StarvationCase given)
    {
        var wakes = new List<Wake>();
        var state = given.Before with { CooperativeDue = null };
        while (wakes.Count < GateTiming.MaxUnseenTicks && policy.NextWake(state) is { } wake
            && (wakes.Count == 0 || wake.At.MsSince(given.At) <= SameTickMs))
        {
            wakes.Add(wake);
            state = policy.Apply(state, new PoolInput.Ticked(wake.At));
        }

        return wakes;
    }

    List<(Wake Wake, EventTime At, Decision Decision)> Decide(StarvationCase given, List<Wake> wakes, BeatLog beats)
    {
        var decisions = new List<(Wake, EventTime, Decision)>();
        var state = given.Before with { CooperativeDue = null };
        for (var i = 0; i < wakes.Count; i++)
        {
            var at = TickTime(given, wakes, i);
            var dequeue = given.Dequeues.Where(d => d < at).Select(d => (EventTime?)d).LastOrDefault() ?? given.Before.LastDequeue;
            state = dequeue is { } known && known != state.LastDequeue ? policy.Apply(state, new PoolInput.Dequeued(known)) : state;
            var cpu = beats.CpuAt(at);
            state = policy.Apply(
                state, new PoolInput.Counted(at, beats.MayHaveCompleted(at.PlusMs(-NeededMs(state, cpu)), at), cpu, Outstanding: true));
            decisions.Add((wakes[i], at, policy.Decide(state with { CooperativeDue = PendingAt(given, at) }, new Wake(at, WakeKind.Tick))));
            state = policy.Apply(state, new PoolInput.Ticked(at));
        }

        return decisions;
    }

    /// <summary>
    /// How long nothing must have been dequeued at a tick with the processors so busy, milliseconds:
    /// what completes in that time sets the clock back.
    /// </summary>
    static double NeededMs(PoolState state, double? cpu) =>
        state.IsBusyAt(cpu) && state.Goal is { } goal ? GateTiming.BusyStarvationMs * goal : GateTiming.StarvationMs;

    /// <summary>The step that was due after a tick; none at the tick that injected, for it shows that none was.</summary>
    static EventTime? PendingAt(StarvationCase given, EventTime at) =>
        at == given.At ? null : given.Steps.Where(s => s.From <= at && at < s.To).Select(s => (EventTime?)s.To).LastOrDefault();

    /// <summary>
    /// When tick <paramref name="index"/> was, in stamps of the adjustment event: counted back from the injection, but not later than
    /// counted forward from the worker's start, since wakes are late and never early. Where the injection lies off every wake, counting
    /// back from it says nothing about the ticks before.
    /// </summary>
    static EventTime TickTime(StarvationCase given, List<Wake> wakes, int index)
    {
        var last = wakes.Count - 1;
        if (index == last)
        {
            return given.At;
        }

        var back = given.At.PlusMs(-GateTiming.AfterHold * (last - index));
        if (back < wakes[index].Earliest || (back > wakes[index].Latest && given.Before.TickPeriodMs != GateTiming.AfterInjection))
        {
            return wakes[index].At;
        }

        if (given.Dequeues.Length == 0 || given.Before.TickPeriodMs != GateTiming.AfterInjection)
        {
            return back;
        }

        var forward = given.Dequeues[0].PlusMs(GateTiming.AfterStart + GateTiming.AfterHold * index);
        return back < forward ? back : forward;
    }

    static ImmutableArray<GateTick> Describe(
        StarvationCase given, List<(Wake Wake, EventTime At, Decision Decision)> decisions, BeatLog beats)
    {
        var ticks = ImmutableArray.CreateBuilder<GateTick>(decisions.Count);
        for (var i = 0; i < decisions.Count; i++)
        {
            var (_, at, decision) = decisions[i];
            var fired = i == decisions.Count - 1;
            ticks.Add(new(
                fired ? given.At : at, decision.SinceDequeueMs, beats.CpuAt(at), fired, TickSentence.Of(decision, fired, at, beats),
                decision.Certain || (decision.Sure && fired == (decision.Kind == DecisionKind.Add)),
                fired ? Basis.Observed : Basis.Inferred)
            {
                Answer = decision.Kind == DecisionKind.Undecided ? null : decision.Kind == DecisionKind.Add,
            });
        }

        return ticks.ToImmutable();
    }

    static Gap Verdict(Gap gap, List<(Wake Wake, EventTime At, Decision Decision)> decisions, int fired)
    {
        var start = gap.Start!.Value;
        var windows = decisions.Where(d => d.Decision.Possible && d.Wake.Latest > start)
            .Select(d => new GapWindow(d.Wake.Earliest.MsSince(start), d.Wake.Latest.MsSince(start))).ToImmutableArray();
        var observed = gap.ObservedMs!.Value;
        var missed = decisions.FindIndex(0, fired, d => d.Decision.Certain);
        var rule = decisions[fired].Decision.Rule;
        var verdict = missed >= 0 ? GapVerdict.Late
            : windows.Any(w => observed >= w.MinMs && observed <= w.MaxMs) ? GapVerdict.Fits
            : windows.Length == 0 || observed < windows[0].MinMs ? GapVerdict.Early
            : GapVerdict.Late;
        return gap with
        {
            Windows = windows.IsEmpty ? [FirstAllowed(decisions[fired].Wake, start, observed)] : windows,
            Verdict = verdict,
            Rule = rule,
        };
    }

    /// <summary>Where no tick up to the injection could add: the tick it came before, or the one after it.</summary>
    static GapWindow FirstAllowed(Wake wake, EventTime start, double observed)
    {
        var shift = observed < wake.Earliest.MsSince(start) ? 0 : GateTiming.AfterHold;
        return new(wake.Earliest.MsSince(start) + shift, wake.Latest.MsSince(start) + shift);
    }
}
