using Tpwatch.Reports;

namespace Tpwatch.Tests.Reporting;

/// <summary>SocketAsyncEngine of .NET on Linux: one item in the pool's queue at a time for all sockets that are ready.</summary>
public sealed class HiddenQueueTests
{
    const string NotSeen = "The queue length does not show how many sockets are ready";

    [Fact]
    public void A_queue_of_one_that_never_empties_while_little_completes_is_not_called_healthy()
    {
        var report = Watched(queueLength: 1, completed: 12).Report();

        Assert.Equal(Verdict.Undecided, report.Verdict);
        Assert.Contains("--depth stacks", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Once_it_was_over_for_half_a_minute_the_headline_tells_only_what_the_queue_may_have_hidden()
    {
        var report = Watched(queueLength: 1, completed: 12).CounterSamples(queueLength: 0, completed: 12, cpu: 0.1).Pass(35_000).Report();

        Assert.Equal(Verdict.Healthy, report.Verdict);
        Assert.Contains(NotSeen, report.Headline, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 4000)]
    [InlineData(0, 3)]
    public void A_busy_program_and_an_idle_one_are_healthy_without_more_words(int queueLength, int completed)
    {
        var report = Watched(queueLength, completed).Report();

        Assert.Equal(Verdict.Healthy, report.Verdict);
        Assert.DoesNotContain(NotSeen, report.Headline, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(16, 20, "800 ms")]
    [InlineData(60, 100, "600 ms")]
    public void Waits_that_nearly_reach_a_second_are_told_as_the_border_and_not_as_healthy(int queueLength, int completed, string wait)
    {
        var report = Watched(queueLength, completed).Report();

        Assert.Equal(Verdict.Undecided, report.Verdict);
        Assert.StartsWith($"Undecided: borderline: waits of {wait}. ", report.Headline, StringComparison.Ordinal);
        Assert.Contains("--depth stacks", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void A_rate_that_wavers_around_the_border_gives_one_answer()
    {
        var script = new PoolScript().Opening().CounterSamples(10, 20, 0.1).Pass(1000);
        var report = script.Repeat(4, s => s.CounterSamples(18, 20, 0.1).Pass(1000).CounterSamples(9, 20, 0.1).Pass(1000)).Report();

        Assert.StartsWith("Undecided: borderline: waits of 656 ms. ", report.Headline, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(8, 20)]
    [InlineData(400, 1000)]
    public void Shorter_ones_are_healthy(int queueLength, int completed) =>
        Assert.Equal(Verdict.Healthy, Watched(queueLength, completed).Report().Verdict);

    static PoolScript Watched(int queueLength, int completed) =>
        new PoolScript().Opening().CounterSamples(queueLength, completed, 0.1).Pass(8000);
}
