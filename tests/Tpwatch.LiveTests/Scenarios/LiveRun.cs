using System.Diagnostics;
using Tpwatch.Attach;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>A fixture's run as the engine's public face saw it, beside what the fixture says of itself.</summary>
static class LiveRun
{
    /// <summary>Attaches before the scenario begins and stays until it has ended by itself.</summary>
    public static Task<ObservedRun> OfAsync(TargetRuntime runtime, CancellationToken cancel, params string[] arguments) =>
        OfAsync(runtime, new WatchOptions(), cancel, arguments);

    /// <summary>The same with deep probes.</summary>
    public static async Task<ObservedRun> OfAsync(TargetRuntime runtime, WatchOptions options, CancellationToken cancel, params string[] arguments)
    {
        await using var target = await FixtureTarget.StartAsync(runtime, cancel, arguments);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, options, cancel);
        await FirstHeartbeatAsync(watch, cancel);
        await target.BeginAsync();
        return await ToItsEndAsync(target, watch, cancel);
    }

    /// <summary>Attaches when the scenario has been under way for a while, and stays until it has ended by itself.</summary>
    public static async Task<ObservedRun> LateAsync(FixtureTarget target, TimeSpan after, CancellationToken cancel)
    {
        await target.BeginAsync();
        await Task.Delay(after, cancel);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, cancel);
        return await ToItsEndAsync(target, watch, cancel);
    }

    /// <summary>Stays with a fixture that is observed until it has ended by itself.</summary>
    public static async Task<ObservedRun> ToItsEndAsync(FixtureTarget target, ThreadPoolWatch watch, CancellationToken cancel)
    {
        Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(cancel));
        return new(watch.Report(), await target.TruthAsync(cancel));
    }

    /// <summary>Starts a fixture by the engine, so that it is observed from its first instruction, and stays until it has ended by itself.</summary>
    public static Task<ObservedRun> LaunchedAsync(ProcessStartInfo command, CancellationToken cancel) =>
        LaunchedAsync(command, new WatchOptions(), cancel);

    /// <summary>The same with deep probes.</summary>
    public static async Task<ObservedRun> LaunchedAsync(ProcessStartInfo command, WatchOptions options, CancellationToken cancel)
    {
        var truth = Path.Combine(Path.GetTempPath(), $"tpwatch-truth-{Guid.NewGuid():N}.ndjson");
        command.ArgumentList.Add("--truth");
        command.ArgumentList.Add(truth);
        (command.RedirectStandardInput, command.RedirectStandardOutput, command.RedirectStandardError) = (true, true, true);
        try
        {
            await using var watch = await ThreadPoolWatch.LaunchAsync(command, options, cancel);
            Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(cancel));
            Assert.Equal(0, await watch.Exit!.WaitAsync(cancel));
            using var file = File.OpenText(truth);
            return new(watch.Report(), TruthReader.Read(file));
        }
        finally
        {
            File.Delete(truth);
        }
    }

    /// <summary>Waits until the session delivers, so that nothing of the scenario is missed.</summary>
    public static async Task FirstHeartbeatAsync(ThreadPoolWatch watch, CancellationToken cancel)
    {
        while (watch.Report().Timeline.Heartbeats.IsEmpty)
        {
            await Task.Delay(20, cancel);
        }
    }
}
