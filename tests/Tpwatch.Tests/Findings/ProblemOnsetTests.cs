using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Findings;

/// <summary>Whether a beginning was seen: who attaches in the middle of an incident meets it and sees no onset.</summary>
public sealed class ProblemOnsetTests
{
    [Theory]
    [InlineData(0, true)]
    [InlineData(7, false)]
    public void An_onset_has_an_empty_queue_before_it(int waitedBefore, bool seen) =>
        Assert.Equal(seen, ProblemOnset.IsSeen(With(Verdict.SilentlyStarved, waitedBefore, 5), SampleReports.At(4000)));

    [Theory]
    [InlineData(3, true)]
    [InlineData(0, false)]
    public void A_hang_has_completed_items_before_it(int completedBefore, bool seen) =>
        Assert.Equal(seen, ProblemOnset.IsSeen(With(Verdict.Held, 0, completedBefore), SampleReports.At(4000)));

    [Fact]
    public void What_is_there_with_the_capture_has_begun_before_it() =>
        Assert.False(ProblemOnset.IsSeen(With(Verdict.Starved, 0, 5), SampleReports.At(1000)));

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
