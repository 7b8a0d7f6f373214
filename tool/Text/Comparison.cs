namespace Tpwatch.Text;

/// <summary>How the second of two captures compares with the first, by the share of time in which work items waited.</summary>
enum ComparedOutcome
{
    /// <summary>Work items waited for a smaller share of the time than in the first capture.</summary>
    Better,

    /// <summary>Work items waited for a larger share of the time than in the first capture.</summary>
    Worse,

    /// <summary>The shares differ only as much as in two captures of the same program.</summary>
    Same,

    /// <summary>The two captures do not suffice for a judgment.</summary>
    CannotTell,
}

/// <summary>Whether one cause is in both captures.</summary>
enum ComparedCauseChange
{
    /// <summary>The cause is only in the first capture. The check of the second capture found nothing.</summary>
    Gone,

    /// <summary>The cause is only in the second capture. The check of the first capture found nothing.</summary>
    New,

    /// <summary>The cause is in both captures.</summary>
    Left,

    /// <summary>The cause is in one capture. The other capture lacks the data to check for the cause.</summary>
    Unknown,
}

/// <summary>A cause, and whether it is in both captures. A cause is a finding, or a call that blocks worker threads.</summary>
/// <param name="Id">The finding's id; null for a call.</param>
/// <param name="Name">The finding's title, or the call.</param>
/// <param name="Missing">Which capture has the cause, and what data the other one lacks; null if both can be checked.</param>
sealed record ComparedCause(string? Id, string Name, ComparedCauseChange Change, string? Missing = null);

/// <summary>A row of the comparison: a value or a condition as text for both captures.</summary>
sealed record ComparedRow(string Name, string Before, string After);

/// <summary>Lower and upper bound of a share of the watched time, each 0 to 1.</summary>
readonly record struct ShareBounds(double Least, double Most);

sealed record ComparedFinding(string Id, string Title);

/// <summary>What a comparison needs to know about one capture, read from a JSON report.</summary>
sealed record ComparedReport
{
    /// <summary>Path of the recording or report, as the user gave it.</summary>
    public required string File { get; init; }

    public required string Process { get; init; }

    public string? Runtime { get; init; }

    public int? Processors { get; init; }

    public int? MinThreads { get; init; }

    public int? MaxThreads { get; init; }

    /// <summary>Duration of the watch, milliseconds.</summary>
    public required double WatchedMs { get; init; }

    public required Verdict Verdict { get; init; }

    /// <summary>Whether the trouble continues at the end of the capture; null if there was no trouble.</summary>
    public bool? IsNow { get; init; }

    public required string Headline { get; init; }

    /// <summary>Time in which work items waited or hung, milliseconds; null if not known.</summary>
    public double? TroubleMs { get; init; }

    /// <summary>Time in which no counter sample shows whether work items waited, milliseconds.</summary>
    public required double UnknownMs { get; init; }

    /// <summary>Lower bound of the longest queue time of a work item, milliseconds.</summary>
    public required double ProvenWaitMs { get; init; }

    /// <summary>Number of completed work items per second of the watch; null if not known.</summary>
    public double? CompletedPerSecond { get; init; }

    public int? MostThreads { get; init; }

    public long? LongestQueue { get; init; }

    /// <summary>Number of thread count adjustments for each of the runtime's reasons.</summary>
    public required ImmutableSortedDictionary<string, int> Adjustments { get; init; }

    /// <summary>The longest injection delay, milliseconds; null if there is none.</summary>
    public double? LongestDelayMs { get; init; }

    public required CaptureGrade Grade { get; init; }

    /// <summary>Number of lost events; null if the number is not known.</summary>
    public long? Lost { get; init; }

    public required ImmutableArray<ComparedFinding> Findings { get; init; }

    /// <summary>Ids of the undecided finding rules, each with the data that is missing.</summary>
    public required ImmutableSortedDictionary<string, string> Undecided { get; init; }

    /// <summary>Ids of the finding rules that were decided and found nothing.</summary>
    public required ImmutableHashSet<string> Clear { get; init; }

    /// <summary>The calls that block worker threads, the largest share first; null if no stacks were taken.</summary>
    public ImmutableArray<string>? Blockers { get; init; }

    /// <summary>Number of completed work items; null if not known.</summary>
    public double? Completed => CompletedPerSecond * WatchedMs / 1000;

