using Tpwatch.Reports;

namespace Tpwatch.Pool;

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
