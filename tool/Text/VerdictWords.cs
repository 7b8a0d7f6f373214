namespace Tpwatch.Text;

/// <summary>Judgements in words and marks, for every output; each works without colour.</summary>
static class VerdictWords
{
    const string Starved = "starved";

    /// <summary>The verdict and, where there was trouble, whether it lasts: <c>STARVED, over</c>.</summary>
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

    /// <summary>A gap's judgement with how far it is off: <c>as expected</c>, <c>LATE +512</c>.</summary>
    public static string Of(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Early or GapVerdict.Late => Of(gap.Verdict).ToUpperInvariant()
            + (OffMs(gap) is { } off ? FormattableString.Invariant($" {off:+0;-0}") : ""),
        _ => Plainly(gap),
    };

    /// <summary>The same in words: <c>499 ms late</c>.</summary>
    public static string Distance(Gap gap) => (OffMs(gap) is { } off ? $"{Format.Duration(Math.Abs(off))} " : "") + Of(gap.Verdict);

    /// <summary>
    /// The same without the distance. Whether events were lost or the rule's clock is not known, a wait is not compared with the rule:
    /// one word for both. Only what is no wait is "not timed".
    /// </summary>
    public static string Plainly(Gap gap) => Of(gap is { Verdict: GapVerdict.NotTimed, IsWait: true } ? GapVerdict.NoData : gap.Verdict);

    /// <summary>A judgement by itself.</summary>
    public static string Of(GapVerdict verdict) => verdict switch
    {
        GapVerdict.Fits => "as expected",
        GapVerdict.Early => "early",
        GapVerdict.Late => "late",
        GapVerdict.NoRule => "unexplained",
        GapVerdict.NoData => "not judged",
        GapVerdict.NotTimed => "not timed",
        _ => "not over",
    };

    /// <summary>One character for the lane of verdicts; blank where nothing was timed.</summary>
    public static (char Mark, Role Role) Letter(GapVerdict verdict) => verdict switch
    {
        GapVerdict.Fits => ('=', Role.Fits),
        GapVerdict.Early or GapVerdict.Late => ('!', Role.Alarm),
        GapVerdict.NoRule => ('?', Role.Alarm),
        GapVerdict.NoData => ('x', Role.Lost),
        GapVerdict.Open => ('o', Role.Starvation),
        _ => (' ', Role.Text),
    };

    /// <summary>
    /// What the time of episodes is called where it is drawn or summed: by the state that they all are, so that no row says "starved" below
    /// a headline that says SATURATED.
    /// </summary>
    public static string Lasting(IEnumerable<StarvedEpisode> episodes) => episodes.Select(e => Lasting(e.Kind)).Distinct().ToArray() switch
    {
        [] => Starved,
        [var one] => one,
        _ => "trouble",
    };

    /// <summary>The same of a report's sum, which counts items that wait and so no threads that are held.</summary>
    public static string Lasting(PoolReport report) => Lasting(report.Episodes.Where(e => e.Kind != Verdict.Held));

    static string Lasting(Verdict kind) => kind switch
    {
        Verdict.Saturated => "saturated",
        Verdict.Held => "held",
        Verdict.Wedged => "wedged",
        Verdict.NotThePool => "not run",
        _ => Starved,
    };

    // Beyond the last moment that the rule allows before it came, or before the first.
    static double? OffMs(Gap gap) => gap.Verdict == GapVerdict.Late ? gap.LateMs
        : gap.Windows is [var first, ..] ? gap.ObservedMs - first.MinMs : null;
}
