using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// Common rules of the pools before .NET 4. The target thread count equals the number of existing threads and never falls. The gate thread
/// sleeps 500 ms at a time.
/// </summary>
abstract class ThrottledPolicy(GateClock? clock, int workersPerProcessor) : IInjectionPolicy
{
    readonly GateClock clock = clock ?? GateClock.Exact;

    /// <summary>Null, because the gate thread of Rotor's source never sleeps longer than its period.</summary>
    public int? IdleChecksBeforeSleep => null;

    /// <summary>Returns the first state, with the limits of the simulated runtime: its own MaxThreads unless a lower one was set.</summary>
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

    public InjectionCheck? NextCheck(PoolState state) =>
        state.LastCheck?.PlusMs(state.CheckPeriodMs) is { } at ? new InjectionCheck(at, GateWakeReason.Periodic) : null;

    public Decision Decide(PoolState state, InjectionCheck check) =>
        state.IsAtMax ? Hold(Mechanism.G8Ceiling, new DecidingFact.MaxReached(state.Settings.Max))
        : state.Outstanding == false ? Hold(Mechanism.None, new DecidingFact.NoRequest())
        : Throttled(state, check);

    /// <summary>Returns the number of threads that the pool adds at once, without throttling.</summary>
    protected virtual int MinOf(PoolSettings settings) => settings.Min;

    /// <summary>Returns the throttle's decision when items wait and MaxThreads is not reached.</summary>
    protected abstract Decision Throttled(PoolState state, InjectionCheck check);

    /// <summary>Decides by the age of the newest thread, which must reach <paramref name="needMs"/> before one thread is added.</summary>
    protected Decision HoldOff(PoolState state, InjectionCheck check, double needMs)
    {
        if (state.LastCreation is not { } creation)
        {
            return new(DecisionKind.Undecided, Mechanism.G1GateTick, new DecidingFact.NewestUnknown());
        }

        var age = clock.Between(creation, check.At);
        DecidingFact.NewestAge fact = new(age, needMs, clock.Reached(age, needMs), clock.Strict);
        return fact.IsReached ? Add(fact) : Hold(Mechanism.G1GateTick, fact);
    }

    protected static Decision Add(DecidingFact fact) => new(DecisionKind.Add, Mechanism.G1GateTick, fact) { Certainty = Certainty.Certain };

    protected static Decision Hold(Mechanism rule, DecidingFact fact) =>
        new(DecisionKind.Hold, rule, fact) { Certainty = Certainty.Impossible };

    // Stores the queue length only if the check reads it, that is, below MaxThreads and with items.
    PoolState Looked(PoolState state) => state with
    {
        LastCheck = state.Now,
        CheckPeriodMs = clock.CheckMs,
        QueueLengthAtCheck = state.QueueLength is > 0 and { } items && !state.IsAtMax ? items : state.QueueLengthAtCheck,
    };
}

/// <summary>
/// The pool of .NET 1.1 as an article describes it (004 in fixtures/README.md). When overloaded, it starts threads "at the rate of one
/// every 500 milliseconds until it hits its upper limit", 25 per processor. Threads up to MinThreads are added at once.
/// </summary>
/// <remarks>
/// This class follows the article, because the source of .NET 1.1 is not published. Rotor's throttle (<see cref="RotorPolicy"/>) multiplies
/// the required time by 1.1 for each worker thread, but the article's graph of .NET 1.1 is a straight line. A possible reason is that .NET
/// 1.1 measured processor use and Rotor does not. Busy processors are not modelled. Each gate check adds a thread, whatever the age of the
/// newest one, so only the interval of the checks matters.
/// </remarks>
sealed class NetFramework11Policy(GateClock? clock = null) : ThrottledPolicy(clock, NetFramework11Policy.WorkersPerProcessor)
{
    /// <summary>Maximum number of threads per processor, documented for .NET 1.0 to 2.0; the article says "25 or so".</summary>
    public const int WorkersPerProcessor = 25;

    protected override Decision Throttled(PoolState state, InjectionCheck check) => Add(new DecidingFact.ItemsWait());
}

/// <summary>
/// The pool of .NET 3.5 as the article reports it (004 in fixtures/README.md). It adds "the first 15 or so threads quickly (as expected)",
/// that is, one per gate check as in .NET 1.1. Further threads come "at increasingly long intervals", an "exponential backoff" that looked
/// to the authors like Rotor's. The limit is 250 threads per processor.
/// </summary>
/// <remarks>
/// The number of fast threads follows the article. The growth follows the Shared Source CLI 2.0, which also multiplies by 1.1 per thread
/// (clr/src/vm/win32threadpool.cpp, SufficientDelaySinceLastSample). In that source, the exponent counts the threads above the number of
/// processors. Here, the exponent counts from the fifteenth thread, because the article saw fifteen threads start quickly on two
/// processors. The limit of 250 is documented for .NET 2.0 SP1 and 3.5, and remains as a constant in .NET Core's pool header.
/// </remarks>
sealed class NetFramework35Policy(GateClock? clock = null) : ThrottledPolicy(clock, NetFramework35Policy.WorkersPerProcessor)
{
    /// <summary>Maximum number of threads per processor, documented for .NET 2.0 SP1 and 3.5, and named in the article.</summary>
    public const int WorkersPerProcessor = 250;

