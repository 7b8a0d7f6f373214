using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>What became of a condition.</summary>
enum Outcome
{
    /// <summary>It is not met: nothing of that was found, and the capture could have shown it.</summary>
    NotMet,

    /// <summary>It is met.</summary>
    Met,

    /// <summary>The capture cannot say.</summary>
    Unanswered,
}

/// <summary>The answer to a condition and the sentence that goes with it.</summary>
sealed record ConditionAnswer(Condition Condition, Outcome Outcome, string Reason);

/// <summary>Something that a script, a build or a test does not want to see in a report.</summary>
/// <param name="Text">How it was written, such as <c>gap>600ms</c>.</param>
abstract record Condition(string Text)
{
    /// <summary>Whether it is met; what was seen is enough to say yes, but a no needs a capture that could have shown it.</summary>
    public ConditionAnswer Look(PoolReport report) =>
        WhyMet(report) is { } met ? new(this, Outcome.Met, met)
        : (WhyOpen(report) ?? CaptureLimits.WhyBlind(report)) is { } open ? new(this, Outcome.Unanswered, open)
        : new(this, Outcome.NotMet, WhyNot(report));

    /// <summary>Why it is met, one sentence; null where nothing shows it.</summary>
    protected abstract string? WhyMet(PoolReport report);

    /// <summary>What is missing to decide, beyond what every condition needs; null where nothing is.</summary>
    protected virtual string? WhyOpen(PoolReport report) => null;

    /// <summary>Why it is not met, one sentence.</summary>
    protected abstract string WhyNot(PoolReport report);
}

/// <summary>Why a capture that shows nothing wrong does not show that nothing was.</summary>
static class CaptureLimits
{
    /// <summary>One sentence; null where the capture is whole.</summary>
    public static string? WhyBlind(PoolReport report)
    {
        var timeline = report.Timeline;
        var length = timeline.Now.MsSince(timeline.Start);
        return timeline.Quality switch
        {
            { LossUnknown: true } => "an unknown number of events was lost",
            { Lost: > 0 and var lost } => $"{Format.Plural(lost, "event")} {(lost == 1 ? "was" : "were")} lost",
            _ when report.End is SessionEnd.StreamBroken or SessionEnd.RecordingBroken => "the capture ends early",
            _ when length < ReportBuilder.TooShortMs =>
                $"the capture is too short: {Format.Duration(length)}; the runtime needs up to a second to detect starvation",
            _ when report.Verdict == Verdict.Undecided => char.ToLowerInvariant(report.Headline[0]) + report.Headline[1..].TrimEnd('.'),
            _ => null,
        };
    }
}
