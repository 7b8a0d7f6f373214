namespace Tpwatch.Text;

/// <summary>Verdicts and judgements in words and marks, for every output; each works without colour.</summary>
static class VerdictWords
{
    const string Starved = "starved";

    /// <summary>The verdict and, if there was trouble, whether it lasts: <c>STARVED, over</c>.</summary>
    public static string Of(PoolReport report) =>
        report.Since is null ? Of(report.Verdict) : $"{Of(report.Verdict)}, {(report.IsNow ? "now" : "over")}";

    /// <summary>The verdict as a headline.</summary>
    public static string Of(Verdict verdict) => verdict switch
    {
        Verdict.Healthy => "HEALTHY",
        Verdict.Compensated => "COMPENSATED",
        Verdict.Starved => "STARVED",
        Verdict.StarvedAtMax => "STARVED AT MAX",
        Verdict.SilentlyStarved => "SILENTLY STARVED",
        Verdict.Wedged => "WEDGED",
        Verdict.Held => "HELD",
        Verdict.Saturated => "SATURATED",
        Verdict.NotThePool => "NOT THE POOL",
        _ => "UNDECIDED",
    };

    /// <summary>The judgement of an injection delay with its distance in milliseconds: <c>as expected</c>, <c>LATE +512</c>.</summary>
    public static string Of(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.Early or DelayVerdict.Late => Of(delay.Verdict).ToUpperInvariant()
            + (OffMs(delay) is { } off ? FormattableString.Invariant($" {off:+0;-0}") : ""),
        _ => Plainly(delay),
    };

    /// <summary>The judgement and its distance in words: <c>499 ms late</c>.</summary>
    public static string Distance(InjectionDelay delay) =>
        (OffMs(delay) is { } off ? $"{Format.Duration(Math.Abs(off))} " : "") + Of(delay.Verdict);

    /// <summary>
    /// The judgement without the distance. Both lost events and an unknown clock of the rule make a wait "not judged"; only an adjustment
    /// that ended no wait is "not timed".
    /// </summary>
    public static string Plainly(InjectionDelay delay) =>
        Of(delay is { Verdict: DelayVerdict.NotTimed, IsWait: true } ? DelayVerdict.NoData : delay.Verdict);

    /// <summary>The word of a judgement.</summary>
    public static string Of(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => "as expected",
        DelayVerdict.Early => "early",
        DelayVerdict.Late => "late",
        DelayVerdict.NoRule => "unexplained",
        DelayVerdict.NoData => "not judged",
        DelayVerdict.NotTimed => "not timed",
        _ => "not over",
    };

    /// <summary>One character for the lane of judgements; blank if not timed.</summary>
    public static (char Mark, Role Role) Letter(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => ('=', Role.AsExpected),
        DelayVerdict.Early or DelayVerdict.Late => ('!', Role.Alarm),
        DelayVerdict.NoRule => ('?', Role.Alarm),
        DelayVerdict.NoData => ('x', Role.Lost),
        DelayVerdict.Open => ('o', Role.Starvation),
        _ => (' ', Role.Text),
    };

    /// <summary>
    /// The label of the episodes' time where it is drawn or summed: the state that all of them share, so that no row says "starved" below
    /// a headline that says SATURATED.
    /// </summary>
    public static string Lasting(IEnumerable<StarvedEpisode> episodes) => episodes.Select(e => Lasting(e.Kind)).Distinct().ToArray() switch
    {
        [] => Starved,
        [var one] => one,
        _ => "trouble",
    };

    /// <summary>The label of a report's summed time; the sum counts waiting items, so it leaves out episodes of held threads.</summary>
    public static string Lasting(PoolReport report) => Lasting(report.Episodes.Where(e => e.Kind != Verdict.Held));

    static string Lasting(Verdict kind) => kind switch
    {
        Verdict.Saturated => "saturated",
        Verdict.Held => "held",
        Verdict.Wedged => "wedged",
        Verdict.NotThePool => "not run",
        _ => Starved,
    };

    // Late: after the last moment that the rule allowed. Early: before the first (negative).
    static double? OffMs(InjectionDelay delay) => delay.Verdict == DelayVerdict.Late ? delay.LateMs
        : delay.Windows is [var first, ..] ? delay.ObservedMs - first.MinMs : null;
}
