using Tpwatch.Findings.Remedies;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>The stopgap gives a number for this case, never one out of the air, and is told in full once.</summary>
public sealed class MinThreadsRemedyTests
{
    [Fact]
    public void A_steady_load_takes_what_it_keeps_busy()
    {
        // Eight workers, sixteen items a second end: half a second each; fifty a second come.
        var script = new PoolScript().Opening().Heartbeat(100, 0, 8, 0.02);
        foreach (var backlog in (long[])[134, 168, 202, 236, 270])
        {
            script.Pass(1000).Heartbeat(backlog, 16, 8, 0.02);
        }

        Assert.Contains("start with 25 workers, as many as 50/s items keep busy that hold one for 500 ms each", Text(script), StringComparison.Ordinal);
    }

    [Fact]
    public void Where_nothing_ends_everything_that_waits_counts() =>
        Assert.Contains("start with 101 workers, as many as items are under way and wait now", Text(Ask.Starving()), StringComparison.Ordinal);

    [Fact]
    public void What_is_over_takes_what_it_grew_to() =>
        Assert.Contains("start with 11 workers, to which it grew", Text(Ask.Starving().Beats(0, 50).Pass(9000)), StringComparison.Ordinal);

    [Fact]
    public void Hundreds_of_workers_are_not_recommended() =>
        Assert.Contains("start with 256 workers, not the 3 011 that it would take", Text(new PoolScript().Opening().Beats(3000).Repeat(3, s => s.StarvationAfter(1001)).Pass(500)), StringComparison.Ordinal);

    [Fact]
    public void Min_is_not_recommended_above_max()
    {
        var script = new PoolScript().Processors(8).Limits(8, 10).Ramp(8).GateBegins().Beats(90).Repeat(2, s => s.StarvationAfter(1001)).Pass(3000);

        Assert.Contains("start with 10 workers, not the 100 that it would take, since max allows no more", Text(script), StringComparison.Ordinal);
    }

    [Fact]
    public void A_min_that_is_there_already_is_not_recommended()
    {
        var script = new PoolScript().Processors(8).Limits(300, 32767).Ramp(300).GateBegins().Beats(900).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

        Assert.Null(MinThreadsRemedy.Of(script.Report()).Setting);
    }

    [Fact]
    public void A_stopgap_is_told_in_full_once()
    {
        var remedies = new PoolScript().Opening().Beats(90).CooperativeAfter(3).Pass(2000).StarvationAfter(3000).Pass(900).Report()
            .Findings.SelectMany(f => f.Remedies).ToArray();

        Assert.Single(remedies, r => r.Setting?.Contains("MinWorkerThreads", StringComparison.Ordinal) == true);
        Assert.Contains(remedies, r => r.Text == "The stopgap of TPW002 serves here too.");
    }

    static string Text(PoolScript script) => MinThreadsRemedy.Of(script.Report()).Text;
}
