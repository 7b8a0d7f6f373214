using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// A closed injection delay with the state known when it closed. It is a value, so it can be judged again when a counter sample adds
/// information.
/// </summary>
/// <param name="At">When it closed: the event time of the adjustment that ended it.</param>
/// <param name="Number">Number of the injection delay in the capture; 0 before it has one.</param>
abstract record DelayCase(EventTime At, int Number = 0)
{
    /// <summary>The time without a dequeue that it shows, if items waited; null when it shows none.</summary>
    public EventSpan? WithoutDequeue { get; init; }
}

/// <summary>An injection delay that no counter sample changes any more.</summary>
sealed record SettledCase(InjectionDelay Delay) : DelayCase(Delay.End, Delay.Number);

/// <summary>One injection by the gate thread with the state known before it.</summary>
/// <param name="Before">The policy's state at the last known gate check, or without a check when the phase of the gate thread is
/// unknown.</param>
/// <param name="Dequeues">Dequeues seen since then, oldest first.</param>
/// <param name="At">The adjustment's event time.</param>
/// <param name="TargetThreadsAfter">The new target thread count.</param>
sealed record StarvationCase(PoolState Before, ImmutableArray<EventTime> Dequeues, EventTime At, int TargetThreadsAfter) : DelayCase(At)
{
    /// <summary>For each blocking-compensation step since that check, the time until the next step was due.</summary>
    public ImmutableArray<EventSpan> Steps { get; init; } = [];

    /// <summary>Whether events were lost since the last observed injection; the last gate check may be among them.</summary>
    public bool IsLost { get; init; }

    /// <summary>Changes of the target thread count since that check, by hill climbing, a step or a call.</summary>
    public ImmutableArray<TargetThreadsMoved> Goals { get; init; } = [];

    /// <summary>The known state of task waits and memory.</summary>
    public TaskWaitsKnown TaskWaits { get; init; } = TaskWaitsKnown.None;

    /// <summary>
    /// The case with the time without a dequeue that it shows, within the capture: since the last gate check if no item has completed since
    /// then, otherwise the 500 ms that the rule of the gate thread requires.
    /// </summary>
    public StarvationCase Shown(CounterSampleLog samples, EventTime captureStart) => this with
    {
        WithoutDequeue = Before.LastCheck is { } check && At.MsSince(check) < GateTiming.MaxUnseenChecks * GateTiming.AfterHold
            && samples.MayHaveCompleted(check, At) == false
                ? new(check, At)
                : new(EventTime.Max(captureStart, At.PlusMs(-GateTiming.StarvationMs)), At),
    };
}

/// <summary>The target thread count before a given time and from then on; null when unknown.</summary>
readonly record struct TargetThreadsMoved(EventTime At, int? Before, int? After);

/// <summary>One adjustment by blocking compensation with the state known before it.</summary>
/// <param name="Settings">Processors, MinThreads, MaxThreads.</param>
/// <param name="TargetThreadsBefore">Target thread count before; null when tpwatch attached too late to know it.</param>
/// <param name="TargetThreadsAfter">Target thread count after.</param>
/// <param name="At">Its event time.</param>
/// <param name="PreviousStep">The previous rise by blocking compensation, while the target thread count has not been lowered since.</param>
/// <param name="LastStart">The last start of a worker thread, which may have begun to wait for a task.</param>
/// <param name="Existing">Number of worker threads that existed.</param>
sealed record CooperativeCase(
    PoolSettings Settings, int? TargetThreadsBefore, int TargetThreadsAfter, EventTime At,
    EventTime? PreviousStep, EventTime? LastStart, int? Existing) : DelayCase(At)
{
    /// <summary>
    /// Whether <see cref="PreviousStep"/> is the time of a later call that set limits: after such a call the pool counts task waits again.
    /// </summary>
    public bool IsSinceCall { get; init; }
}

/// <summary>Whether worker threads wait for tasks, and whether memory use lets the pool compensate for that.</summary>
/// <param name="Stands">Whether task waits continue that the pool has compensated.</param>
/// <param name="High">Whether memory use counts as high; null when unknown.</param>
/// <param name="Load">Memory in use, 0 to 1; null when unknown.</param>
/// <param name="Veto">The load from which memory use counts as high, 0 to 1.</param>
sealed record TaskWaitsKnown(bool Stands, bool? High, double? Load, double Veto)
{
    /// <summary>The name of the setting that defines the threshold <see cref="Veto"/>; null for the runtime's default.</summary>
    public string? Setting { get; init; }

    /// <summary>No task wait, and enough memory.</summary>
    public static TaskWaitsKnown None { get; } = new(false, false, null, 1);
}
