using System.Text.Json.Nodes;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Scoring.Checks;

namespace Tpwatch.LiveTests.Launching;

/// <summary>
/// Article 001's remedy by each of today's ways: who is there from the first instruction learns min and max from the runtime's event.
/// </summary>
public sealed class LaunchedLimitsTests
{
    const int LimitMs = 120_000;
    const int Min = 400;
    const string Variable = "DOTNET_ThreadPool_ForceMinWorkerThreads";
    const string Entry = "System.Threading.ThreadPool.MinThreads";

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory(Timeout = LimitMs)]
    [InlineData("runtimeconfig")]
    [InlineData("environment")]
    [InlineData("call")]
    public async Task The_event_tells_min_whoever_set_it(string way)
    {
        var run = await LaunchedAsync(way);
        Assert.Equal(Min, run.Truth.Header.MinWorkers);
        Assert.Equal(new(Min, SettingSource.Event), run.Report.Timeline.Target.MinWorkers);
        Assert.Equal(way != "call", run.Report.Timeline.Target.Settings.Any(s => s.Name is Variable or Entry));
        Assert.Empty(TruthCheck.Differences(run, ScenarioRow.Of("configured-min")));
    }

    [Fact(Timeout = LimitMs)]
    public async Task The_size_of_the_pool_is_what_the_program_itself_is_told()
    {
        var command = FixtureBuild.Command(TargetRuntime.Net10);
        foreach (var word in (string[])["pool-size", "--seconds", "3"])
        {
            command.ArgumentList.Add(word);
        }

        var run = await LiveRun.LaunchedAsync(command, Cancel);
        var target = run.Report.Timeline.Target;
        Assert.Equal(new((int)run.Truth.Last("min workers")!, SettingSource.Event), target.MinWorkers);
        Assert.Equal(new((int)run.Truth.Last("max workers")!, SettingSource.Event), target.MaxWorkers);
        Assert.Equal(new((int)run.Truth.Last("processors")!, SettingSource.Event), target.Processors);
    }

    static async Task<ObservedRun> LaunchedAsync(string way)
    {
        using var folder = new TempRuntimeconfig(Entry, Min);
        var command = FixtureBuild.Command(TargetRuntime.Net10);
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

        return await LiveRun.LaunchedAsync(command, Cancel);
    }

    /// <summary>The fixtures' own runtimeconfig.json with one more entry.</summary>
    sealed class TempRuntimeconfig : IDisposable
    {
        public TempRuntimeconfig(string name, int value)
        {
            var root = JsonNode.Parse(
                File.ReadAllText(System.IO.Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.runtimeconfig.json")))!;
            var options = root["runtimeOptions"]!.AsObject();
            var properties = options["configProperties"]?.AsObject() ?? [];
            options["configProperties"] = properties;
            properties[name] = value;
            File.WriteAllText(Path, root.ToJsonString());
        }

        public string Path { get; } =
            System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"tpwatch-{Guid.NewGuid():N}.runtimeconfig.json");

        public void Dispose() => File.Delete(Path);
    }
}
