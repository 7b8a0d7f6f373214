using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>What became of the time in which work items waited.</summary>
enum ComparedOutcome
{
    /// <summary>They waited for less of the time.</summary>
    Better,

    /// <summary>They waited for more of the time.</summary>
    Worse,

    /// <summary>They waited for as much of the time, as far as two captures of one program agree.</summary>
    Same,

    /// <summary>The two captures do not decide it.</summary>
    CannotTell,
}

/// <summary>What became of one cause.</summary>
enum CulpritChange
{
    /// <summary>It was there before, and a check that looked for it after found nothing.</summary>
    Gone,

    /// <summary>It was not there before, and it is there after.</summary>
    New,

    /// <summary>It was there before and is there after.</summary>
    Left,

    /// <summary>One of the two captures lacks what decides it.</summary>
    Unknown,
}

/// <summary>A finding, or a call that blocks worker threads, and what became of it.</summary>
/// <param name="Id">The finding's id; null of a call.</param>
/// <param name="Name">The finding's title, or the call.</param>
/// <param name="Change">What became of it.</param>
/// <param name="Missing">What decides it and is missing; null where it is decided.</param>
sealed record Culprit(string? Id, string Name, CulpritChange Change, string? Missing = null);

/// <summary>A figure, or a condition, of both captures as text.</summary>
sealed record ComparedRow(string Name, string Before, string After);

/// <summary>The least and the most that a share of the watched time can be, each 0 to 1.</summary>
readonly record struct ShareBounds(double Least, double Most);

/// <summary>A finding of a report.</summary>
sealed record ComparedFinding(string Id, string Title);

/// <summary>What a report says that another can be compared with; from a recording and from a document alike.</summary>
sealed record ComparedReport
{
    /// <summary>The file that it was read from, as it was given.</summary>
    public required string File { get; init; }

    public required string Process { get; init; }

    public string? Runtime { get; init; }

    public int? Processors { get; init; }

    public int? MinThreads { get; init; }

    public int? MaxThreads { get; init; }

    /// <summary>How long was watched, milliseconds.</summary>
    public required double WatchedMs { get; init; }

    public required Verdict Verdict { get; init; }

    /// <summary>Whether the trouble lasts at the end; null where there was none.</summary>
    public bool? IsNow { get; init; }

    public required string Headline { get; init; }

    /// <summary>Time in which work items waited or hung, milliseconds; null where it is not known.</summary>
    public double? TroubleMs { get; init; }

    /// <summary>Time of which no counter sample tells whether work items waited, milliseconds.</summary>
    public required double UnknownMs { get; init; }

    /// <summary>The longest wait of a work item that is proven, milliseconds: a lower bound.</summary>
    public required double ProvenWaitMs { get; init; }

    /// <summary>Completed work items per second of watched time; null where they were not counted.</summary>
    public double? CompletedPerSecond { get; init; }

    public int? MostThreads { get; init; }

    public long? LongestQueue { get; init; }

    /// <summary>Thread count adjustments by the runtime's own reason.</summary>
    public required ImmutableSortedDictionary<string, int> Adjustments { get; init; }

    /// <summary>The longest injection delay, milliseconds; null where no thread was injected.</summary>
    public double? LongestDelayMs { get; init; }

    public required CaptureGrade Grade { get; init; }

    /// <summary>Lost events; null where the stream does not say how many.</summary>
    public long? Lost { get; init; }

    public required ImmutableArray<ComparedFinding> Findings { get; init; }

    /// <summary>Checks that lack something to decide, and what.</summary>
    public required ImmutableSortedDictionary<string, string> Undecided { get; init; }

    /// <summary>Checks that looked and found nothing.</summary>
    public required ImmutableHashSet<string> Clear { get; init; }

    /// <summary>The calls that block worker threads, the largest share first; null where no stacks were taken.</summary>
    public ImmutableArray<string>? Blockers { get; init; }

    /// <summary>Completed work items; null where they were not counted.</summary>
    public double? Completed => CompletedPerSecond * WatchedMs / 1000;

    /// <summary>The share of the time in which work items waited or hung; null where it is not known.</summary>
    public ShareBounds? Share => TroubleMs is { } ms && WatchedMs > 0 ? new(Of(ms), Of(ms + UnknownMs)) : null;

    double Of(double ms) => Math.Clamp(ms / WatchedMs, 0, 1);
}

/// <summary>Two reports side by side: what is better or worse, by the bounds that both leave, and what is the same.</summary>
/// <param name="Before">The first.</param>
/// <param name="After">The second.</param>
/// <param name="Outcome">The judgment.</param>
/// <param name="Sentence">The judgment with its evidence, or what is missing.</param>
sealed record Comparison(ComparedReport Before, ComparedReport After, ComparedOutcome Outcome, string Sentence)
{
    /// <summary>Starved time begins and ends within a counter sample, so that a smaller share may be an accident: one twentieth.</summary>
    const double LeastChange = 0.05;

