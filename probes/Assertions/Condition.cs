using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Assertions;

enum ConditionOutcome
{
    /// <summary>The report does not meet the condition, and the capture is complete enough to be sure.</summary>
    NotMet,

    Met,

    /// <summary>The capture is not sufficient to decide.</summary>
    Unanswered,
}

sealed record ConditionAnswer(Condition Condition, ConditionOutcome Outcome, string Reason);

/// <summary>A condition that a report can meet. A report that meets the condition makes a script, a build or a test fail.</summary>
/// <param name="Text">The condition as written, such as <c>gap>600ms</c>.</param>
abstract record Condition(string Text)
{
    /// <summary>
    /// Evaluates the condition on a report. The outcome is <see cref="ConditionOutcome.Unanswered"/> if the condition is not met, and the
    /// capture is not sufficient to be sure.
    /// </summary>
    public ConditionAnswer Look(PoolReport report) =>
        WhyMet(report) is { } met ? new(this, ConditionOutcome.Met, met)
        : (WhyOpen(report) ?? WhyBlind(report)) is { } open ? new(this, ConditionOutcome.Unanswered, open)
        : new(this, ConditionOutcome.NotMet, WhyNot(report));

    /// <summary>Returns one sentence that says why the report meets the condition; null if nothing shows that it does.</summary>
    protected abstract string? WhyMet(PoolReport report);

    /// <summary>Returns one sentence that says which data for this kind of condition is missing; null if none is missing.</summary>
    protected virtual string? WhyOpen(PoolReport report) => null;

    /// <summary>Returns one sentence that says why the report does not meet the condition.</summary>
    protected abstract string WhyNot(PoolReport report);

    // Why the capture is not complete enough to show that something did not happen; null if it is complete enough.
    static string? WhyBlind(PoolReport report)
    {
        var timeline = report.Timeline;
        var length = timeline.Now.MsSince(timeline.Start);
        return timeline.Quality switch
        {
            { LossUnknown: true } => "an unknown number of events was lost",
            { Lost: > 0 and var lost } => $"{Format.Plural(lost, "event")} {(lost == 1 ? "was" : "were")} lost",
            _ when report.End is SessionEnd.StreamBroken or SessionEnd.RecordingBroken => "the capture ends early",
            _ when length < VerdictJudgement.TooShortMs =>
                $"the capture is too short: {Format.Duration(length)}; the runtime needs up to a second to detect starvation",
            _ when report.Verdict == Verdict.Undecided => char.ToLowerInvariant(report.Headline[0]) + report.Headline[1..].TrimEnd('.'),
            _ => null,
        };
    }
}

/// <summary>A value of a report that can be compared with a limit.</summary>
/// <param name="Name">The name of the value in a condition, such as <c>workers</c>.</param>
/// <param name="Words">The beginning of a sentence that ends with the value.</param>
/// <param name="Missing">The reason to give when the value is unknown.</param>
/// <param name="Of">Callback that returns the value, milliseconds or a count; null when unknown.</param>
sealed record ConditionMeasure(string Name, string Words, string Missing, Func<PoolReport, double?> Of)
{
    const string NoItems = "tpwatch did not measure single items: use --depth items";
    const string NoCounterSample = "no counter sample came, so it is not known whether items waited";

    public static ImmutableArray<ConditionMeasure> All { get; } =
    [
        new("gap", "the longest wait for a worker thread was", "", LongestDelay) { ForgetsOldOnes = true },
        new("starved", "items waited for", NoCounterSample, r => Wording.Words.IsStarvingKnown(r) ? r.StarvedMs : null),
        new("backlog", "the largest queue length was", NoCounterSample, r => r.MaxQueueLength) { IsCount = true },
        new("workers", "the largest number of worker threads was",
            "neither an event nor a counter sample shows how many worker threads there were", r => r.MaxWorkers) { IsCount = true },
        .. Points("queue-delay", "of the queue time", r => r.QueueDelay),
        .. Points("run-time", "of the run time", r => r.RunTime),
    ];

    /// <summary>Whether the value is a count; otherwise it is a duration.</summary>
    public bool IsCount { get; init; }

    /// <summary>Whether injection delays that were discarded to limit memory use may have been longer than the kept ones.</summary>
    public bool ForgetsOldOnes { get; init; }

    /// <summary>Callback that returns whether the value is a lower bound, so that the true value may still be above a limit.</summary>
    public Func<PoolReport, bool> IsLeast { get; init; } = _ => false;

    public string Written(double value) => IsCount ? Format.Count((long)value) : Format.Duration(value);

