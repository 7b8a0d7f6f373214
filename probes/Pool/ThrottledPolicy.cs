using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// The common rules of the pools before .NET 4: the target thread count equals the existing threads and never falls, and the gate thread
/// sleeps 500 ms at a time.
/// </summary>
abstract class ThrottledPolicy(GateClock? clock, int workersPerProcessor) : IInjectionPolicy
{
    readonly GateClock clock = clock ?? GateClock.Exact;

    /// <summary>The gate thread of Rotor's source never sleeps longer.</summary>
    public int? IdleTicksBeforeSleep => null;

    /// <summary>The state with the settings in that runtime: its own limit, unless a lower one was set.</summary>
    public PoolState Start(PoolSettings settings)
    {
        var (min, most) = (MinOf(settings), settings.Processors * workersPerProcessor);
        return new() { Settings = settings with { Min = min, Max = Math.Max(min, Math.Min(settings.Max ?? most, most)) } };
    }

    public PoolState Apply(PoolState state, PoolInput input)
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
            PoolInput.GoalSeen { Reason: AdjustmentReason.Starvation } seen => Looked(next) with { Goal = seen.Goal },
            PoolInput.GoalSeen seen => next with { Goal = seen.Goal },
            PoolInput.Ticked => Looked(next),
            PoolInput.GateBegan => next with { LastTick = input.At, TickPeriodMs = clock.TickMs },
            PoolInput.GateLost => next with { LastTick = null },
            PoolInput.SettingsSeen seen => next with { Settings = seen.Settings },
            _ => next,
        };
    }

    public PoolTick? NextTick(PoolState state) =>
        state.LastTick?.PlusMs(state.TickPeriodMs) is { } at ? new PoolTick(at, TickKind.Periodic) : null;

    public Decision Decide(PoolState state, PoolTick tick) =>
        state.IsAtMax ? Hold(Mechanism.G8Ceiling, $"MaxThreads ({state.Settings.Max}) is reached")
        : state.Outstanding == false ? Hold(Mechanism.None, "no worker thread is requested")
        : Throttled(state, tick);

    /// <summary>The number of threads added at once, without throttling.</summary>
    protected virtual int MinOf(PoolSettings settings) => settings.Min;

    /// <summary>The throttle's decision where items wait and MaxThreads is not reached.</summary>
    protected abstract Decision Throttled(PoolState state, PoolTick tick);

    /// <summary>The hold-off: adds one thread when the newest is older than <paramref name="needMs"/>.</summary>
    protected Decision HoldOff(PoolState state, PoolTick tick, double needMs)
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

    protected static Decision Add(string why) => new(DecisionKind.Add, Mechanism.G1GateTick, why) { Certain = true };

    protected static Decision Hold(Mechanism rule, string why) => new(DecisionKind.Hold, rule, why) { Possible = false };

    // The queue length is stored only at checks that read it.
    PoolState Looked(PoolState state) => state with
    {
        LastTick = state.Now,
        TickPeriodMs = clock.TickMs,
        BacklogAtTick = state.Backlog is > 0 and { } items && !state.IsAtMax ? items : state.BacklogAtTick,
    };
}