    /// <summary>The shares of two stored runs of one program differ by up to a sixth: a fifth of what is compared.</summary>
    const double Scatter = 0.2;

    /// <summary>The first counter sample comes after a second, which is a fifth of the shortest capture that says HEALTHY.</summary>
    const double MostUnknown = 0.2;

    /// <summary>With a fifth less completed, a smaller load may be the reason.</summary>
    const double SameLoad = 0.8;

    const string Diluted = "Work items waited for about as long in total, and the watches differ in length. Watch both for as long.";

    const string SameLoadHint = "Compare at the same load.";

    /// <summary>The most blocking calls that are listed of each capture.</summary>
    const int Calls = 10;

    public static Comparison Of(ComparedReport before, ComparedReport after)
    {
        var (outcome, sentence) = Judge(before, after);
        return new(before, after, outcome, Words.OneLine(sentence));
    }

    /// <summary>The figures of both captures.</summary>
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

    /// <summary>What is not the same and may be the reason; what is not known of one of them is left out.</summary>
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

    /// <summary>The findings and the calls that block, with what became of them; those that are gone first.</summary>
    public IEnumerable<Culprit> Culprits => Findings().Concat(Blockers()).OrderBy(c => c.Change);

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

    // One burst is a smaller share of a longer watch.
    static bool IsDiluted(ComparedReport more, ComparedReport less) =>
        less.TroubleMs > SameLoad * more.TroubleMs && !(SameLoad * less.Completed > more.Completed);

    // A longer watch of the same work completes as much at a lower rate.
    static bool IsLess(ComparedReport one, ComparedReport other) =>
        one.CompletedPerSecond < SameLoad * other.CompletedPerSecond && one.Completed < SameLoad * other.Completed;

    IEnumerable<Culprit> Findings() =>
        from finding in Before.Findings.Concat(After.Findings).DistinctBy(f => f.Id).OrderBy(f => f.Id, StringComparer.Ordinal)
        let was = Before.Findings.Any(f => f.Id == finding.Id)
        let now = After.Findings.Any(f => f.Id == finding.Id)
        let other = was ? After : Before
        let missing = (was && now) || other.Clear.Contains(finding.Id) ? null
            : other.Undecided.GetValueOrDefault(finding.Id, "this version does not have the check")
        select new Culprit(finding.Id, finding.Title, Changed(was, now, missing), missing is null ? null : Told(missing, was));

    IEnumerable<Culprit> Blockers() =>
        from call in Some(Before.Blockers).Concat(Some(After.Blockers)).Distinct()
        let was = Before.Blockers?.Contains(call) == true
        let now = After.Blockers?.Contains(call) == true
        let missing = (was ? After : Before).Blockers is null ? "no stacks were taken" : null
        select new Culprit(null, call, Changed(was, now, missing), missing is null ? null : Told(missing, was));

    static CulpritChange Changed(bool was, bool now, string? missing) =>
        missing is not null ? CulpritChange.Unknown : was && now ? CulpritChange.Left : was ? CulpritChange.Gone : CulpritChange.New;

    // It is seen on one side, and the other cannot tell.
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

/// <summary>A comparison as text: the judgment, the figures in two columns, what became of each cause, and what else differs.</summary>
static class ComparisonRenderer
{
    const int NameWidth = 26;

    const int CellWidth = 24;

    /// <summary>The lines, of at most <paramref name="width"/> columns; ends with a line break.</summary>
    public static string Render(Comparison of, int width = TextLayout.Width) =>
        string.Join('\n', Lines(of, width).Select(line => line.TrimEnd())) + "\n";

    /// <summary>The judgment as a headline: <c>CANNOT TELL</c>.</summary>
    public static string Headline(ComparedOutcome outcome) => outcome switch
    {
        ComparedOutcome.Better => "BETTER",
        ComparedOutcome.Worse => "WORSE",
        ComparedOutcome.Same => "THE SAME",
        _ => "CANNOT TELL",
    };

    /// <summary>What became of a cause.</summary>
    public static string Of(CulpritChange change) => change switch
    {
        CulpritChange.Gone => "gone",
        CulpritChange.New => "new",
        CulpritChange.Left => "still there",
        _ => "not known",
    };

    /// <summary>A cause with its id, and why it is not known what became of it.</summary>
    public static string Of(Culprit culprit) => Words.OneLine(
        $"{(culprit.Id is { } id ? id + " " : "")}{culprit.Name}{(culprit.Missing is { } missing ? $": {missing}" : "")}");

    /// <summary>Whose capture it was.</summary>
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
