namespace Tpwatch.LiveTests.Scenarios;

/// <summary>While a backlog stands the watch says when an item queued now will start: the articles' waits, told in advance.</summary>
public sealed class StartDelayTests
{
    const double WithinATenth = 0.10;

    /// <summary>A reading of the counters, and the item compared with it, may lie so far apart.</summary>
    const double NearMs = 250;

    [Theory(Timeout = 120_000)]
    [InlineData("ten-times-network-call", "--min", "10", "--items", "300")]
    [InlineData("ten-times-network-call", "--min", "200", "--max", "200", "--items", "3000")]
    [InlineData("capped-blocking", "--min", "10", "--items", "300")]
    [InlineData("twenty-threads", "--items", "500")]
    [InlineData("pool-burst", "--processors", "8", "--items", "60")]
    public async Task Once_items_end_an_item_queued_now_starts_within_a_tenth_of_what_is_said(params string[] scenario)
    {
        var run = await SaidDelays.OfAsync(TestContext.Current.CancellationToken, scenario);
        var errors = run.Errors;
        Assert.True(errors.Count >= 4, $"only {errors.Count} estimates\n{run.Describe()}");
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{string.Join(' ', scenario)}: median error {Format.Percent(errors[errors.Count / 2])}, largest {Format.Percent(errors[^1])}, {errors.Count} estimates");
        Assert.True(errors[errors.Count / 2] <= WithinATenth, run.Describe());
        Assert.All(run.Bounds, b => Assert.InRange(b.Said.MinMs, 0, b.TruthMs + NearMs));
    }

    [Theory(Timeout = 120_000)]
    [InlineData("eight-minutes", "--scale", "10", "--seconds", "28")]
    public async Task Before_anything_ends_a_lower_bound_is_said_and_never_above_the_truth(params string[] scenario)
    {
        var run = await SaidDelays.OfAsync(TestContext.Current.CancellationToken, scenario);
        Assert.Empty(run.Errors);
        Assert.True(run.Bounds.Count >= 2, run.Describe());
        Assert.All(run.Bounds, b => Assert.True(b.Said.MinMs <= b.TruthMs, run.Describe()));
        Assert.Contains(run.Bounds, b => b.Said.MinMs > 1000);
    }
}
