using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>The result of a condition.</summary>
enum Outcome
{
    /// <summary>The condition is not met: no match was found, and the capture could have shown one.</summary>
    NotMet,

    /// <summary>The condition is met.</summary>
    Met,

    /// <summary>The capture cannot decide.</summary>
    Unanswered,
}

/// <summary>The result of a condition with the sentence that explains it.</summary>
sealed record ConditionAnswer(Condition Condition, Outcome Outcome, string Reason);

/// <summary>A condition on a report that a script, a build or a test rejects.</summary>
/// <param name="Text">The condition as written, such as <c>gap>600ms</c>.</param>
abstract record Condition(string Text)
{
    /// <summary>
    /// Evaluates the condition. The data so far is enough for "met", but "not met" needs a capture that could have shown a match.
    /// </summary>
    public ConditionAnswer Look(PoolReport report) =>
        WhyMet(report) is { } met ? new(this, Outcome.Met, met)
        : (WhyOpen(report) ?? CaptureLimits.WhyBlind(report)) is { } open ? new(this, Outcome.Unanswered, open)
        : new(this, Outcome.NotMet, WhyNot(report));

    /// <summary>Why the condition is met, one sentence; null when nothing shows it.</summary>
    protected abstract string? WhyMet(PoolReport report);

    /// <summary>The missing information that only this condition needs; null when none is missing.</summary>
    protected virtual string? WhyOpen(PoolReport report) => null;

    /// <summary>Why the condition is not met, one sentence.</summary>
    protected abstract string WhyNot(PoolReport report);
}

/// <summary>Explains why a capture without a match does not prove that no match existed.</summary>
static class CaptureLimits
{
    /// <summary>The reason, one sentence; null when the capture is complete.</summary>
    public static string? WhyBlind(PoolReport report)
    {
        var timeline = report.Timeline;
        var length = timeline.Now.MsSince(timeline.Start);
        return timeline.Quality switch
        {
            { LossUnknown: true } => "an unknown number of events was lost",
            { Lost: > 0 and var lost } => $"{Format.Plural(lost, "event")} {(lost == 1 ? "was" : "were")} lost",
            _ when report.End is SessionEnd.StreamBroken or SessionEnd.RecordingBroken => "the capture ends early",
            _ when length < Judgement.TooShortMs =>
                $"the capture is too short: {Format.Duration(length)}; the runtime needs up to a second to detect starvation",
            _ when report.Verdict == Verdict.Undecided => char.ToLowerInvariant(report.Headline[0]) + report.Headline[1..].TrimEnd('.'),
            _ => null,
        };
    }
}
