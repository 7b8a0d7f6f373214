namespace Tpwatch.Text;

/// <summary>How a gap looks on the timeline: a letter, a look, and how important it is where several fall into one column.</summary>
/// <param name="Letter">The letter; colour only repeats it.</param>
/// <param name="Role">The look.</param>
/// <param name="Rank">The smaller wins the column.</param>
/// <param name="Name">The reason, in the runtime's words where it has any.</param>
sealed record GapMark(char Letter, Role Role, int Rank, string Name)
{
    static readonly GapMark NoRule = new('?', Role.Alarm, 0, "unexplained");
    static readonly GapMark Open = new('o', Role.Starvation, 3, "in progress");
    static readonly GapMark Ceiling = new('m', Role.Starvation, 2, "at MaxThreads");
    static readonly GapMark Silent = new('~', Role.Starvation, 2, "not detected");
    static readonly GapMark Wait = new('+', Role.Housekeeping, 7, "wait, no injection");

    /// <summary>One for each reason of the runtime, in the order in which a legend lists them.</summary>
    public static IReadOnlyList<(AdjustmentReason Reason, GapMark Mark)> Reasons { get; } =
    [
        (AdjustmentReason.Starvation, new('S', Role.Starvation, 1, nameof(AdjustmentReason.Starvation))),
        (AdjustmentReason.CooperativeBlocking, new('B', Role.Blocking, 4, nameof(AdjustmentReason.CooperativeBlocking))),
        (AdjustmentReason.ThreadTimedOut, new('T', Role.Housekeeping, 5, nameof(AdjustmentReason.ThreadTimedOut))),
        (AdjustmentReason.ClimbingMove, new('C', Role.Climbing, 6, nameof(AdjustmentReason.ClimbingMove))),
        (AdjustmentReason.RandomMove, new('R', Role.Climbing, 6, nameof(AdjustmentReason.RandomMove))),
        (AdjustmentReason.ChangePoint, new('P', Role.Climbing, 6, nameof(AdjustmentReason.ChangePoint))),
        (AdjustmentReason.Stabilizing, new('Z', Role.Climbing, 6, nameof(AdjustmentReason.Stabilizing))),
        (AdjustmentReason.Initializing, new('I', Role.Housekeeping, 7, nameof(AdjustmentReason.Initializing))),
        (AdjustmentReason.Warmup, new('W', Role.Housekeeping, 7, nameof(AdjustmentReason.Warmup))),
    ];

    /// <summary>Marks of waits that no adjustment ended.</summary>
    public static IReadOnlyList<GapMark> WithoutReason { get; } = [NoRule, Open, Silent, Ceiling, Wait];

    /// <summary>A ramp below the goal is neither a decision nor a delay.</summary>
    public static bool HasMark(Gap gap) => gap.Reason is not null || gap.Mechanism != Mechanism.G0Ramp;

    public static GapMark Of(Gap gap) => gap switch
    {
        { Reason: { } reason } => OfReason(reason),
        { Mechanism: Mechanism.G3Silent } => Silent,
        { Mechanism: Mechanism.G8Ceiling } => Ceiling,
        { Mechanism: Mechanism.G9DetectorOff or Mechanism.G14Wedged } => Silent,
        { Verdict: GapVerdict.Open } => Open,
        { Verdict: GapVerdict.NoRule } => NoRule,
        _ => Wait,
    };

    /// <summary>
    /// Whether the pool added workers; compensation that is withdrawn again is none. What <c>[</c> and <c>]</c> step through.
    /// </summary>
    public static bool IsInjection(Gap gap) => gap.Reason switch
    {
        AdjustmentReason.Starvation => !(gap.GoalAfter <= gap.GoalBefore),
        // The first that is seen may be either.
        AdjustmentReason.CooperativeBlocking => gap.GoalAfter > gap.GoalBefore,
        _ => false,
    };

    /// <summary>The mark of a reason, a question mark for one that this version does not know.</summary>
    public static GapMark OfReason(AdjustmentReason reason) => Reasons.FirstOrDefault(r => r.Reason == reason).Mark ?? NoRule;
}
