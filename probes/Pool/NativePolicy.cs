using Tpwatch.Reports;

namespace Tpwatch.Pool;

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
