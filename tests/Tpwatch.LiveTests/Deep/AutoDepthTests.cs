using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>
/// Depth auto: in the middle of an incident stacks come by themselves and name the service's own method; a healthy target is left alone.
/// </summary>
public sealed class AutoDepthTests(AutoDepthRuns runs) : IClassFixture<AutoDepthRuns>
{
    [Theory(Timeout = 6 * 60 * 1000)]
    [InlineData(TargetRuntime.Net11)]
    [InlineData(TargetRuntime.Net10)]
    [InlineData(TargetRuntime.Net9)]
    [InlineData(TargetRuntime.Net8)]
    public async Task In_the_middle_of_starvation_the_method_that_blocks_is_named_by_a_few_bursts(TargetRuntime runtime)
    {
        var report = await runs.OfAsync(runtime, AutoDepthRuns.Starving);
        Assert.Contains("PoolBurst.", report.Blockers!.Value[0].Frame, StringComparison.Ordinal);
        Assert.Equal(("Thread.Sleep", BlockKind.Sleep), (report.Blockers.Value[0].Call, report.Blockers.Value[0].Kind));
        Assert.InRange(report.Bursts!.Taken.Length, 1, 3);
        Assert.Contains(report.Findings.SelectMany(f => f.Remedies), r => r.Text.Contains("PoolBurst.", StringComparison.Ordinal));
        Assert.Equal((CaptureDepth.Auto, 0), (report.Depth, report.Timeline.Quality.Lost));
    }

    [Fact(Timeout = 6 * 60 * 1000)]
    public async Task An_endpoint_that_waits_for_a_task_is_named_below_all_the_frames_of_its_server()
    {
        var report = await runs.OfAsync(TargetRuntime.Net10, BlockerRuns.Web.Name);
        Assert.Contains("Tpwatch.Fixtures.Web.Scenarios.WebSyncOverAsync.Block", report.Blockers!.Value[0].Frame, StringComparison.Ordinal);
        Assert.InRange(report.Bursts!.Taken.Length, 1, 3);
    }

    [Fact(Timeout = 6 * 60 * 1000)]
    public async Task The_route_stands_first_though_nobody_asked_for_requests_and_no_path_is_told_whole()
    {
        var report = await runs.OfAsync(TargetRuntime.Net10, BlockerRuns.Web.Name);
        Assert.StartsWith("GET /{n}", report.Blockers!.Value[0].Chain, StringComparison.Ordinal);
        Assert.Equal(["GET /{n}"], report.Requests!.Routes.Select(r => r.Route));
        Assert.InRange(report.Requests.Watched.Ms, 1000, 21_000);
    }

    [Theory(Timeout = 6 * 60 * 1000)]
    [InlineData("healthy-burst")]
    [InlineData("dedicated-threads")]
    public async Task A_healthy_target_is_never_sampled(string scenario)
    {
        var report = await runs.OfAsync(TargetRuntime.Net10, scenario);
        Assert.Null(report.Bursts);
        Assert.Null(report.Requests);
        Assert.Null(report.Blockers);
    }
}
