using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Stacks.Holders;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Reporting;

/// <summary>Task waits for which the pool adds threads, so that nothing waits: that end, that do not, and ever more of them.</summary>
public sealed class HiddenHangTests
{
    internal static IEnumerable<PoolReport> Told =>
        [Compensating(completed: 1, looks: 2), Compensating(completed: 1, looks: 1), Growing(12)];

    [Fact]
    public void Threads_that_hold_their_item_at_two_looks_hang_behind_compensation()
    {
        var report = Compensating(completed: 1, looks: 2);

        Assert.Equal((Verdict.Held, true), (report.Verdict, report.IsNow));
        var finding = Assert.Single(report.Findings, f => f.Id == "TPW018");
        Assert.StartsWith("14 worker threads each ran one item for at least 5.0 s", finding.Headline, StringComparison.Ordinal);
        Assert.DoesNotContain(report.Findings.SelectMany(f => f.Remedies), r => r.Text.StartsWith("Not urgent", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(SessionEnd.TargetExited)]
    [InlineData(SessionEnd.TargetKilled)]
    public void What_hung_in_a_process_that_has_ended_does_not_hang_now(SessionEnd end)
    {
        var report = Compensating(completed: 1, looks: 2, end: end);

        Assert.Equal((Verdict.Held, false), (report.Verdict, report.IsNow));
        Assert.All(report.Episodes, e => Assert.True(e.Over));
    }

    /// <summary>As many items have ended as threads are there: each of them may have run several.</summary>
    [Fact]
    public void The_same_threads_with_other_items_are_no_hang()
    {
        var report = Compensating(completed: 10, looks: 2);

        Assert.Equal(Verdict.Compensated, report.Verdict);
        Assert.Contains(report.Findings.SelectMany(f => f.Remedies), r => r.Text.StartsWith("Not urgent", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(2, 0)]
    public void One_look_proves_nothing_nor_do_two_without_completions_counted_between(int looks, int beatsAfter)
    {
        var report = Compensating(completed: 1, looks, beatsAfter, apartMs: looks == 2 && beatsAfter == 1 ? 2000 : 5000);

        Assert.Equal(Verdict.Compensated, report.Verdict);
        Assert.Contains(report.Findings.SelectMany(f => f.Remedies), r => r.Text.Contains("not known whether these items end",
            StringComparison.Ordinal));
    }

    [Fact]
    public void Loops_that_wait_for_work_get_on()
    {
        const string take = "System.Collections.Concurrent!System.Collections.Concurrent.BlockingCollection`1[System.Int32].Take()";
        BurstSamples[] looks = [Look(1000, [.. Sampled.Semaphore, take]), Look(6000, [.. Sampled.Semaphore, take])];
        Assert.Equal(Verdict.Compensated, Report(Script(completed: 1), looks).Verdict);
    }

    [Fact]
    public void Threads_that_grow_without_an_end_in_sight_are_not_called_not_urgent()
    {
        var report = Growing(seconds: 12).Report();

        Assert.Equal(Verdict.Compensated, report.Verdict);
        var finding = Assert.Single(report.Findings, f => f.Id == "TPW002");
        Assert.Equal(Severity.Serious, finding.Severity);
        Assert.EndsWith(", and their number grows by 2 a second", finding.Cause.Words, StringComparison.Ordinal);
        Assert.StartsWith("Act now", finding.Remedies[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Growth_that_is_young_or_over_is_none() => Assert.All<PoolReport>(
        [Growing(8), Growing(12).Pass(5000), Growing(12).Repeat(3, s => s.WorkerEnds()).Pass(1000)],
        report => Assert.NotEqual(Severity.Serious, report.Findings.Single(f => f.Id == "TPW002").Severity));

    static PoolScript Growing(int seconds) =>
        new PoolScript().Opening().CounterSamples(0, 50).Repeat(2 * seconds, s => s.CooperativeAfter(500)).Pass(600);

    static PoolReport Compensating(
        int completed, int looks, int beatsAfter = 1, double apartMs = 5000, SessionEnd end = SessionEnd.StillOpen) => Report(
        Script(completed, beatsAfter == 0 ? 6000 : 7500),
        [.. Enumerable.Range(0, looks).Select(n => Look((beatsAfter == 0 ? 1500 : 1000) + (n * apartMs), Sampled.Task))], end);

    static PoolScript Script(int completed, double ms = 7500) => new PoolScript().Opening(4)
        .CounterSamples(0, completed).Repeat(8, s => s.CooperativeAfter(30)).Pass(ms - 240);

    static PoolReport Report(PoolScript script, BurstSamples[] looks, SessionEnd end = SessionEnd.StillOpen)
    {
        var first = script.Origin.MsSince(Render.SampleReports.Origin);
        return ReportBuilder.Build(script.Timeline.Snapshot(), script.Ledger.Snapshot(), end, new ReportInputs
        {
            Stacks = new([.. looks.Select(look => look with { At = look.At.PlusMs(first) })], []),
        });
    }

    static BurstSamples Look(double ms, string[] wait) =>
        Sampled.Burst(ms, [.. Enumerable.Range(1, 20).Select(thread => Sampled.At(thread, wait))]);
}