    /// <summary>Number of threads added quickly: the article's "15 or so".</summary>
    public const int FastWorkers = 15;

    protected override Decision Throttled(PoolState state, InjectionCheck check)
    {
        var workers = state.Existing ?? state.Settings.Min;
        var fast = Math.Max(FastWorkers, state.Settings.Min);
        return workers < fast
            ? Add(new DecidingFact.EachCheckAdds(workers, fast))
            : HoldOff(state, check, RotorPolicy.HoldOffMs(workers, fast));
    }
}

/// <summary>
/// The pool of the Shared Source CLI 1.0 ("Rotor", 2002), which an article examined (003 in fixtures/README.md). Threads up to the number
/// of processors P are added at once. Above P, a gate check adds one if the queue has not shrunk since the last check and the newest of N
/// threads is older than 500 ms × 1.1^(N−P). The limit is 25 per processor. MinThreads and blocking compensation do not exist.
/// </summary>
/// <remarks>
/// This class follows the source (clr/src/vm/win32threadpool.cpp: ShouldGrowWorkerThreadPool, GrowWorkerThreadPoolIfStarvationSimple,
/// SufficientDelaySinceLastSample, GateThreadStart) where the article's table differs from the source. In the source, on one processor, the
/// second worker thread waits 500 ms and the twenty-fifth, the last possible, 4,477 ms. The exponent of the article's table is larger by
/// one: its first delay is 550 ms, and its last, "5.4 seconds for the 25th thread", never occurs. Article and source round these times up
/// to whole gate checks of 500 ms.
/// </remarks>
sealed class RotorPolicy(GateClock? clock = null) : ThrottledPolicy(clock, RotorPolicy.WorkersPerProcessor)
{
    /// <summary>Maximum number of threads per processor: MaxLimitCPThreadsPerCPU of the header that belongs to the source.</summary>
    public const int WorkersPerProcessor = 25;

    /// <summary>Interval of the gate checks, milliseconds: GATE_THREAD_DELAY of the source.</summary>
    public const double GateDelayMs = 500;

    /// <summary>Factor by which the required age grows with each thread: 1 + THROTTLE_RATE of the source.</summary>
    public const double Growth = 1.10;

    /// <summary>
    /// Returns the age that the newest thread must reach before one is added to <paramref name="workers"/> threads, milliseconds, rounded
    /// down as in the source.
    /// </summary>
    public static double HoldOffMs(int workers, int processors) =>
        Math.Floor(GateDelayMs * Math.Pow(Growth, Math.Max(0, workers - processors)));

    protected override int MinOf(PoolSettings settings) => settings.Processors;

    protected override Decision Throttled(PoolState state, InjectionCheck check) => state.QueueLength < state.QueueLengthAtCheck
        ? Hold(Mechanism.None, new DecidingFact.QueueShrinks(state.QueueLength, state.QueueLengthAtCheck))
        : HoldOff(state, check, HoldOffMs(state.Existing ?? state.Settings.Min, state.Settings.Processors));
}

/// <summary>
/// The native pool of .NET Framework 4 to .NET 5, without blocking compensation. <see cref="PortablePolicy"/> inherited its starvation
/// rule: one thread per gate check after more than 500 ms without a dequeue (with busy processors: target thread count × 1 s).
/// </summary>
/// <remarks>
/// Source: dotnet/coreclr, src/vm/win32threadpool.cpp of v1.0.0 to v3.1.32 (GateThreadStart, PerformGateActivities,
/// SufficientDelaySinceLastDequeue). Not modelled: a garbage collection during a gate check counts there as busy processors. The caller
/// supplies the clock: this pool ran mostly on Windows, whose timer decides whether each check or every second check adds a thread.
/// </remarks>
sealed class NativePolicy(GateClock clock) : IInjectionPolicy
{
    readonly PortablePolicy starvation = new(clock);

    public PoolState Start(PoolSettings settings) => starvation.Start(settings);

    public PoolState Apply(PoolState state, PoolInput input) => starvation.Apply(state, input switch
    {
        PoolInput.TaskWaitsSeen => new PoolInput.Time(input.At),
        PoolInput.TargetThreadsSeen { Reason: AdjustmentReason.CooperativeBlocking } => new PoolInput.Time(input.At),
        _ => input,
    });

    public InjectionCheck? NextCheck(PoolState state) => starvation.NextCheck(state);

    public Decision Decide(PoolState state, InjectionCheck check) => starvation.Decide(state, check);
}
