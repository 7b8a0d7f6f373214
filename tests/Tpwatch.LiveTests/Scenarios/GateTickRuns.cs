using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.LiveTests.Listeners;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>Runs whose gate a second session watches awake; they sleep, so both are made at once.</summary>
public sealed class GateTickRuns : IAsyncLifetime
{
    internal static readonly TargetRuntime[] Runtimes = [TargetRuntime.Net10, TargetRuntime.Net9];

    static readonly string[] Scenario = ["pool-burst", "--processors", "8", "--items", "30", "--hold", "60000", "--seconds", "22"];

    readonly CancellationTokenSource end = new();
    ImmutableDictionary<TargetRuntime, Task<(ObservedRun Run, EventTime[] Real)>> runs =
        ImmutableDictionary<TargetRuntime, Task<(ObservedRun, EventTime[])>>.Empty;

    /// <inheritdoc/>
    public ValueTask InitializeAsync()
    {
        runs = Runtimes.ToImmutableDictionary(runtime => runtime, runtime => ObserveAsync(runtime, end.Token));
        return ValueTask.CompletedTask;
    }

    /// <summary>A run, and when its gate really looked.</summary>
    internal Task<(ObservedRun Run, EventTime[] Real)> OfAsync(TargetRuntime runtime) =>
        runs[runtime].WaitAsync(TestContext.Current.CancellationToken);

    /// <summary>Ends what is still under way.</summary>
    public async ValueTask DisposeAsync()
    {
        await end.CancelAsync();
        await Task.WhenAll(runs.Values).ContinueWith(_ => { }, TaskScheduler.Default);
        end.Dispose();
    }

    static async Task<(ObservedRun Run, EventTime[] Real)> ObserveAsync(TargetRuntime runtime, CancellationToken cancel)
    {
        await using var target = await FixtureTarget.StartAsync(runtime, cancel, Scenario);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, cancel);
        var wakes = new GateWakes();
        await using var second = await SecondListener.OpenAsync(target.Pid, wakes.Subscribe, cancel, GateWakes.Provider);
        await LiveRun.FirstHeartbeatAsync(watch, cancel);
        await target.BeginAsync();
        Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(cancel));
        await second.EndAsync();
        return (new(watch.Report(), await target.TruthAsync(cancel)), wakes.Ticks());
    }
}
