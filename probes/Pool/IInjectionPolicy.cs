using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// An algorithm by which a runtime adds worker threads, as a pure function of event time. The same policy judges past injection delays,
/// forecasts the next injection and simulates other settings, so each rule of the runtime is defined once.
/// </summary>
interface IInjectionPolicy
{
    /// <summary>
    /// Number of consecutive gate checks without queued work after which the gate thread sleeps; null when the gate thread never sleeps.
    /// The next item wakes the gate thread, and the period of the gate checks restarts.
    /// </summary>
    int? IdleChecksBeforeSleep => 2;

    /// <summary>Returns the state before any input.</summary>
    PoolState Start(PoolSettings settings);

    /// <summary>Returns the state after <paramref name="input"/>.</summary>
    PoolState Apply(PoolState state, PoolInput input);

    /// <summary>Returns the next gate check; null when the time of that check is not known.</summary>
    InjectionCheck? NextCheck(PoolState state);

    /// <summary>Returns the decision at a gate check, if no input comes before that check.</summary>
    Decision Decide(PoolState state, InjectionCheck check);

    /// <summary>
    /// Returns the future gate checks, each with the state just before it. Assumes that no input comes and that no check changes the target
    /// thread count. The sequence is endless; if the time of the next check is not known, the sequence is empty.
    /// </summary>
    sealed IEnumerable<(InjectionCheck Check, PoolState Before)> ChecksFrom(PoolState state)
    {
        while (NextCheck(state) is { } check)
        {
            yield return (check, state);
            state = After(state, check);
        }
    }

    /// <summary>
    /// Returns the state after a gate check. <paramref name="targetThreads"/> is the target thread count that the check set; null if the
    /// check did not change that count.
    /// </summary>
    sealed PoolState After(PoolState before, InjectionCheck check, int? targetThreads = null) => (check.Kind, targetThreads) switch
    {
        (GateWakeReason.Periodic, { } changed) =>
            Apply(before, new PoolInput.TargetThreadsSeen(check.At, changed, AdjustmentReason.Starvation)),
        (_, { } changed) => Apply(before, new PoolInput.TargetThreadsSeen(check.At, changed, AdjustmentReason.CooperativeBlocking)),
        (GateWakeReason.Periodic, _) => Apply(before, new PoolInput.GateChecked(check.At)),
        // If a compensation step changes nothing, all task waits are compensated for, and no further step is pending.
        _ => before with { CooperativeDue = null },
    };
}

/// <summary>The reason why the gate thread wakes.</summary>
enum GateWakeReason
{
    /// <summary>The period of the gate checks has elapsed.</summary>
    Periodic,

    /// <summary>The delay of a pending blocking compensation step has elapsed.</summary>
    CooperativeDelay,
}

/// <summary>
/// A time at which the pool checks whether to add a worker thread. <paramref name="At"/> is the most likely time; the check may run from
/// <see cref="Earliest"/> to <see cref="Latest"/>.
/// </summary>
readonly record struct InjectionCheck(EventTime At, GateWakeReason Kind)
{
    /// <summary>Earliest time at which the check may run.</summary>
    public EventTime Earliest => At.PlusMs(-GateTiming.EarlyMs);

    /// <summary>Latest time at which the check may run.</summary>
    public EventTime Latest => At.PlusMs(GateTiming.LateMs);
}

/// <summary>The outcome of a gate check.</summary>
enum DecisionKind
{
    /// <summary>A worker thread is added.</summary>
    Add,

    /// <summary>No thread is added.</summary>
    Hold,

    /// <summary>The target thread count falls, because fewer threads wait for tasks. Surplus threads stop when their item ends.</summary>
    Lower,

    /// <summary>Information for a decision is missing.</summary>
    Undecided,
}

/// <summary>
/// How certain a thread injection at a gate check is. The verdict on an injection delay uses only <see cref="Certainty.Impossible"/> and
/// <see cref="Certainty.Certain"/>, which allow for the greatest error of the coarse clock. The other values only explain the delay.
/// </summary>
enum Certainty
{
    /// <summary>A known fact excludes an injection, or too little time has passed even with the greatest clock error.</summary>
    Impossible,

    /// <summary>An injection is not expected, but an error of the clock or an unknown fact would allow one.</summary>
    Possible,

    /// <summary>The clock was not read, and the time since the last dequeue is within one clock step of the threshold.</summary>
    TooClose,

