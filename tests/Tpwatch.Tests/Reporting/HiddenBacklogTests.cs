using Tpwatch.Reports;

namespace Tpwatch.Tests.Reporting;

/// <summary>SocketAsyncEngine of .NET on Linux: one item in the pool's queue at a time for all sockets that are ready.</summary>
public sealed class HiddenBacklogTests
{
    const string NotSeen = "The queue length does not show how many sockets are ready";

    [Fact]
    public void A_queue_of_one_that_never_empties_while_little_completes_may_hide_requests_and_the_headline_says_so()
    {
        var report = Watched(backlog: 1, completed: 12);

        Assert.Equal(Verdict.Healthy, report.Verdict);
        Assert.Contains(NotSeen, report.Headline, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 4000)]
    [InlineData(0, 3)]
    public void A_busy_program_and_an_idle_one_are_healthy_without_more_words(int backlog, int completed)
    {
        var report = Watched(backlog, completed);

        Assert.Equal(Verdict.Healthy, report.Verdict);
        Assert.DoesNotContain(NotSeen, report.Headline, StringComparison.Ordinal);
    }

    static PoolReport Watched(int backlog, int completed) => new PoolScript().Opening().Beats(backlog, completed, 0.1).Pass(8000).Report();
}
