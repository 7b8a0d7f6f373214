using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>A healthy program: nothing may trip.</summary>
public sealed class SteadyTests
{
    [Fact(Timeout = 120_000)]
    public async Task A_healthy_load_gives_nothing_above_a_note()
    {
        var run = await ObservedRun.OfAsync(
            TargetRuntime.Net10, TestContext.Current.CancellationToken, "steady", "--processors", "8", "--seconds", "8");

        Assert.True(run.Report.Findings.All(f => f.Severity == Severity.Note), string.Join('\n', run.Report.Findings.Select(f => f.Headline)));
        Assert.Equal(Verdict.Healthy, run.Report.Verdict);
        Assert.DoesNotContain(run.Report.Gaps, g => g.Rule is GapRule.G1GateTick or GapRule.G3Silent);
        Assert.Equal(0, run.Report.Timeline.Quality.Lost);
    }
}
