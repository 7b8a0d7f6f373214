using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>While a backlog stands it could be read when an item queued now will start: the articles' waits, told in advance.</summary>
public sealed class StartDelayTests
{
    const double WithinATenth = 0.10;

    const int Enough = 4;

    [Theory]
    [InlineData("ten-times-network-call")]
    [InlineData("ten-times-network-call-min-10")]
    [InlineData("capped-blocking-min-10")]
    [InlineData("capped-blocking")]
    [InlineData("pool-burst.sixty")]
    public async Task Once_items_end_half_of_what_is_said_is_within_a_tenth_of_what_happened(string name)
    {
        var score = Score(await StoredRuns.ReadAsync(name));
        TestContext.Current.TestOutputHelper?.WriteLine(string.Join(' ', score.Errors.Select(error => Format.Percent(error))));

        Assert.True(score.Errors.Length >= Enough, $"only {score.Errors.Length} estimates");
        Assert.InRange(new Spread(score.Errors).Median, 0, WithinATenth);
        Assert.Equal(0, score.BrokenBounds.Part);
    }

    [Theory]
    [InlineData("eight-minutes.long")]
    public async Task Before_anything_ends_a_lower_bound_is_said_and_never_above_what_happened(string name)
    {
        var score = Score(await StoredRuns.ReadAsync(name));

        Assert.Empty(score.Errors);
        Assert.True(score.BrokenBounds is { Part: 0, Of: >= 2 }, score.BrokenBounds.ToString());
    }

    static DelayScore Score(Scoring.Recorded.RecordedRun run) =>
        DelayScore.Of(run.Readings.Select(reading => reading.Forecast.StartDelayOfNewItem).OfType<StartDelay>(), run.Run.Truth);
}