    /// <summary>The clock was read, but the time since the last dequeue is so close to the threshold that small errors decide.</summary>
    Borderline,

    /// <summary>An injection is expected, but an item may have been dequeued without an event.</summary>
    Likely,

    /// <summary>An injection is expected: enough time has passed by the clock, and no item was dequeued without an event.</summary>
    Expected,

    /// <summary>An injection is required even with the greatest clock error, and everything that could prevent one is ruled out.</summary>
    Certain,
}

/// <summary>The decision at a gate check, with its mechanism and the compared numbers.</summary>
/// <param name="Kind">The outcome.</param>
/// <param name="Mechanism">The mechanism that decided.</param>
/// <param name="Fact">The fact that decided; null where the time since the last dequeue decided.</param>
sealed record Decision(DecisionKind Kind, Mechanism Mechanism, DecidingFact? Fact = null)
{
    /// <summary>Threshold that the time since the last dequeue is compared with, milliseconds; 0 where a fact decided.</summary>
    public double NeedMs { get; init; }

    /// <summary>Whether the compared time runs from the last dispatch (.NET 11 and later) and not from the last dequeue.</summary>
    public bool ByDispatch { get; init; }

    /// <summary>Number of threads by which the target thread count changes; above 1 only if the number of task waits is known.</summary>
    public int Workers { get; init; } = 1;

    /// <summary>The time since the last dequeue as the runtime measures it, milliseconds; null when unknown or not relevant.</summary>
    public double? SinceDequeueMs { get; init; }

    /// <summary>How certain a thread injection at this check is.</summary>
    public Certainty Certainty { get; init; } = Kind == DecisionKind.Add ? Certainty.Expected : Certainty.Possible;

    /// <summary>Whether the decision stays the same even if an inferred time is slightly wrong or a dequeue was not seen.</summary>
    public bool IsSure => Certainty is not (Certainty.TooClose or Certainty.Borderline or Certainty.Likely);

    /// <summary>Whether the processors may have been busy at this check despite a low average; the longer threshold then applied.</summary>
    public bool MayBeBusy { get; init; }
}

/// <summary>A fact that decides at a gate check, with its numbers. Times are in milliseconds.</summary>
abstract record DecidingFact
{
    /// <summary>The target thread count is at <paramref name="Max"/>, the value of MaxThreads.</summary>
    public sealed record MaxReached(int? Max) : DecidingFact;

    /// <summary>A setting of the process switches starvation detection off.</summary>
    public sealed record DetectionOff : DecidingFact;

    /// <summary>A compensation step for a task wait is due later than this check.</summary>
    public sealed record StepPending : DecidingFact;

    /// <summary>No worker thread is requested.</summary>
    public sealed record NoRequest : DecidingFact;

    /// <summary>The time of the last dequeue, or of the last dispatch on .NET 11 and later, is not known.</summary>
    public sealed record DequeueUnknown(bool ByDispatch) : DecidingFact;

    /// <summary>Blocking compensation raises the target thread count up to <paramref name="Threads"/> without delay.</summary>
    public sealed record AtOnce(int Threads) : DecidingFact;

    /// <summary>Blocking compensation adds a thread after a delay that depends on the target thread count.</summary>
    public sealed record AfterDelay(double DelayMs, int TargetThreads) : DecidingFact;

    /// <summary>The target thread count compensates for all task waits already.</summary>
    public sealed record Compensated(int TargetThreads, int TaskWaits) : DecidingFact;

    /// <summary>The creation time of the newest thread is not known.</summary>
    public sealed record NewestUnknown : DecidingFact;

    /// <summary>The age of the newest thread, compared with the required age. In a strict comparison, an equal age is not enough.</summary>
    public sealed record NewestAge(double AgeMs, double NeedMs, bool IsReached, bool IsStrict) : DecidingFact;

    /// <summary>Items wait, and each gate check adds a thread.</summary>
    public sealed record ItemsWait : DecidingFact;

    /// <summary>Each gate check adds a thread until <paramref name="Fast"/> threads exist.</summary>
    public sealed record EachCheckAdds(int Existing, int Fast) : DecidingFact;

    /// <summary>The queue is shorter than at the previous gate check.</summary>
    public sealed record QueueShrinks(long? Items, long? Before) : DecidingFact;
}
