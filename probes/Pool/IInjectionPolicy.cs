using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// A runtime's algorithm for adding worker threads, as a pure function over event time. The ledger applies it to the past, a forecast to
/// the next second, and a what-if to other settings; each rule of the runtime is defined once, here.
/// </summary>
interface IInjectionPolicy
{
    /// <summary>
    /// The number of consecutive gate checks without queued work after which the gate thread sleeps; its period then restarts with the next
    /// item. Null: it never sleeps.
    /// </summary>
    int? IdleChecksBeforeSleep => 2;

    /// <summary>The state before any input.</summary>
    PoolState Start(PoolSettings settings);

    /// <summary>The state after <paramref name="input"/>.</summary>
    PoolState Apply(PoolState state, PoolInput input);

    /// <summary>The next gate check; null when its moment is not known.</summary>
    PoolCheck? NextCheck(PoolState state);

    /// <summary>The decision at a gate check, if no input precedes it.</summary>
    Decision Decide(PoolState state, PoolCheck check);
}

/// <summary>The reason why the gate thread wakes.</summary>
enum GateCheckKind
{
    /// <summary>Its period has elapsed.</summary>
    Periodic,

    /// <summary>The delay of a pending blocking compensation step has elapsed.</summary>
    CooperativeDelay,
}

/// <summary>
/// A moment at which the pool checks whether to add a worker thread: most likely <paramref name="At"/>, allowed from <see cref="Earliest"/>
/// to <see cref="Latest"/>.
/// </summary>
readonly record struct PoolCheck(EventTime At, GateCheckKind Kind)
{
    /// <summary>The earliest allowed moment.</summary>
    public EventTime Earliest => At.PlusMs(-GateTiming.EarlyMs);

    /// <summary>The latest allowed moment.</summary>
    public EventTime Latest => At.PlusMs(GateTiming.LateMs);
}

/// <summary>The outcome of a gate check.</summary>
enum DecisionKind
{
    /// <summary>A worker thread is added.</summary>
    Add,

    /// <summary>No thread is added.</summary>
    Hold,

    /// <summary>The target thread count falls, since fewer threads wait for tasks: surplus threads stop after their item.</summary>
    Lower,

    /// <summary>Information for a decision is missing.</summary>
    Undecided,
}

/// <summary>
/// How certain it is that a thread is added at a gate check, from impossible to certain. Injection delays are judged by the two ends, which
/// allow for any phase of the coarse clock, and explained by the values between, which follow the clock as it was read.
/// </summary>
enum Certainty
{
    /// <summary>A known fact, or the time since the last dequeue for every phase of the clock, excludes it.</summary>
    Impossible,

    /// <summary>It is not expected, but another phase of the clock or something unknown would allow it.</summary>
    Possible,

    /// <summary>The clock was not read, and the time since the last dequeue is less than a step of it from the threshold.</summary>
    TooClose,

    /// <summary>The clock was read, but the time is so close to the threshold that small errors of the inferred moments decide.</summary>
    Borderline,

    /// <summary>It is expected, unless an item was dequeued without an event.</summary>
    Likely,

    /// <summary>It is expected: the clock as it was read shows it, and no item was dequeued without an event.</summary>
    Expected,

    /// <summary>A thread had to be added, for every phase of the clock and with everything known that could prevent it.</summary>
    Certain,
}

/// <summary>A decision, with its rule and the compared numbers.</summary>
/// <param name="Kind">The outcome.</param>
/// <param name="Mechanism">The mechanism that decided.</param>
/// <param name="Fact">The fact that decided, a few words; null where the time since the last dequeue decided.</param>
sealed record Decision(DecisionKind Kind, Mechanism Mechanism, string? Fact = null)
{
    /// <summary>The reason as a short text: the fact, or the compared times.</summary>
    public string Why => Fact ?? $"{Format.Ms(SinceDequeueMs ?? 0)} since {ClockWord}, "
        + (Certainty == Certainty.TooClose ? $"too close to {NeedMs:0} ms to be certain"
            : $"{(Kind == DecisionKind.Add ? "" : "not ")}>{NeedMs:0}");

    /// <summary>The time that the time since the last dequeue is compared with, milliseconds; 0 where a fact decided.</summary>
    public double NeedMs { get; init; }

    /// <summary>What resets the compared time: a dequeue or a dispatch.</summary>
    public string ClockWord { get; init; } = "";

    /// <summary>
    /// By how many threads the target thread count rises or falls; more than one only where the number of task waits is given.
    /// </summary>
    public int Workers { get; init; } = 1;

    /// <summary>The time since the last dequeue as the runtime measures it, milliseconds; null when unknown or not relevant.</summary>
    public double? SinceDequeueMs { get; init; }

    /// <summary>How certain it is that a thread is added at this check.</summary>
    public Certainty Certainty { get; init; } = Kind == DecisionKind.Add ? Certainty.Expected : Certainty.Possible;

    /// <summary>Whether small errors of the inferred moments and an unseen dequeue would not change the decision.</summary>
    public bool IsSure => Certainty is not (Certainty.TooClose or Certainty.Borderline or Certainty.Likely);

    /// <summary>Whether the processors may have been busy at this check, though not on average; then the longer limit applies.</summary>
    public bool MayBeBusy { get; init; }
}