    /// <summary>
    /// Returns a sentence such as <c>the largest queue length was 12, more than 5</c>. If two different durations would look equal, both
    /// are written in milliseconds with up to three decimals.
    /// </summary>
    public string Compared(double value, string relation, double limit)
    {
        Func<double, string> written = value == limit || Written(value) != Written(limit) ? Written : Exactly;
        return $"{Words} {written(value)}, {relation} {written(limit)}";
    }

    static string Exactly(double ms) => FormattableString.Invariant($"{ms:0.###} ms");

    static IEnumerable<ConditionMeasure> Points(string name, string words, Func<PoolReport, Distribution?> from)
    {
        (string Name, LowerBounds Bound, Func<Distribution, double> Of)[] points =
        [
            ("p50", LowerBounds.P50, d => d.P50Ms), ("p90", LowerBounds.P90, d => d.P90Ms), ("p99", LowerBounds.P99, d => d.P99Ms),
            ("p999", LowerBounds.P999, d => d.P999Ms), ("max", LowerBounds.Max, d => d.MaxMs),
        ];
        return points.Select(p => new ConditionMeasure(
            $"{name}-{p.Name}", $"{p.Name} {words} was", NoItems, r => from(r) is { IsKnown: true } d ? p.Of(d) : null)
        {
            IsLeast = r => from(r)?.AtLeast.HasFlag(p.Bound) == true,
        });
    }

    static double? LongestDelay(PoolReport report) => report.InjectionDelays.Where(g => g.IsWait).Max(g => g.ObservedMs) ?? 0;
}

/// <summary>Met if at least one finding has the severity <see cref="Least"/> or a higher severity.</summary>
sealed record FindingCondition(string Text, Severity Least) : Condition(Text)
{
    protected override string? WhyMet(PoolReport report) =>
        report.Findings.Where(f => f.Severity >= Least).ToList() is [var first, .. var others]
            ? $"{first.Id} {first.Title}: {first.Headline}"
                + (others.Count > 0 ? $" Also found: {string.Join(", ", others.Select(f => f.Id))}." : "")
            : null;

    protected override string WhyNot(PoolReport report) => report.Findings.IsEmpty
        ? "nothing was found"
        : $"only less serious findings: {string.Join(", ", report.Findings.Select(f => f.Id))}";
}

sealed record RuleFoundCondition(string Id) : Condition(Id)
{
    protected override string? WhyMet(PoolReport report) =>
        report.Findings.FirstOrDefault(f => f.Id == Id) is { } found ? $"{found.Title}: {found.Headline}" : null;

    protected override string? WhyOpen(PoolReport report) =>
        report.Undecided.FirstOrDefault(u => u.Id == Id) is { } open ? $"the check is undecided: {open.Missing}" : null;

    protected override string WhyNot(PoolReport report) => "the check found nothing";
}

/// <summary>Met if items waited because all worker threads were busy, or if work hung. Undetected starvation counts as well.</summary>
sealed record StarvationCondition(string Text) : Condition(Text)
{
    protected override string? WhyMet(PoolReport report) =>
        report.Verdict.IsStarvation() || report.Episodes.Any(e => e.Kind.IsStarvation())
            ? report.Verdict.IsStarvation()
                ? report.Headline
                : $"{Format.Duration(StarvedMs(report))} of starvation in part of the capture. {report.Headline}"
            : null;

    protected override string WhyNot(PoolReport report) => report.Headline;

    static double StarvedMs(PoolReport report) => report.Episodes.Where(e => e.Kind.IsStarvation()).Sum(e => e.Span.Ms);
}

/// <summary>Met if a measured value is above a limit.</summary>
/// <param name="Text">The condition as written.</param>
/// <param name="Measure">The value to compare.</param>
/// <param name="Limit">The limit, milliseconds or a count.</param>
sealed record ThresholdCondition(string Text, ConditionMeasure Measure, double Limit) : Condition(Text)
{
    protected override string? WhyMet(PoolReport report) => Measure.Of(report) is { } value && value > Limit
        ? Measure.Compared(value, "more than", Limit)
        : null;

    protected override string? WhyOpen(PoolReport report) => Measure.Of(report) is null ? Measure.Missing
        : Measure.IsLeast(report)
            ? $"{Measure.Words} at least {Measure.Written(Measure.Of(report)!.Value)}; the true value may be larger, since items still "
                + "wait or run"
        : report.EvictedWaits > 0
            && Measure.ForgetsOldOnes ? $"tpwatch discarded {Format.Plural(report.EvictedWaits, "older wait")} to limit memory use"
        : null;

    protected override string WhyNot(PoolReport report) => Measure.Compared(Measure.Of(report) ?? 0, "not more than", Limit);
}