    /// <summary>Bounds of the share of time in which work items waited or hung; null if not known.</summary>
    public ShareBounds? Share => TroubleMs is { } ms && WatchedMs > 0 ? new(Of(ms), Of(ms + UnknownMs)) : null;

    double Of(double ms) => Math.Clamp(ms / WatchedMs, 0, 1);
}

/// <summary>The comparison of two captures: whether the second one is better, worse or the same.</summary>
/// <param name="Sentence">The judgment with its evidence, or which data is missing for a judgment.</param>
sealed record Comparison(ComparedReport Before, ComparedReport After, ComparedOutcome Outcome, string Sentence)
{
    /// <summary>Minimum difference of two shares that counts. Less can be chance, because waits begin between counter samples.</summary>
    const double LeastChange = 0.05;

    /// <summary>Minimum difference that counts, relative to the larger share; runs of one program differ by up to a sixth.</summary>
    const double Scatter = 0.2;

    /// <summary>Maximum share of unmeasured time for <see cref="ComparedOutcome.Same"/>; a HEALTHY capture of 5 s has 1 s of it.</summary>
    const double MostUnknown = 0.2;

    /// <summary>Ratio of completed items below which a smaller load may explain a difference.</summary>
    const double SameLoad = 0.8;

    const string Diluted = "Work items waited for about as long in total, and the watches differ in length. Watch both for as long.";

    const string SameLoadHint = "Compare at the same load.";

    /// <summary>Maximum number of blocking calls that are compared from each capture.</summary>
    const int Calls = 10;

    public static Comparison Of(ComparedReport before, ComparedReport after)
    {
        var (outcome, sentence) = Judge(before, after);
        return new(before, after, outcome, Words.OneLine(sentence));
    }

    /// <summary>The values of both captures, one row each.</summary>
    public IEnumerable<ComparedRow> Rows =>
    [
        Row("verdict", r => VerdictWords.Of(r.Verdict) + r.IsNow switch { true => ", now", false => ", over", _ => "" }),
        Row("watched", r => Format.Duration(r.WatchedMs)),
        Row("work items waited", r => r switch
        {
            { TroubleMs: 0 } => "never",
            { TroubleMs: { } ms, Share: { } share } => $"{Format.Duration(ms)} ({Format.FinePercent(share.Least)})",
            _ => NotKnown,
        }),
        Row("time not measured", r => r.UnknownMs > 0 ? Format.Duration(r.UnknownMs) : "none"),
        Row("longest proven wait", r => r.ProvenWaitMs > 0 ? Format.Duration(r.ProvenWaitMs) : "none"),
        Row("completed", r => r.CompletedPerSecond is { } rate ? Format.Rate(rate) : NotKnown),
        Row("most worker threads", r => r.MostThreads is { } count ? Format.Count(count) : NotKnown),
        Row("longest queue", r => r.LongestQueue is { } count ? Format.Count(count) : NotKnown),
        Row("thread injections", r => Times(r, AdjustmentReason.Starvation)),
        Row("longest injection delay", r => r.LongestDelayMs is { } ms ? Format.Duration(ms) : "none"),
        Row("adjusted for task waits", r => Times(r, AdjustmentReason.CooperativeBlocking)),
        Row("lost events", r => r.Lost is { } lost ? Format.Count(lost) : "some"),
    ];

    /// <summary>Conditions that differ, such as the runtime's version, and may explain a difference of the values.</summary>
    public IEnumerable<ComparedRow> Conditions => new[]
    {
        Condition("process", r => r.Process),
        Condition("runtime", r => r.Runtime is { } version ? $".NET {version}" : null),
        Condition("processors", r => Count(r.Processors)),
        Condition("MinThreads", r => Count(r.MinThreads)),
        Condition("MaxThreads", r => Count(r.MaxThreads)),
        Before.Completed is null || After.Completed is null
            ? new("load", Known(Before.Completed), Known(After.Completed)) : null,
    }.OfType<ComparedRow>();

    /// <summary>All causes; those that are gone come first.</summary>
    public IEnumerable<ComparedCause> Culprits => Findings().Concat(Blockers()).OrderBy(c => c.Change);

