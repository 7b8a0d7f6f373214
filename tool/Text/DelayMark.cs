namespace Tpwatch.Text;

/// <summary>How an injection delay looks on the timeline: its letter, its role, and its rank if several fall into one column.</summary>
/// <param name="Letter">The letter; colour only repeats it.</param>
/// <param name="Role">The role that the theme styles.</param>
/// <param name="Rank">The mark with the smallest rank is drawn.</param>
/// <param name="Name">The reason, in the runtime's words if it has any.</param>
sealed record DelayMark(char Letter, Role Role, int Rank, string Name)
{
    static readonly DelayMark NoRule = new('?', Role.Alarm, 0, "unexplained");
    static readonly DelayMark Open = new('o', Role.Starvation, 3, "in progress");
    static readonly DelayMark Ceiling = new('m', Role.Starvation, 2, "at MaxThreads");
    static readonly DelayMark Undetected = new('~', Role.Starvation, 2, "not detected");
    static readonly DelayMark Wait = new('+', Role.Housekeeping, 7, "wait, no injection");

    /// <summary>One mark for each reason of the runtime, in the order of the legend.</summary>
    public static IReadOnlyList<(AdjustmentReason Reason, DelayMark Mark)> Reasons { get; } =
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
    public static IReadOnlyList<DelayMark> WithoutReason { get; } = [NoRule, Open, Undetected, Ceiling, Wait];

    /// <summary>Whether the delay is drawn; a ramp below the target thread count is neither an adjustment nor a delay.</summary>
    public static bool HasMark(InjectionDelay delay) => delay.Reason is not null || delay.Mechanism != Mechanism.G0Ramp;

    public static DelayMark Of(InjectionDelay delay) => delay switch
    {
        { Reason: { } reason } => OfReason(reason),
        { Mechanism: Mechanism.G3Undetected } => Undetected,
        { Mechanism: Mechanism.G8Ceiling } => Ceiling,
        { Mechanism: Mechanism.G9DetectorOff or Mechanism.G14Wedged } => Undetected,
        { Verdict: DelayVerdict.Open } => Open,
        { Verdict: DelayVerdict.NoRule } => NoRule,
        _ => Wait,
    };

    /// <summary>
    /// Whether the pool added worker threads; withdrawn blocking compensation does not count. <c>[</c> and <c>]</c> step through these.
    /// </summary>
    public static bool IsInjection(InjectionDelay delay) => delay.Reason switch
    {
        AdjustmentReason.Starvation => !(delay.TargetThreadsAfter <= delay.TargetThreadsBefore),
        // The first one seen may be a rise or a withdrawal, so a rise must be known.
        AdjustmentReason.CooperativeBlocking => delay.TargetThreadsAfter > delay.TargetThreadsBefore,
        _ => false,
    };

    /// <summary>The mark of a reason; a question mark for a reason that this version does not know.</summary>
    public static DelayMark OfReason(AdjustmentReason reason) => Reasons.FirstOrDefault(r => r.Reason == reason).Mark ?? NoRule;
}
