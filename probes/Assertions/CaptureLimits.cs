using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Assertions;

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
