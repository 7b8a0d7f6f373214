using Tpwatch.Pool;

namespace Tpwatch.Ledger;

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
