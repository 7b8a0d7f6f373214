using System.Diagnostics;
using System.Text.Json.Nodes;
using Tpwatch.Attach;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>Article 001's remedy by each of today's ways: what a late attach can know of min, and what one from the first instruction does.</summary>
[Collection(ScenarioCollection.Name)]
public sealed class ConfiguredMinTests(ScenarioRuns runs)
{
    const int Min = 400;
    const string Variable = "DOTNET_ThreadPool_ForceMinWorkerThreads";
    const string Entry = "System.Threading.ThreadPool.MinThreads";

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory(Timeout = ScenarioRuns.AllMs)]
    [InlineData("configured-min", SettingSource.Runtimeconfig, Entry, "400")]
    [InlineData("configured-min --set-by environment", SettingSource.Environment, Variable, "190")]
    public async Task Attached_late_configuration_is_read_where_it_is_written(string key, SettingSource source, string name, string value)
    {
        var run = await runs.OfAsync(key);
        Assert.Equal(Min, run.Truth.Header.MinWorkers);
        Assert.Equal(new(Min, source), run.Report.Timeline.Target.MinWorkers);
        Assert.Contains(new(name, value, source), run.Report.Timeline.Target.Settings);
    }

    [Fact(Timeout = ScenarioRuns.AllMs)]
    public async Task Attached_late_a_call_leaves_nothing_to_see_and_that_is_said()
    {
        var run = await runs.OfAsync("configured-min --set-by call");
        Assert.Equal(Min, run.Truth.Header.MinWorkers);
        Assert.Equal(SourcedValue.Unknown, run.Report.Timeline.Target.MinWorkers);
    }

    [Theory(Timeout = ScenarioRuns.AllMs)]
    [InlineData("runtimeconfig")]
    [InlineData("environment")]
    [InlineData("call")]
    public async Task Launched_the_event_tells_min_whoever_set_it(string way)
    {
        var run = await LaunchedAsync(way);
        // A machine that does not let new threads run makes items wait that min has workers for.
        run = run.LongestHiccupMs() > ScenarioTests.VoidMs ? await LaunchedAsync(way) : run;
        Assert.Equal(Min, run.Truth.Header.MinWorkers);
        Assert.Equal(new(Min, SettingSource.Event), run.Report.Timeline.Target.MinWorkers);
        Assert.Equal(way != "call", run.Report.Timeline.Target.Settings.Any(s => s.Name is Variable or Entry));
        var entry = ScenarioEntry.Of("configured-min");
        Assert.Empty(ExpectationCheck.Differences(run.Report, entry.Expectation).Concat(TruthCheck.Differences(run, entry)));
    }

    async Task<ObservedRun> LaunchedAsync(string way)
    {
        using var folder = new TempRuntimeconfig(Entry, Min);
        var command = await FixtureBuild.CommandAsync(TargetRuntime.Net10, Cancel);
        if (way == "runtimeconfig")
        {
            // Before the assembly: `dotnet exec --runtimeconfig FILE ASSEMBLY`.
            command.ArgumentList.Insert(1, "--runtimeconfig");
            command.ArgumentList.Insert(2, folder.Path);
        }
        else if (way == "environment")
        {
            command.Environment[Variable] = Min.ToString("X", null);
        }

        foreach (var word in (string[])["configured-min", "--set-by", way, "--items", "40"])
        {
            command.ArgumentList.Add(word);
        }

        return await runs.BesideAsync(limit => ObservedRun.LaunchedAsync(command, limit));
    }

    /// <summary>The fixtures' own runtimeconfig.json with one more entry.</summary>
    sealed class TempRuntimeconfig : IDisposable
    {
        public TempRuntimeconfig(string name, int value)
        {
            var root = JsonNode.Parse(File.ReadAllText(System.IO.Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.runtimeconfig.json")))!;
            var options = root["runtimeOptions"]!.AsObject();
            var properties = options["configProperties"]?.AsObject() ?? [];
            options["configProperties"] = properties;
            properties[name] = value;
            File.WriteAllText(Path, root.ToJsonString());
        }

        public string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"tpwatch-{Guid.NewGuid():N}.runtimeconfig.json");

        public void Dispose() => File.Delete(Path);
    }
}
