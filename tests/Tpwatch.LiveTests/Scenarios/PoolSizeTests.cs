using Tpwatch.Attach;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>Article 000: how many threads are available. The tool shows what the program was told, and from where it knows.</summary>
[Collection(ScenarioCollection.Name)]
public sealed class PoolSizeTests(ScenarioRuns runs)
{
    [Fact(Timeout = ScenarioRuns.AllMs)]
    public async Task Attached_late_it_says_what_it_knows_and_that_it_does_not_know_the_rest()
    {
        var run = await runs.OfAsync("pool-size");
        var target = run.Report.Timeline.Target;
        Assert.Equal((int)run.Truth.Last("processors")!, target.Processors.Value);
        Assert.Contains(target.Processors.Source, (SettingSource[])[SettingSource.Environment, SettingSource.Event]);
        // A call may have changed them before, and the event that tells is long gone.
        Assert.Equal(SourcedValue.Unknown, target.MinWorkers);
        Assert.Equal(SourcedValue.Unknown, target.MaxWorkers);
        Assert.Contains(target.Settings, s => s is { Name: "DOTNET_PROCESSOR_COUNT", Value: "8", Source: SettingSource.Environment });
    }

    [Fact(Timeout = ScenarioRuns.AllMs)]
    public async Task Launched_it_says_all_of_it_from_the_runtimes_event()
    {
        var cancel = TestContext.Current.CancellationToken;
        var command = await FixtureBuild.CommandAsync(TargetRuntime.Net10, cancel);
        foreach (var word in (string[])["pool-size", "--seconds", "3"])
        {
            command.ArgumentList.Add(word);
        }

        var run = await runs.BesideAsync(limit => ObservedRun.LaunchedAsync(command, limit));
        var target = run.Report.Timeline.Target;
        Assert.Equal(new((int)run.Truth.Last("min workers")!, SettingSource.Event), target.MinWorkers);
        Assert.Equal(new((int)run.Truth.Last("max workers")!, SettingSource.Event), target.MaxWorkers);
        Assert.Equal(new((int)run.Truth.Last("processors")!, SettingSource.Event), target.Processors);
    }
}
