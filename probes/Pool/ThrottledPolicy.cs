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
    public int? IdleChecksBeforeSleep => null;

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
            PoolInput.QueueLengthSeen seen => next with { QueueLength = seen.Items, Outstanding = seen.Items > 0 },
            PoolInput.Dequeued => next with { LastDequeue = input.At },
            PoolInput.WorkersSeen seen => next with
            {
                Existing = seen.Existing,
                LastCreation = seen.Existing > (state.Existing ?? 0) ? input.At : state.LastCreation,
            },
            PoolInput.TargetThreadsSeen { Reason: AdjustmentReason.Starvation } seen =>
                Looked(next) with { TargetThreads = seen.TargetThreads },
            PoolInput.TargetThreadsSeen seen => next with { TargetThreads = seen.TargetThreads },
            PoolInput.GateChecked => Looked(next),
            PoolInput.GateBegan => next with { LastCheck = input.At, CheckPeriodMs = clock.CheckMs },
            PoolInput.GateLost => next with { LastCheck = null },
            PoolInput.SettingsSeen seen => next with { Settings = seen.Settings },
            _ => next,
        };
    }

    public PoolCheck? NextCheck(PoolState state) =>
        state.LastCheck?.PlusMs(state.CheckPeriodMs) is { } at ? new PoolCheck(at, GateCheckKind.Periodic) : null;

    public Decision Decide(PoolState state, PoolCheck check) =>
        state.IsAtMax ? Hold(Mechanism.G8Ceiling, $"MaxThreads ({state.Settings.Max}) is reached")
        : state.Outstanding == false ? Hold(Mechanism.None, "no worker thread is requested")
        : Throttled(state, check);

    /// <summary>The number of threads added at once, without throttling.</summary>
    protected virtual int MinOf(PoolSettings settings) => settings.Min;

    /// <summary>The throttle's decision where items wait and MaxThreads is not reached.</summary>
    protected abstract Decision Throttled(PoolState state, PoolCheck check);

    /// <summary>The hold-off: adds one thread when the newest is older than <paramref name="needMs"/>.</summary>
    protected Decision HoldOff(PoolState state, PoolCheck check, double needMs)
    {
        if (state.LastCreation is not { } creation)
        {
            return new(DecisionKind.Undecided, Mechanism.G1GateTick, "it is not known when the newest thread was created");
        }

        var age = clock.Between(creation, check.At);
        var reached = clock.Reached(age, needMs);
        var numbers = $"{Format.Ms(age)} since the newest thread, {(reached ? "" : "not ")}{(clock.Strict ? ">" : "≥")}{needMs:0}";
        return reached ? Add(numbers) : Hold(Mechanism.G1GateTick, numbers);
    }

    protected static Decision Add(string why) =>
        new(DecisionKind.Add, Mechanism.G1GateTick, why) { Certainty = Certainty.Certain };

    protected static Decision Hold(Mechanism rule, string why) => new(DecisionKind.Hold, rule, why) { Certainty = Certainty.Impossible };

    // The queue length is stored only at checks that read it.
    PoolState Looked(PoolState state) => state with
    {
        LastCheck = state.Now,
        CheckPeriodMs = clock.CheckMs,
        QueueLengthAtCheck = state.QueueLength is > 0 and { } items && !state.IsAtMax ? items : state.QueueLengthAtCheck,
    };
}
