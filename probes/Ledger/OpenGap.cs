using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>The wait that goes on right now, with the moments at which the rule may end it if nothing else happens.</summary>
static class OpenGap
{
    /// <summary>More than the next two moments are not worth saying.</summary>
    const int MaxWindows = 2;

    /// <summary>The open gap after the last rise of the goal, or null when nothing waits or the next moments are not known.</summary>
    public static Gap? After(EventTime? lastRise, EventTime now, PoolState state, IInjectionPolicy policy, BeatLog beats, int number)
    {
        if (lastRise is not { } rise || beats.Last is not { Backlog: > 0 } beat || now.MsSince(rise) > Horizon)
        {
            return null;
        }

        var (windows, rule) = Ahead(rise, now, state, policy);
        return windows.IsEmpty ? null : new()
        {
            Number = number,
            Start = rise,
            StartBasis = Basis.Observed,
            End = now,
            EndBasis = Basis.Observed,
            GoalBefore = state.Goal,
            GoalAfter = state.Goal,
            Windows = windows,
            Verdict = GapVerdict.Open,
            Mechanism = rule,
            Because = Next(rule),
            Cpu = beat.Cpu,
            Backlog = beat.Backlog,
        };
    }

    // When it comes is told once, by the forecast, which also knows which of the moments is likely.
    static string Next(Mechanism rule) => rule switch
    {
        Mechanism.G4CooperativeStep => "Items still wait. If threads still wait for tasks, the pool adds the next thread.",
        Mechanism.G2CpuThrottle => "Items still wait. While the processors are busy, the pool waits longer before it adds a thread.",
        _ => "Items still wait. Unless an item is dequeued first, one of the next gate checks adds a thread.",
    };

    static double Horizon => GateTiming.MaxUnseenTicks * GateTiming.AfterHold;

    static (ImmutableArray<GapWindow> Windows, Mechanism Mechanism) Ahead(
        EventTime rise, EventTime now, PoolState state, IInjectionPolicy policy)
    {
        var windows = ImmutableArray.CreateBuilder<GapWindow>();
        var rule = Mechanism.None;
        foreach (var (tick, known) in GateWalk.From(policy, state).TakeWhile(l => l.Tick.At.MsSince(rise) < Horizon))
        {
            if (tick.Latest <= now || policy.Decide(known, tick) is not { Possible: true } decision)
            {
                continue;
            }

            windows.Add(new(tick.Earliest.MsSince(rise), tick.Latest.MsSince(rise)));
            rule = rule == Mechanism.None ? decision.Mechanism : rule;
            if (windows.Count == MaxWindows)
            {
                break;
            }
        }

        return (windows.ToImmutable(), rule);
    }
}
