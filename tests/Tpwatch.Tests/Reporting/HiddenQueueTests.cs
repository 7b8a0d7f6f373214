using Tpwatch.Reports;

namespace Tpwatch.Tests.Reporting;

/// <summary>SocketAsyncEngine of .NET on Linux: one item in the pool's queue at a time for all sockets that are ready.</summary>
public sealed class HiddenQueueTests
{
    const string NotSeen = "The queue length does not show how many sockets are ready";

    internal static IEnumerable<PoolReport> Told => [Watched(1, 12), Watched(16, 20)];

    /// <summary>
    /// A queue of one that never empties while little completes is not called healthy, nor are waits that nearly reach a second.
    /// </summary>
    [Theory]
    [InlineData(1, 12, Verdict.Undecided, null)]
    [InlineData(16, 20, Verdict.Undecided, "800 ms")]
    [InlineData(60, 100, Verdict.Undecided, "600 ms")]
    [InlineData(1, 4000, Verdict.Healthy, null)]
    [InlineData(0, 3, Verdict.Healthy, null)]
    [InlineData(8, 20, Verdict.Healthy, null)]
    [InlineData(400, 1000, Verdict.Healthy, null)]
    public void A_queue_that_may_hide_waits_leaves_it_undecided(int queueLength, int completed, Verdict verdict, string? border)
    {
        var report = Watched(queueLength, completed).Report();

        Assert.Equal((verdict, border is not null), (report.Verdict, report.Headline.Contains("borderline", StringComparison.Ordinal)));
        Assert.Contains(border ?? "", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Once_it_was_over_for_half_a_minute_the_headline_tells_only_what_the_queue_may_have_hidden()
    {
        var report = Watched(queueLength: 1, completed: 12).CounterSamples(queueLength: 0, completed: 12, cpu: 0.1).Pass(35_000).Report();

        Assert.Equal(Verdict.Healthy, report.Verdict);
        Assert.Contains(NotSeen, report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void A_rate_that_wavers_around_the_border_gives_one_answer()
    {
        var script = new PoolScript().Opening().CounterSamples(10, 20, 0.1).Pass(1000);
        var report = script.Repeat(4, s => s.CounterSamples(18, 20, 0.1).Pass(1000).CounterSamples(9, 20, 0.1).Pass(1000)).Report();

        Assert.StartsWith("Undecided: borderline: waits of 656 ms. ", report.Headline, StringComparison.Ordinal);
    }

    static PoolScript Watched(int queueLength, int completed) =>
        new PoolScript().Opening().CounterSamples(queueLength, completed, 0.1).Pass(8000);
}
