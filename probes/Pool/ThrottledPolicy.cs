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

/// <summary>
/// The pool of .NET 1.1 as article 004 observed it for seven years: overloaded, it starts worker threads "at the rate of one every 500
/// milliseconds until it hits its upper limit", 25 per processor. Threads up to MinThreads are added at once, as in every version.
/// </summary>
/// <remarks>
/// This follows the article, not published source. Rotor's throttle (<see cref="RotorPolicy"/>) multiplies the time by 1.1 for each worker
/// thread, but the article's graph of .NET 1.1 is a straight line. The product's source is not published; Rotor does not measure processor
/// use, which the product did, and that may be the difference. So this class encodes an observation, and says nothing about busy
/// processors. One thread per gate check needs no comparison of ages, so only the interval of the clock matters.
/// </remarks>
sealed class Clr11Policy(GateClock? clock = null) : ThrottledPolicy(clock, Clr11Policy.WorkersPerProcessor)
{
    /// <summary>Threads per processor at most, documented for .NET 1.0 to 2.0; the article says "25 or so".</summary>
    public const int WorkersPerProcessor = 25;

    protected override Decision Throttled(PoolState state, PoolCheck check) => Add("work waits at a gate check");
}

/// <summary>
/// The pool of .NET 3.5 as article 004 reports it: "the first 15 or so threads quickly (as expected)", which is one per gate check as in
/// .NET 1.1, then "at increasingly long intervals", an "exponential backoff" that looked to the authors like Rotor's; at most 250 threads
/// per processor.
/// </summary>
/// <remarks>
/// The shape follows the article, the growth the published source: the throttle of the Shared Source CLI 2.0 multiplies by 1.1 like Rotor's
/// (clr/src/vm/win32threadpool.cpp, SufficientDelaySinceLastSample), but counts from the number of processors, so that it would slow down
/// from the first worker thread on; the article saw fifteen start quickly on machines with two processors. Here the exponent counts from
/// the fifteenth. The limit of 250 is documented for .NET 2.0 SP1 and 3.5, and remains as a constant in the header of .NET Core's pool.
/// </remarks>
sealed class Clr35Policy(GateClock? clock = null) : ThrottledPolicy(clock, Clr35Policy.WorkersPerProcessor)
{
    /// <summary>Threads per processor at most, documented for .NET 2.0 SP1 and 3.5, and named in the article.</summary>
    public const int WorkersPerProcessor = 250;

    /// <summary>Number of threads added quickly: the article's "15 or so".</summary>
    public const int FastWorkers = 15;

    protected override Decision Throttled(PoolState state, PoolCheck check)
    {
        var workers = state.Existing ?? state.Settings.Min;
        var fast = Math.Max(FastWorkers, state.Settings.Min);
        return workers < fast
            ? Add($"{workers} threads exist, and each gate check adds one up to {fast}")
            : HoldOff(state, check, RotorPolicy.HoldOffMs(workers, fast));
    }
}

/// <summary>
/// The pool of the Shared Source CLI 1.0 ("Rotor", 2002), the source that article 003 examined: threads up to the number of processors P at
/// once; then one at a gate check, if the queue has not shrunk since the previous check and the newest of N worker threads is older than
/// 500 ms × 1.1^(N−P); at most 25 per processor. It has no MinThreads and no blocking compensation, and does not measure processor use.
/// </summary>
/// <remarks>
/// This follows the source (clr/src/vm/win32threadpool.cpp: ShouldGrowWorkerThreadPool, GrowWorkerThreadPoolIfStarvationSimple,
/// SufficientDelaySinceLastSample, GateThreadStart) where the article's table differs from it. The exponent is N−P, so on one
/// processor the second worker thread waits 500 ms and the twenty-fifth, the last possible, 4,477 ms. The article's table begins one
/// power further, at 550 ms, and goes on to 1.1^25, "5.4 seconds for the 25th thread", which no thread ever waits. These times are
/// rounded up to the gate's 500 ms, by the article and by the source.
/// </remarks>
sealed class RotorPolicy(GateClock? clock = null) : ThrottledPolicy(clock, RotorPolicy.WorkersPerProcessor)
{
    /// <summary>MaxLimitCPThreadsPerCPU of the header that belongs to the source: threads per processor at most.</summary>
    public const int WorkersPerProcessor = 25;

    /// <summary>GATE_THREAD_DELAY of the source, milliseconds.</summary>
    public const double GateDelayMs = 500;

    /// <summary>1 + THROTTLE_RATE of the source: growth of the required age per thread.</summary>
    public const double Growth = 1.10;

    /// <summary>
    /// The age of the newest thread that the throttle requires before it adds one to <paramref name="workers"/>, whole milliseconds as in
    /// the source.
    /// </summary>
    public static double HoldOffMs(int workers, int processors) =>
        Math.Floor(GateDelayMs * Math.Pow(Growth, Math.Max(0, workers - processors)));

    protected override int MinOf(PoolSettings settings) => settings.Processors;

    protected override Decision Throttled(PoolState state, PoolCheck check) => state.QueueLength < state.QueueLengthAtCheck
        ? Hold(Mechanism.None, $"{state.QueueLength} items wait, {state.QueueLengthAtCheck} at the check before: the queue shrinks")
        : HoldOff(state, check, HoldOffMs(state.Existing ?? state.Settings.Min, state.Settings.Processors));
}

/// <summary>
/// The native pool of .NET Framework 4 to .NET 5: the starvation rule that <see cref="PortablePolicy"/> inherited from it (one thread per
/// gate check after more than 500 ms without a dequeue; target thread count × 1 s with busy processors), without blocking compensation.
/// </summary>
/// <remarks>
/// Source: dotnet/coreclr, src/vm/win32threadpool.cpp of v1.0.0 to v3.1.32 (GateThreadStart, PerformGateActivities,
/// SufficientDelaySinceLastDequeue). Not modelled: a garbage collection during a gate check counts there as busy processors. The caller
/// supplies the clock, since this pool ran mostly on Windows, whose timer determines whether each check or every second one is late enough.
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

    public PoolCheck? NextCheck(PoolState state) => starvation.NextCheck(state);

    public Decision Decide(PoolState state, PoolCheck check) => starvation.Decide(state, check);
}
