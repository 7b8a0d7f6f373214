using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Model;

/// <summary>
/// What the pools before .NET 4 have in common: no goal but the workers that exist, a gate that sleeps 500 ms at a time, no way down.
/// </summary>
static class ThrottledGate
{
    /// <summary>The settings in that runtime: its own limit unless a lower one was set.</summary>
    public static PoolSettings Within(PoolSettings settings, int min, int workersPerProcessor)
    {
        var most = settings.Processors * workersPerProcessor;
        return settings with { Min = min, Max = Math.Max(min, Math.Min(settings.Max ?? most, most)) };
    }

    public static PoolState Apply(PoolState state, PoolInput input, GateClock clock)
    {
        var next = state with { Now = input.At };
        return input switch
        {
            PoolInput.Queued => next with { Outstanding = true },
            PoolInput.BacklogSeen seen => next with { Backlog = seen.Items, Outstanding = seen.Items > 0 },
            PoolInput.Dequeued => next with { LastDequeue = input.At },
            PoolInput.WorkersSeen seen => next with
            {
                Existing = seen.Existing,
                LastCreation = seen.Existing > (state.Existing ?? 0) ? input.At : state.LastCreation,
            },
            PoolInput.GoalSeen { Reason: AdjustmentReason.Starvation } seen => Looked(next, clock) with { Goal = seen.Goal },
            PoolInput.GoalSeen seen => next with { Goal = seen.Goal },
            PoolInput.Ticked => Looked(next, clock),
            PoolInput.GateBegan => next with { LastTick = input.At, TickPeriodMs = clock.TickMs },
            PoolInput.GateLost => next with { LastTick = null },
            PoolInput.SettingsSeen seen => next with { Settings = seen.Settings },
            _ => next,
        };
    }

    public static PoolTick? NextTick(PoolState state) =>
        state.LastTick?.PlusMs(state.TickPeriodMs) is { } at ? new PoolTick(at, TickKind.Periodic) : null;

    /// <summary>What forbids a worker whatever the throttle says; null where nothing does.</summary>
    public static Decision? Forbidden(PoolState state) =>
        state.IsAtMax ? Hold(Mechanism.G8Ceiling, $"MaxThreads ({state.Settings.Max}) is reached")
        : state.Outstanding == false ? Hold(Mechanism.None, "no worker thread is requested")
        : null;

    /// <summary>The hold-off: one more worker when the newest is older than <paramref name="needMs"/>.</summary>
    public static Decision HoldOff(PoolState state, PoolTick tick, GateClock clock, double needMs)
    {
        if (state.LastCreation is not { } creation)
        {
            return new(DecisionKind.Undecided, Mechanism.G1GateTick, "it is not known when the newest thread was created");
        }

        var age = clock.Between(creation, tick.At);
        var reached = clock.Reached(age, needMs);
        var numbers = $"{Format.Ms(age)} since the newest thread, {(reached ? "" : "not ")}{(clock.Strict ? ">" : "≥")}{needMs:0}";
        return reached ? Add(numbers) : Hold(Mechanism.G1GateTick, numbers);
    }

    public static Decision Add(string why) => new(DecisionKind.Add, Mechanism.G1GateTick, why) { Certain = true };

    public static Decision Hold(Mechanism rule, string why) => new(DecisionKind.Hold, rule, why) { Possible = false };

    // The queue's length is remembered only by ticks that had a reason to look at it.
    static PoolState Looked(PoolState state, GateClock clock) => state with
    {
        LastTick = state.Now,
        TickPeriodMs = clock.TickMs,
        BacklogAtTick = state.Backlog is > 0 and { } items && !state.IsAtMax ? items : state.BacklogAtTick,
    };
}
