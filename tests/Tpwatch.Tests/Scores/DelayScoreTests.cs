using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Tests.Fixtures;

namespace Tpwatch.Tests.Scores;

/// <summary>What was said of an item queued now.</summary>
public sealed class DelayScoreTests
{
    [Fact]
    public void A_start_delay_is_compared_once_for_each_moment_and_only_where_the_truth_knows_it()
    {
        var truth = SampleTruth.Of(9000, (0, 1, 1000, 1), (0, 1001, 2000, 1), (0, 2001, 3000, 1));
        // At 500 the truth is 2,500 ms, at 2,500 nothing waits.
        var said = Said(truth, 500, min: 2000, estimate: 2750);

        var score = DelayScore.Of(
            [said, said, Said(truth, 2500, min: 10, estimate: 10), Said(truth, 501, min: 2600, estimate: null),
                Said(truth, 502, min: 2400, estimate: null)], truth);

        Assert.Equal(0.1, Assert.Single(score.Errors), 3);
        Assert.Equal(new Share(1, 2), score.BrokenBounds);
    }

    static QueueTimeForecast Said(RunTruth truth, double at, double min, double? estimate) =>
        new(SampleGaps.At(truth, at), min, null, estimate, "");
}
