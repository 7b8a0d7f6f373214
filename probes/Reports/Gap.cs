namespace Tpwatch.Reports;

/// <summary>One wait for a worker: observed, allowed, and why.</summary>
public sealed record Gap
{
    /// <summary>Number of the gap in the capture, from 1; stable once the gap has closed.</summary>
    public required int Number { get; init; }

    /// <summary>Last known moment of progress; null when unknown.</summary>
    public EventTime? Start { get; init; }

    /// <summary>How <see cref="Start"/> is known.</summary>
    public required Basis StartBasis { get; init; }

    /// <summary>The injection or dequeue that ended it; for an open gap the newest event.</summary>
    public required EventTime End { get; init; }

    /// <summary>How <see cref="End"/> is known.</summary>
    public required Basis EndBasis { get; init; }

    /// <summary>The adjustment's reason, or null where no adjustment belongs to the wait.</summary>
    public AdjustmentReason? Reason { get; init; }

    /// <summary>Goal before.</summary>
    public int? GoalBefore { get; init; }

    /// <summary>Goal after.</summary>
    public int? GoalAfter { get; init; }

    /// <summary>The wait, milliseconds; null when its start is unknown.</summary>
    public double? ObservedMs => Start is { } start ? Math.Max(0, End.MsSince(start)) : null;

    /// <summary>The moments that the rule allows.</summary>
    public ImmutableArray<GapWindow> Windows { get; init; } = [];

    /// <summary>How long after the last allowed moment before it it ended, milliseconds; null where it ended before the first.</summary>
    internal double? LateMs => ObservedMs - Windows.Where(w => w.MaxMs < ObservedMs).Select(w => (double?)w.MaxMs).Max();

    /// <summary>What the gate saw at each tick inside.</summary>
    public ImmutableArray<GateTick> Ticks { get; init; } = [];

    /// <summary>The judgement.</summary>
    public required GapVerdict Verdict { get; init; }

    /// <summary>The rule that explains it.</summary>
    public required Mechanism Mechanism { get; init; }

    /// <summary>
    /// A further rule that bears on this wait and is told in <see cref="Because"/>: one that is suspected but not certain (G6, G7, G14), or
    /// what came of the wait (G10, G15). Null where there is none.
    /// </summary>
    public Mechanism? Also { get; init; }

    /// <summary>
    /// Whether somebody may have waited: not where hill climbing moved the goal, task waits gave
    /// their compensation back, or an idle worker ended.
    /// </summary>
    public bool IsWait => Reason switch
    {
        null => true,
        AdjustmentReason.CooperativeBlocking => GoalBefore is null || GoalAfter > GoalBefore,
        AdjustmentReason.Starvation => true,
        { } other => !Enum.IsDefined(other),
    };

    /// <summary>Whether a rule explains it or bears on it.</summary>
    public bool IsBy(Mechanism rule) => Mechanism == rule || Also == rule;

    /// <summary>One sentence with the numbers.</summary>
    public required string Because { get; init; }

    /// <summary>Share of all processors over the gap, 0 to 1; null when unknown.</summary>
    public double? Cpu { get; init; }

    /// <summary>Items that waited at the last heartbeat before the end; null when unknown.</summary>
    public long? Backlog { get; init; }

    /// <summary>Whether hill climbing moved the goal, which is reasons 0 to 5.</summary>
    internal bool IsClimbing => Reason is <= AdjustmentReason.Stabilizing;
}
