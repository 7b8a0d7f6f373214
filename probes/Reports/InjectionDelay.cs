namespace Tpwatch.Reports;

/// <summary>
/// One injection delay, or another change of the target thread count: its duration, the moments that the runtime's rules allow, and the
/// rule that explains it.
/// </summary>
public sealed record InjectionDelay
{
    /// <summary>Number of the injection delay in the capture, from 1; stable once the delay has ended.</summary>
    public required int Number { get; init; }

    /// <summary>Start of the delay, which is the last known progress of the pool; null when unknown.</summary>
    public EventTime? Start { get; init; }

    /// <summary>How <see cref="Start"/> is known.</summary>
    public required Basis StartBasis { get; init; }

    /// <summary>Time of the injection or dequeue that ended the delay, or of the newest event while the delay lasts.</summary>
    public required EventTime End { get; init; }

    /// <summary>How <see cref="End"/> is known.</summary>
    public required Basis EndBasis { get; init; }

    /// <summary>The reason of the thread count adjustment; null if no adjustment belongs to the delay.</summary>
    public AdjustmentReason? Reason { get; init; }

    /// <summary>Target thread count before the adjustment.</summary>
    public int? TargetThreadsBefore { get; init; }

    /// <summary>Target thread count after the adjustment.</summary>
    public int? TargetThreadsAfter { get; init; }

    /// <summary>The length of the injection delay, milliseconds; null when its start is unknown.</summary>
    public double? ObservedMs => Start is { } start ? Math.Max(0, End.MsSince(start)) : null;

    /// <summary>The time ranges in which the rule allows an injection.</summary>
    public ImmutableArray<DelayWindow> Windows { get; init; } = [];

    /// <summary>Time from the end of the last allowed range that had passed to the end of the delay, milliseconds; null for none.</summary>
    internal double? LateMs => ObservedMs - Windows.Where(w => w.MaxMs < ObservedMs).Select(w => (double?)w.MaxMs).Max();

    /// <summary>The gate checks during the delay.</summary>
    public ImmutableArray<GateCheck> Ticks { get; init; } = [];

    /// <summary>How the delay compares with the runtime's rules.</summary>
    public required DelayVerdict Verdict { get; init; }

    /// <summary>The rule that explains the delay.</summary>
    public required Mechanism Mechanism { get; init; }

    /// <summary>
    /// A second rule that <see cref="Because"/> names for this delay: a suspected rule (G6, G7, G14), or a rule that describes what
    /// followed (G10, G15). Null if there is no second rule.
    /// </summary>
    public Mechanism? Also { get; init; }

    /// <summary>
    /// Whether an item may have waited during the delay: false if hill climbing changed the target thread count, blocking compensation was
    /// withdrawn, or an idle worker thread ended.
    /// </summary>
    public bool IsWait => Reason switch
    {
        null => true,
        AdjustmentReason.CooperativeBlocking => TargetThreadsBefore is null || TargetThreadsAfter > TargetThreadsBefore,
        AdjustmentReason.Starvation => true,
        { } other => !Enum.IsDefined(other),
    };

    /// <summary>Whether a rule is the explanation or the second rule of this delay.</summary>
    public bool IsBy(Mechanism rule) => Mechanism == rule || Also == rule;

    /// <summary>The explanation, one sentence with the numbers.</summary>
    public required string Because { get; init; }

    /// <summary>Share of all processors in use during the delay, 0 to 1; null when unknown.</summary>
    public double? Cpu { get; init; }

    /// <summary>Queue length at the last counter sample before the end of the delay; null when unknown.</summary>
    public long? QueueLength { get; init; }

    /// <summary>Whether hill climbing changed the target thread count (reasons 0 to 5).</summary>
    internal bool IsClimbing => Reason is <= AdjustmentReason.Stabilizing;
}
