using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>Runs that are looked at as <c>report</c> does, without anybody saying a depth.</summary>
public sealed class AutoDepthRuns : IAsyncLifetime
{
    internal const string Starving = "pool-burst";

    const int AtOnce = 2;

    /// <summary>As long as somebody on call looks; four bursts would fit.</summary>
    static readonly TimeSpan Look = TimeSpan.FromSeconds(18);

    readonly SharedRuns<(TargetRuntime, string), PoolReport> runs = new(AtOnce);

    internal Task<PoolReport> OfAsync(TargetRuntime runtime, string scenario) => runs.OfAsync((runtime, scenario));

    public ValueTask InitializeAsync()
    {
        Begin(TargetRuntime.Net10, Starving, "--items", "60");
        Begin(TargetRuntime.Net11, Starving, "--items", "60");
        Begin(TargetRuntime.Net9, Starving, "--items", "60");
        Begin(TargetRuntime.Net8, Starving, "--items", "60");
        Begin(TargetRuntime.Net10, BlockerRuns.Web.Name);
        Begin(TargetRuntime.Net10, "healthy-burst");
        Begin(TargetRuntime.Net10, "dedicated-threads", "--hold", "30000");
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => runs.DisposeAsync();

    void Begin(TargetRuntime runtime, string scenario, params string[] options) => runs.Begin(
        (runtime, scenario),
        async cancel => scenario == BlockerRuns.Web.Name ? WebFixtureBuild.Command() : FixtureBuild.Command(runtime),
        async (command, cancel) =>
        {
            await using var target = await FixtureTarget.StartAsync(
                command, cancel, [scenario, .. options, "--seconds", "60", "--processors", "4"]);
            WatchOptions look = new() { Depth = CaptureDepth.Auto };
            await using var watch = scenario == BlockerRuns.Web.Name
                ? await LiveRun.AttachStartedAsync(target, look, cancel)
                : await LiveRun.AttachLateAsync(target, look, cancel);
            await Task.WhenAny(watch.Completion, Task.Delay(Look, cancel));
            await watch.StopAsync(cancel);
            return watch.Report();
        });
}