    static (ComparedOutcome Outcome, string Sentence) Judge(ComparedReport before, ComparedReport after)
    {
        if ((Unusable(before, "before") ?? Unusable(after, "after")) is { } why)
        {
            return (ComparedOutcome.CannotTell, why);
        }

        var (was, now) = (before.Share!.Value, after.Share!.Value);
        var apart = Math.Max(LeastChange, Scatter * Math.Max(was.Least, now.Least));
        var waited = before.Verdict == Verdict.Held || after.Verdict == Verdict.Held ? "waited or hung" : "waited";
        if (was.Least - now.Most > apart)
        {
            return IsDiluted(before, after) ? (ComparedOutcome.CannotTell, Diluted)
                : IsLess(after, before)
                ? (ComparedOutcome.CannotTell, "Fewer work items completed after, so the load may have been smaller. " + SameLoadHint)
                : (ComparedOutcome.Better, $"Work items {waited} at least {Format.FinePercent(was.Least)} of the time before, "
                    + $"and at most {Format.FinePercent(now.Most)} after.");
        }

        if (now.Least - was.Most > apart)
        {
            return IsDiluted(after, before) ? (ComparedOutcome.CannotTell, Diluted)
                : IsLess(before, after)
                ? (ComparedOutcome.CannotTell, "More work items completed after, so the load may have been larger. " + SameLoadHint)
                : (ComparedOutcome.Worse, $"Work items {waited} at most {Format.FinePercent(was.Most)} of the time before, "
                    + $"and at least {Format.FinePercent(now.Least)} after.");
        }

        if ((Lossy(before, "before") ?? Lossy(after, "after")) is { } loss)
        {
            return (ComparedOutcome.CannotTell, loss);
        }

        return Math.Abs(was.Least - now.Least) > apart || Math.Max(was.Most - was.Least, now.Most - now.Least) > MostUnknown
            ? (ComparedOutcome.CannotTell, "The difference is no larger than what is not measured. Watch both for longer.")
            : (ComparedOutcome.Same, before.TroubleMs == 0 && after.TroubleMs == 0
                ? "No work item is known to have waited for a second or more, before or after."
                : $"Work items {waited} for about as much of the time: {Format.FinePercent(was.Least)} before, "
                    + $"{Format.FinePercent(now.Least)} after.");
    }

    static string? Unusable(ComparedReport report, string when) => report switch
    {
        { Verdict: Verdict.Undecided } => $"The report {when} is undecided. {report.Headline}",
        { Grade: CaptureGrade.Poor } => $"Too many events were lost {when} to tell for how long work items waited.",
        { Share: null } => $"The report {when} does not tell for how long work items waited.",
        _ => null,
    };

    static string? Lossy(ComparedReport report, string when) =>
        report.Grade == CaptureGrade.Good ? null : $"Events were lost {when}, which may hide a difference.";

    // Whether a longer watch alone may explain the smaller share, because the total waiting time is about the same.
    static bool IsDiluted(ComparedReport more, ComparedReport less) =>
        less.TroubleMs > SameLoad * more.TroubleMs && !(SameLoad * less.Completed > more.Completed);

    // Whether clearly fewer items completed, by rate and in total. A longer watch of the same work lowers only the rate.
    static bool IsLess(ComparedReport one, ComparedReport other) =>
        one.CompletedPerSecond < SameLoad * other.CompletedPerSecond && one.Completed < SameLoad * other.Completed;

    IEnumerable<ComparedCause> Findings() =>
        from finding in Before.Findings.Concat(After.Findings).DistinctBy(f => f.Id).OrderBy(f => f.Id, StringComparer.Ordinal)
        let was = Before.Findings.Any(f => f.Id == finding.Id)
        let now = After.Findings.Any(f => f.Id == finding.Id)
        let other = was ? After : Before
        let missing = (was && now) || other.Clear.Contains(finding.Id) ? null
            : other.Undecided.GetValueOrDefault(finding.Id, "this version does not have the check")
        select new ComparedCause(finding.Id, finding.Title, Changed(was, now, missing), missing is null ? null : Told(missing, was));

    IEnumerable<ComparedCause> Blockers() =>
        from call in Some(Before.Blockers).Concat(Some(After.Blockers)).Distinct()
        let was = Before.Blockers?.Contains(call) == true
        let now = After.Blockers?.Contains(call) == true
        let missing = (was ? After : Before).Blockers is null ? "no stacks were taken" : null
        select new ComparedCause(null, call, Changed(was, now, missing), missing is null ? null : Told(missing, was));

