using Tpwatch.Pool;

namespace Tpwatch.Ledger;

/// <summary>One injection by the gate with what was known before it.</summary>
/// <param name="Before">The policy's state at the gate's last known tick, or without a tick when its phase is not known.</param>
/// <param name="Dequeues">Dequeues seen since then, oldest first.</param>
/// <param name="At">The adjustment's event time.</param>
/// <param name="GoalAfter">The new goal.</param>
sealed record StarvationCase(PoolState Before, ImmutableArray<EventTime> Dequeues, EventTime At, int GoalAfter) : GapCase(At)
{
    /// <summary>From each step for task waits since that tick to the moment at which the next one was due.</summary>
    public ImmutableArray<EventSpan> Steps { get; init; } = [];

    /// <summary>Whether events were lost since the last injection that was seen, the gate's last tick perhaps among them.</summary>
    public bool IsLost { get; init; }

    /// <summary>How the goal moved since that tick, by hill climbing, a step or a call.</summary>
    public ImmutableArray<GoalMoved> Goals { get; init; } = [];

    /// <summary>What was known of task waits and of memory.</summary>
    public TaskWaitsKnown TaskWaits { get; init; } = TaskWaitsKnown.None;

    /// <summary>
    /// The case with the time without a dequeue that it shows, within the capture: since the gate's last tick if nothing completed since,
    /// else the 500 ms that the gate's rule asks for.
    /// </summary>
    public StarvationCase Shown(BeatLog beats, EventTime captureStart) => this with
    {
        WithoutDequeue = Before.LastTick is { } tick && At.MsSince(tick) < GateTiming.MaxUnseenTicks * GateTiming.AfterHold
            && beats.MayHaveCompleted(tick, At) == false
                ? new(tick, At)
                : new(EventTime.Max(captureStart, At.PlusMs(-GateTiming.StarvationMs)), At),
    };
}

/// <summary>The goal before a moment and from then on; null where it is not known.</summary>
readonly record struct GoalMoved(EventTime At, int? Before, int? After);
