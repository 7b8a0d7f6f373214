using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// The intervals of the gate checks, milliseconds. The wait is 500 ms plus the kernel's wake-up; a check that injects a thread also waits
/// until it has started. Measured over 870 checks on three runtimes.
/// </summary>
static class GateTiming
{
    /// <summary>From a check that injected a thread to the next check.</summary>
    public const double AfterInjection = 500.85;

    /// <summary>From a check that did not inject to the next check.</summary>
    public const double AfterHold = 500.29;

    /// <summary>From the injected worker thread's start to the next check.</summary>
    public const double AfterStart = 500.34;

    /// <summary>From an injection to the new worker thread's dequeue, when its start was not seen.</summary>
    public const double InjectionToDequeue = 0.45;

    /// <summary>From the gate thread's start to its first check.</summary>
    public const double FirstCheck = 500.4;

    /// <summary>The time since the last dequeue that must be exceeded to inject a thread.</summary>
    public const double StarvationMs = 500;

    /// <summary>Dequeues a second from which on starvation is hardly ever detected: one per <see cref="StarvationMs"/>.</summary>
    public const double KeepsAsleepPerSecond = 1000 / StarvationMs;

    /// <summary>
    /// The time since the last dequeue, per thread of the target thread count, that must be exceeded when the processors are busy.
    /// </summary>
    public const double BusyStarvationMs = 1000;

    /// <summary>Processor use from which the processors count as busy, share of all processors.</summary>
    public const double BusyCpu = 0.80;

    /// <summary>
    /// How early a check may come: by one step of the coarse clock (4 ms), from which the remaining wait is computed, plus a millisecond or
    /// so, since the event before it is stamped after that clock was read.
    /// </summary>
    public const double EarlyMs = 5.5;

    /// <summary>How late a check may come on a quiet machine; together with <see cref="EarlyMs"/> a window is 20 ms wide.</summary>
    public const double LateMs = 14.5;

    /// <summary>
    /// Wake-up noise accumulates from check to check: after more unseen checks than this, their phase is not known to within a window.
    /// </summary>
    public const int MaxUnseenChecks = 12;
}

/// <summary>
/// The timing of a gate thread, given rather than measured: the interval of its checks, the resolution of its clock, and its comparison.
/// Depending on these three, the rule for starvation adds one thread a second or two.
/// </summary>
/// <param name="CheckMs">Interval of the gate checks, milliseconds, including the wake-up.</param>
/// <param name="StepMs">Step of the clock, milliseconds.</param>
/// <param name="Strict">Whether an age must exceed the threshold; otherwise the threshold itself is enough.</param>
sealed record GateClock(double CheckMs, double StepMs, bool Strict = true)
{
    /// <summary>
    /// A clock of 1 ms and a gate thread that wakes 0.1 ms late: an item dequeued just after a check is 500 ms old at the next one, which
    /// is not more than 500.
    /// </summary>
    public static GateClock Ideal { get; } = new(500.1, 1);

    /// <summary>A sleep of 500 ms that takes exactly 500 ms.</summary>
    public static GateClock Exact { get; } = new(500, 1);

    /// <summary>
    /// The measured Linux machine: its clock steps by 4 ms (250 interrupts a second), and its gate checks are 500.3 to 500.85 ms apart
    /// (<see cref="GateTiming"/>), taken here as even.
    /// </summary>
    public static GateClock LinuxMeasured { get; } = new(500.6, 4);

    /// <summary>
    /// A hypothesis: Windows with its default timer, which interrupts 64 times a second, so that 500 ms become 33 interrupts. It follows
    /// from the timer's documented period; no Windows machine was measured.
    /// </summary>
    public static GateClock WindowsHypothesis { get; } = new(33 * 1000 / 64.0, 1000 / 64.0);

    /// <summary>The time between two moments on this clock, milliseconds.</summary>
    public double Between(EventTime from, EventTime to) => Value(to) - Value(from);

    /// <summary>Whether <paramref name="ms"/> reaches the threshold of a rule.</summary>
    public bool Reached(double ms, double needMs) => Strict ? ms > needMs : ms >= needMs;

    double Value(EventTime at) => Math.Floor(at.Milliseconds / StepMs) * StepMs;
}

/// <summary>A gate check of a walk, with the state just before it.</summary>
/// <param name="Tick">The gate check.</param>
/// <param name="Before">The policy's state just before it.</param>
readonly record struct WalkedCheck(PoolCheck Tick, PoolState Before);

/// <summary>
/// Walks over the gate checks of a pool, past or future. The judgement of injection delays, the open delay, the forecast, the simulation of
/// a draining queue and what-if all use it: how one check leads to the next is defined only here and in the policy.
/// </summary>
static class GateWalk
{
    /// <summary>
    /// The gate checks after a state, if only time passes and no check changes the target thread count; endless where there is a gate
    /// thread.
    /// </summary>
    public static IEnumerable<WalkedCheck> From(IInjectionPolicy policy, PoolState state)
    {
        while (policy.NextCheck(state) is { } check)
        {
            yield return new(check, state);
            state = After(policy, state, check);
        }
    }

    /// <summary>The state after a gate check.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="before">The state before it.</param>
    /// <param name="check">The gate check.</param>
    /// <param name="targetThreads">The target thread count that it set; null when unchanged.</param>
    public static PoolState After(IInjectionPolicy policy, PoolState before, PoolCheck check, int? targetThreads = null) =>
        (check.Kind, targetThreads) switch
        {
            (var kind, { } changed) => policy.Apply(before, new PoolInput.TargetThreadsSeen(check.At, changed, ReasonOf(kind))),
            (GateCheckKind.Periodic, _) => policy.Apply(before, new PoolInput.GateChecked(check.At)),
            // No task wait was left to compensate for.
            _ => before with { CooperativeDue = null },
        };

    /// <summary>The reason in the adjustment event of a change made by a check of this kind.</summary>
    static AdjustmentReason ReasonOf(GateCheckKind kind) =>
        kind == GateCheckKind.Periodic ? AdjustmentReason.Starvation : AdjustmentReason.CooperativeBlocking;
}
