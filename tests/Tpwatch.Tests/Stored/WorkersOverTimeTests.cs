using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>What the pool's limits and times do to the number of workers, scenario by scenario.</summary>
public sealed class WorkersOverTimeTests
{
    /// <summary>The gate injects every second or two while nothing ends; more than twice that is silence.</summary>
    const double SilentMs = 5000;

    [Theory]
    [InlineData("ceiling")]
    [InlineData("ceiling.net9")]
    [InlineData("ceiling.net8")]
    public async Task At_the_ceiling_no_worker_comes_any_more_and_the_rest_of_the_wait_is_charged_to_it(string key)
    {
        var run = await StoredRuns.OfAsync(key);
        var max = run.Truth.Header.MaxWorkers;
        Assert.Equal(new(max, SettingSource.Environment), run.Report.Timeline.Target.MaxWorkers);
        Assert.Equal((max, max), (run.Report.MaxWorkers, run.Truth.Appearances().Length));
        var last = run.Report.InjectionDelays.Last(g => g.Reason == AdjustmentReason.Starvation);
        Assert.Equal(max, last.TargetThreadsAfter);
        var ceiling = Assert.Single(run.Report.InjectionDelays, g => g.Mechanism == Mechanism.G8Ceiling);
        Assert.True(ceiling.End > last.End && run.Report.IsNow, ceiling.Because);
    }

    [Fact]
    public async Task A_burst_that_has_silenced_its_own_growth_has_not_recovered()
    {
        var run = await StoredRuns.OfAsync("pool-burst.long");
        var lanes = new TrueLanes(run.Truth);
        var end = ObservedRun.At(run.Truth.End.At);
        Assert.True(lanes.WaitingAt(end) > 0);
        Assert.True(run.Report.IsNow, run.Report.Headline);
        // From about 17 workers on an item ends every 500 ms; whether that is often enough is the machine's, so the record decides.
        EventTime[] injections = [.. run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation)
            .Select(g => g.End), end];
        var silent = injections.Zip(injections.Skip(1)).Where(s => s.Second.MsSince(s.First) > SilentMs).ToArray();
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{injections.Length - 1} injections, {silent.Length} stretches without for more than {SilentMs} ms");
        Assert.All(silent, s => Assert.Contains(
            run.Report.InjectionDelays, g =>
                g.Mechanism == Mechanism.G3Undetected && g.Start < s.Second && g.End > s.First.PlusMs(SilentMs / 2)));
        // All that stand in the queue at the end have waited, whatever the reason, and the time of it is not left out.
        var waited = run.Report.Episodes.Sum(e => e.Span.Ms);
        Assert.InRange(waited, end.MsSince(injections[0]) * 0.9, run.Report.Timeline.Now.MsSince(run.Report.Timeline.Start));
    }
}
