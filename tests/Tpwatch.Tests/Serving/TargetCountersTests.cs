using Tpwatch.Reports;
using Tpwatch.Serve;

namespace Tpwatch.Tests.Serving;

/// <summary>The counters of a target agree with its report, however often somebody looked, and never go back.</summary>
public sealed class TargetCountersTests
{
    [Theory]
    [InlineData("pool-burst")]
    [InlineData("sync-over-async")]
    [InlineData("ceiling")]
    [InlineData("oscillation")]
    public async Task What_is_counted_is_what_the_report_says(string recording)
    {
        await using var process = await RecordedProcess.OfAsync(recording, TestContext.Current.CancellationToken);
        var (report, glance) = (process.Report(), process.Glance(null)!);
        var tally = TargetCounters.None.With(glance);

        Assert.Equal(glance.Ledger.Episodes.Length, tally.Episodes.Values.Sum());
        Assert.Equal(glance.Ledger.Episodes.Sum(e => e.Span.Ms) / 1000, tally.Seconds.Values.Sum(), 6);
        Assert.Equal(
            report.Journal.Count(g => g is { IsWait: true, ObservedMs: not null, Mechanism: not Mechanism.None }),
            tally.Fresh.Length);
        Assert.Equal(
            report.Journal.Where(g => g is { Reason: not null, TargetThreadsBefore: not null })
                .Sum(g => Math.Max(0, g.TargetThreadsAfter!.Value - g.TargetThreadsBefore!.Value)),
            tally.Injected.Values.Sum());
        Assert.Empty(tally.With(glance).Fresh);
        Assert.Equal(tally.Fresh, tally.ForNewWatch().With(glance).Fresh);
    }

    [Fact]
    public async Task Looking_again_counts_nothing_twice_and_a_new_watch_goes_on_from_there()
    {
        await using var process = await RecordedProcess.OfAsync("pool-burst", TestContext.Current.CancellationToken);
        var glance = process.Glance(null)!;
        var once = TargetCounters.None.With(glance);
        var again = once.With(glance).With(glance);
        var twice = again.ForNewWatch().With(glance);

        Assert.True(Total(once) > 10);
        Assert.Equal(Total(once), Total(again), 6);
        Assert.Equal(2 * Total(once), Total(twice), 6);
    }

    [Fact]
    public async Task A_ledger_that_was_cut_takes_nothing_away()
    {
        await using var process = await RecordedProcess.OfAsync("pool-burst", TestContext.Current.CancellationToken);
        var glance = process.Glance(null)!;
        var tally = TargetCounters.None.With(glance);
        var less = tally.With(glance with { Ledger = glance.Ledger with { Episodes = [], Journal = [] } });
        Assert.Equal(Total(tally), Total(less), 6);
    }

    static double Total(TargetCounters tally) =>
        tally.Episodes.Values.Sum() + tally.Seconds.Values.Sum() + tally.Injected.Values.Sum();
}
