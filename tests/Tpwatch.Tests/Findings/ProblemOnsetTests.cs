using Tpwatch.Reports;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Findings;

/// <summary>Whether a beginning was seen: who attaches in the middle of an incident meets it and sees no onset.</summary>
public sealed class ProblemOnsetTests
{
    /// <summary>An empty queue before it, completed items before a hang; what is there with the capture has begun before it.</summary>
    [Theory]
    [InlineData(Verdict.SilentlyStarved, 0, 5, 4000, true)]
    [InlineData(Verdict.SilentlyStarved, 7, 5, 4000, false)]
    [InlineData(Verdict.Held, 0, 3, 4000, true)]
    [InlineData(Verdict.Held, 0, 0, 4000, false)]
    [InlineData(Verdict.Starved, 0, 5, 1000, false)]
    public void An_onset_is_seen_where_all_was_well_before_it(Verdict verdict, int waitedBefore, int completedBefore, int ms, bool seen) =>
        Assert.Equal(seen, ProblemOnset.IsSeen(With(verdict, waitedBefore, completedBefore), SampleReports.At(ms)));

    static PoolReport With(Verdict verdict, int waits, int completed)
    {
        var report = SampleReports.Healthy();
        var samples = Enumerable.Range(1, 3).Select(s => new CounterSample(SampleReports.At(s * 1000), 1000, 8, waits, completed, 0.1));
        return report with
        {
            Verdict = verdict,
            Timeline = report.Timeline
            with
            { Start = SampleReports.At(0), CounterSamples = [.. samples] }
        };
    }
}
