using Tpwatch.Pool;

namespace Tpwatch.Ledger;

/// <summary>A tick of the gate that has gone by.</summary>
/// <param name="Tick">When the walk expects it.</param>
/// <param name="At">When it was, in stamps of the adjustment event, by the injection that ended the gap.</param>
/// <param name="Decision">What it had to decide.</param>
readonly record struct AskedTick(PoolTick Tick, EventTime At, Decision Decision);

/// <summary>The gate's ticks from the last known one to an injection, each asked whether it could, or had to, inject.</summary>
sealed class GateTicks(IInjectionPolicy policy, StarvationCase given)
{
    /// <summary>How far a tick may lie from the injection and still be the same tick: half a period.</summary>
    const double SameTickMs = GateTiming.AfterHold / 2;

    /// <summary>
    /// The ticks, the last of them the one that injected; null where the injection lies too far off to say which that is.
    /// </summary>
    public List<AskedTick>? Asked(BeatLog beats)
    {
        var walked = Walked();
        var fired = walked.FindIndex(w => w.At.MsSince(given.At) >= -SameTickMs);
        return fired < 0 ? null : Asked(walked.GetRange(0, fired + 1), beats);
    }

    /// <summary>The first one in any case, so that an injection that came too early has its measure.</summary>
    List<PoolTick> Walked() =>
        [.. GateWalk.From(policy, given.Before with { CooperativeDue = null }).Select(step => step.Tick).Take(GateTiming.MaxUnseenTicks)
            .TakeWhile((tick, index) => index == 0 || tick.At.MsSince(given.At) <= SameTickMs)];

    List<AskedTick> Asked(List<PoolTick> walked, BeatLog beats)
    {
        var asked = new List<AskedTick>();
        var state = given.Before with { CooperativeDue = null };
        for (var i = 0; i < walked.Count; i++)
        {
            var at = TimeOf(walked, i);
            var dequeue = given.Dequeues.Where(d => d < at).Select(d => (EventTime?)d).LastOrDefault() ?? given.Before.LastDequeue;
            state = dequeue is { } known && known != state.LastDequeue ? policy.Apply(state, new PoolInput.Dequeued(known)) : state;
            var cpu = beats.CpuAt(at);
            state = state with { Goal = GoalAt(at) };
            var completed = beats.MayHaveCompleted(at.PlusMs(-NeededMs(state, cpu)), at);
            state = policy.Apply(state, new PoolInput.Counted(at, completed, cpu, Outstanding: true)
            {
                CpuAtMost = beats.CpuAtMost(at),
            });
            var tick = new PoolTick(at, TickKind.Periodic);
            asked.Add(new(walked[i], at, policy.Decide(state with { CooperativeDue = PendingAt(at) }, tick)));
            state = GateWalk.After(policy, state, tick);
        }

        return asked;
    }

    /// <summary>The goal that held at a tick; of two of which either may have, the larger.</summary>
    int? GoalAt(EventTime at)
    {
        var held = given.Goals is [var first, ..] ? first.Before : given.Before.Goal;
        foreach (var move in given.Goals.TakeWhile(m => m.At <= at.PlusMs(GateTiming.EarlyMs)))
        {
            held = move.At <= at.PlusMs(-GateTiming.LateMs) ? move.After : Larger(held, move.After);
        }

        return held;
    }

    // Of a goal that is not known nobody says how large it is.
    static int? Larger(int? one, int? other) => one is { } a && other is { } b ? Math.Max(a, b) : null;

    /// <summary>
    /// How long nothing must have been dequeued at a tick with the processors so busy, milliseconds:
    /// what completes in that time sets the clock back.
    /// </summary>
    static double NeededMs(PoolState state, double? cpu) =>
        state.IsBusyAt(cpu) && state.Goal is { } goal ? GateTiming.BusyStarvationMs * goal : GateTiming.StarvationMs;

    /// <summary>The step that was due after a tick; none at the tick that injected, for it shows that none was.</summary>
    EventTime? PendingAt(EventTime at) =>
        at == given.At ? null : given.Steps.Where(s => s.From <= at && at < s.To).Select(s => (EventTime?)s.To).LastOrDefault();

    /// <summary>
    /// When tick <paramref name="index"/> was, in stamps of the adjustment event: counted back from the injection, but not later than
    /// counted forward from the worker's start, since ticks are late and never early. Where the injection lies off every tick, counting
    /// back from it says nothing about the ticks before.
    /// </summary>
    EventTime TimeOf(List<PoolTick> walked, int index)
    {
        var last = walked.Count - 1;
        if (index == last)
        {
            return given.At;
        }

        var back = given.At.PlusMs(-GateTiming.AfterHold * (last - index));
        if (back < walked[index].Earliest || (back > walked[index].Latest && given.Before.TickPeriodMs != GateTiming.AfterInjection))
        {
            return walked[index].At;
        }

        if (given.Dequeues.Length == 0 || given.Before.TickPeriodMs != GateTiming.AfterInjection)
        {
            return back;
        }

        var forward = given.Dequeues[0].PlusMs(GateTiming.AfterStart + GateTiming.AfterHold * index);
        return back < forward ? back : forward;
    }
}
