using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// The pool of the Shared Source CLI 1.0 ("Rotor", 2002), the text that article 003 looked into: at once up to the number of processors P,
/// then at a gate tick, when the queue has not shrunk since the tick before and the newest of N workers is older than 500 ms × 1.1^(N−P);
/// at most 25 a processor. Neither min nor task waits exist for it, and it measures no processor use.
/// </summary>
/// <remarks>
/// Followed is the source (clr/src/vm/win32threadpool.cpp: ShouldGrowWorkerThreadPool, GrowWorkerThreadPoolIfStarvationSimple,
/// SufficientDelaySinceLastSample, GateThreadStart) where the article's table differs from it. The power is N−P, so that on one
/// processor the second worker waits 500 ms and the twenty-fifth, the last there is, 4,477 ms. The article's table begins one power
/// further, at 550 ms, and goes on to 1.1^25, "5.4 seconds for the 25th thread", which no worker ever waits. That these times are rounded
/// up to the gate's 500 ms, as the article says, is the source's, too.
/// </remarks>
sealed class RotorPolicy(GateClock? clock = null) : ThrottledPolicy(clock, RotorPolicy.WorkersPerProcessor)
{
    /// <summary>MaxLimitCPThreadsPerCPU of the header beside the source.</summary>
    public const int WorkersPerProcessor = 25;

    /// <summary>GATE_THREAD_DELAY of the source, milliseconds.</summary>
    public const double GateDelayMs = 500;

    /// <summary>1 + THROTTLE_RATE of the source.</summary>
    public const double Growth = 1.10;

    /// <summary>
    /// The wait for one more worker that the throttle asks for beyond <paramref name="workers"/>, whole milliseconds as in the source.
    /// </summary>
    public static double HoldOffMs(int workers, int processors) =>
        Math.Floor(GateDelayMs * Math.Pow(Growth, Math.Max(0, workers - processors)));

    protected override int MinOf(PoolSettings settings) => settings.Processors;

    protected override Decision Throttled(PoolState state, PoolTick tick) => state.Backlog < state.BacklogAtTick
        ? Hold(Mechanism.None, $"{state.Backlog} items wait, {state.BacklogAtTick} at the check before: the queue shrinks")
        : HoldOff(state, tick, HoldOffMs(state.Existing ?? state.Settings.Min, state.Settings.Processors));
}
