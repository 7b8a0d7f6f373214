using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Verbs;

/// <summary>When a report for which nobody gave a duration ends before its time.</summary>
public sealed class EnoughSeenTests
{
    static readonly Blocker Clear = new("Shop.Orders.Load", 0.8, 20, BlockKind.Sleep, ["Thread.Sleep", "Shop.Orders.Load"]);

    [Theory]
    [InlineData(6900, false)]
    [InlineData(7000, true)]
    public void One_burst_that_is_clear_is_enough_after_seven_seconds(double ms, bool enough) =>
        Assert.Equal(enough, EnoughSeen.In(Starving(ms)));

    [Theory]
    [InlineData(11_900, false)]
    [InlineData(12_000, true)]
    public void Where_nothing_has_completed_it_stays_until_a_deadlock_would_be_told(double ms, bool enough)
    {
        var report = Starving(ms);
        var silent = report.Timeline.CounterSamples.Select(sample => sample with { Completed = 0 });
        Assert.Equal(enough, EnoughSeen.In(report with { Timeline = report.Timeline with { CounterSamples = [.. silent] } }));
    }

    /// <summary>One look shows who waits for tasks, and two whether those ever end.</summary>
    [Theory]
    [InlineData(1, 14_900, false)]
    [InlineData(2, 11_900, false)]
    [InlineData(2, 12_000, true)]
    [InlineData(1, 15_000, true)]
    public void Where_the_pool_adds_threads_for_task_waits_it_stays_for_a_second_look(int looks, double ms, bool enough)
    {
        var report = Starving(ms) with { Verdict = Verdict.Compensated, IsNow = false };
        var taken = Enumerable.Range(0, looks).Select(n => new BurstTaken(SampleReports.At(4000 + (n * 5000)), 30, 20));
        Assert.Equal(enough, EnoughSeen.In(report with { Bursts = report.Bursts! with { Taken = [.. taken] } }));
    }

    [Fact]
    public void Where_requests_are_watched_the_route_is_waited_for()
    {
        var watched = Starving(9000) with { WatchesRequests = true };
        Assert.False(EnoughSeen.In(watched));
        Assert.True(EnoughSeen.In(watched with { Blockers = [Clear with { Routes = [new("GET /orders/{n}", 1, true)] }] }));
    }

    [Theory]
    [InlineData(2, 25_000, false)]
    [InlineData(3, 16_900, false)]
    [InlineData(3, 17_000, true)]
    public void Where_no_place_stands_out_all_bursts_are_waited_for_and_what_they_saw(int bursts, double ms, bool enough)
    {
        var report = Starving(ms) with { Blockers = [Clear with { Share = 0.3 }] };
        var taken = Enumerable.Range(0, bursts).Select(n => new BurstTaken(SampleReports.At(4000 + (n * 5000)), 30, 20));
        Assert.Equal(enough, EnoughSeen.In(report with { Bursts = report.Bursts! with { Taken = [.. taken] } }));
    }

    [Fact]
    public void What_is_over_is_seen_to_be_over_and_what_is_healthy_is_seen_for_as_long_as_ever()
    {
        Assert.False(EnoughSeen.In(Starving(20_000) with { IsNow = false }));
        Assert.True(EnoughSeen.In(Starving(20_000) with { IsNow = false, Verdict = Verdict.Compensated }));
        Assert.False(EnoughSeen.In(SampleReports.Healthy()));
        Assert.False(EnoughSeen.In(SampleReports.SilentlyStarved()));
    }

    [Fact]
    public async Task A_report_of_it_ends_at_once_and_says_so_and_one_with_a_duration_does_not()
    {
        var early = await RunAsync("report", "-p", "41822");
        Assert.Contains("Stopped after 9.0 s: "
            + "tpwatch knows what holds the worker threads; --duration 30s", early.Error, StringComparison.Ordinal);
        Assert.Contains("for 30.0 s, or until tpwatch knows the blocking call", early.Error, StringComparison.Ordinal);
        foreach (var words in new[] { "--duration 5s", "--fail-on gap>90s", "--depth stacks,requests", "--depth basic" })
        {
            var whole = await RunAsync(["report", "-p", "41822", .. words.Split(' ')]);
            Assert.DoesNotContain("tpwatch knows what holds", whole.Error, StringComparison.Ordinal);
            Assert.DoesNotContain("tpwatch knows the blocking call", whole.Error, StringComparison.Ordinal);
        }
    }

    static async Task<CommandRun> RunAsync(params string[] words)
    {
        var engine = new FakeEngine { GoesOn = true };
        engine.Reports.Clear();
        engine.Reports.Add(Starving(9000));
        return await CommandRun.Of(engine, words);
    }

    static PoolReport Starving(double ms)
    {
        var report = SampleReports.SilentlyStarved();
        return report with
        {
            Timeline = report.Timeline with
            {
                Now = SampleReports.At(ms),
                CounterSamples = [new(SampleReports.At(1000), 1000, 8, 20, Completed: 3, Cpu: 0.1)],
            },
            IsNow = true,
            Blockers = [Clear],
            Bursts = new() { Taken = [new(SampleReports.At(4000), 30, 20)], Samples = 20, PausedMs = 30, WaitsFor = WaitsFor.Outside },
        };
    }
}
