using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>What a late attach can know of the pool's limits: what is written somewhere, and not what a call has set.</summary>
public sealed class ConfiguredMinTests
{
    const int Min = 400;

    [Theory]
    [InlineData("configured-min", SettingSource.Runtimeconfig, "System.Threading.ThreadPool.MinThreads", "400")]
    [InlineData("configured-min-set-by-environment", SettingSource.Environment, "DOTNET_ThreadPool_ForceMinWorkerThreads", "190")]
    public async Task Configuration_is_read_where_it_is_written(string name, SettingSource source, string setting, string value)
    {
        var run = await StoredRuns.OfAsync(name);
        Assert.Equal(Min, run.Truth.Header.MinWorkers);
        Assert.Equal(new(Min, source), run.Report.Timeline.Target.MinWorkers);
        Assert.Contains(new(setting, value, source), run.Report.Timeline.Target.Settings);
    }

    [Fact]
    public async Task A_call_leaves_nothing_to_see_and_that_is_said()
    {
        var run = await StoredRuns.OfAsync("configured-min-set-by-call");
        Assert.Equal(Min, run.Truth.Header.MinWorkers);
        Assert.Equal(SourcedValue.Unknown, run.Report.Timeline.Target.MinWorkers);
    }

    [Fact]
    public async Task It_says_what_it_knows_of_the_pool_and_that_it_does_not_know_the_rest()
    {
        var run = await StoredRuns.OfAsync("pool-size");
        var target = run.Report.Timeline.Target;
        Assert.Equal((int)run.Truth.Last("processors")!, target.Processors.Value);
        Assert.Contains(target.Processors.Source, (SettingSource[])[SettingSource.Environment, SettingSource.Event]);
        // A call may have changed them before, and the event that tells is long gone.
        Assert.Equal(SourcedValue.Unknown, target.MinWorkers);
        Assert.Equal(SourcedValue.Unknown, target.MaxWorkers);
        Assert.Contains(target.Settings, s => s is { Name: "DOTNET_PROCESSOR_COUNT", Value: "8", Source: SettingSource.Environment });
    }
}