    static ComparedCauseChange Changed(bool was, bool now, string? missing) =>
        missing is not null ? ComparedCauseChange.Unknown : was && now ? ComparedCauseChange.Left : was ? ComparedCauseChange.Gone
            : ComparedCauseChange.New;

    // Returns which capture has the cause, and which data the other capture lacks.
    static string Told(string missing, bool was) => (was ? "there before; after, " : "there after; before, ") + missing;

    static IEnumerable<string> Some(ImmutableArray<string>? calls) => (calls ?? []).Take(Calls);

    ComparedRow Row(string name, Func<ComparedReport, string> text) => new(name, text(Before), text(After));

    ComparedRow? Condition(string name, Func<ComparedReport, string?> text) =>
        text(Before) is { } was && text(After) is { } now && was != now ? new(name, was, now) : null;

    static string Times(ComparedReport report, AdjustmentReason reason) =>
        report.Adjustments.GetValueOrDefault(reason.ToString()) is var count and > 0
            ? $"{Format.Count(count)}{(report.WatchedMs > 0 ? $" ({Format.Rate(count * 1000 / report.WatchedMs)})" : "")}"
            : "none";

    const string NotKnown = "not known";

    static string Known(double? completed) => completed is { } count ? Format.Plural((long)count, "completed work item") : NotKnown;

    static string? Count(int? value) => value is { } count ? Format.Count(count) : null;
}

/// <summary>Renders a comparison: the judgment, the values in two columns, the causes, and the conditions that differ.</summary>
static class ComparisonRenderer
{
    const int NameWidth = 26;

    const int CellWidth = 24;

    /// <summary>Returns the comparison as text, with lines of up to <paramref name="width"/> columns and a line break at the end.</summary>
    public static string Render(Comparison of, int width = TextLayout.Width) =>
        string.Join('\n', Lines(of, width).Select(line => line.TrimEnd())) + "\n";

    /// <summary>Returns the judgment as a headline: <c>CANNOT TELL</c>.</summary>
    public static string Headline(ComparedOutcome outcome) => outcome switch
    {
        ComparedOutcome.Better => "BETTER",
        ComparedOutcome.Worse => "WORSE",
        ComparedOutcome.Same => "THE SAME",
        _ => "CANNOT TELL",
    };

    public static string Of(ComparedCauseChange change) => change switch
    {
        ComparedCauseChange.Gone => "gone",
        ComparedCauseChange.New => "new",
        ComparedCauseChange.Left => "still there",
        _ => "not known",
    };

    /// <summary>Returns the id and name of a cause and, if it cannot be checked in both captures, the missing data.</summary>
    public static string Of(ComparedCause culprit) => Words.OneLine(
        $"{(culprit.Id is { } id ? id + " " : "")}{culprit.Name}{(culprit.Missing is { } missing ? $": {missing}" : "")}");

    /// <summary>Returns where a capture comes from: file, process, runtime and processors.</summary>
    public static string Source(ComparedReport report) => Words.OneLine(string.Join(", ", new[]
    {
        $"{report.File}: {report.Process}", report.Runtime is { } version ? $".NET {version}" : null,
        report.Processors is { } count ? Format.Plural(count, "processor") : null,
    }.OfType<string>()));

    static IEnumerable<string> Lines(Comparison of, int width) =>
    [
        .. TextLayout.Wrap($"{Headline(of.Outcome)}. {of.Sentence}", width: width),
        "",
        Row(new("", "before", "after")),
        .. of.Rows.Select(Row),
        "",
        .. of.Culprits.SelectMany(c => TextLayout.Fact(Of(c.Change), Of(c), width)),
        .. of.Conditions.SelectMany(c => TextLayout.Fact("differs", Words.OneLine($"{c.Name}: {c.Before} before, {c.After} after"), width)),
        .. TextLayout.Fact("before", Source(of.Before), width),
        .. TextLayout.Fact("after", Source(of.After), width),
    ];

    static string Row(ComparedRow row) =>
        $"  {row.Name.PadRight(NameWidth)}{Words.OneLine(row.Before).PadRight(CellWidth)}{Words.OneLine(row.After)}";
}
