using System.Diagnostics;
using Tpwatch.Core;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Launching;

/// <summary>A program started by the engine's public face: observed from its first instruction.</summary>
public sealed class LaunchTests
{
    const int TestLimit = 90_000;

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = TestLimit)]
    public async Task Min_and_max_and_the_first_worker_are_seen()
    {
        var report = await RunAsync([], "pool-burst", "--items", "12", "--hold", "500");
        Assert.Equal(SessionSource.Launched, report.Timeline.Source);
        Assert.Equal(SessionEnd.TargetExited, report.End);
        Assert.Equal(new(Environment.ProcessorCount, SettingSource.Event), report.Timeline.Target.MinWorkers);
        Assert.Equal(new(32_767, SettingSource.Event), report.Timeline.Target.MaxWorkers);
        var buckets = report.Timeline.Buckets;
        var firstKnown = Enumerable.Range(0, (int)buckets.EndIndex).Select(i => buckets[i]).First(b => b.WorkersMax > 0);
        Assert.InRange(firstKnown.WorkersMin, 0, 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_environment_reaches_it_and_the_report_says_so()
    {
        var report = await RunAsync([("DOTNET_ThreadPool_ForceMinWorkerThreads", "A")], "pool-burst", "--items", "12", "--hold", "500");
        Assert.Equal(new(10, SettingSource.Event), report.Timeline.Target.MinWorkers);
        Assert.Contains(report.Timeline.Target.Settings, s => s is { Name: "DOTNET_ThreadPool_ForceMinWorkerThreads", Value: "A" });
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_it_starts_itself_is_not_left_suspended()
    {
        var command = await CommandAsync([], "pool-burst", "--items", "2", "--hold", "500", "--processors", "2");
        await using var watch = await ThreadPoolWatch.LaunchAsync(command, new WatchOptions(), Cancel);
        Assert.Equal(0, await watch.Exit!.WaitAsync(Cancel));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Its_exit_code_is_known()
    {
        var command = await CommandAsync([], "no-such-scenario");
        await using var watch = await ThreadPoolWatch.LaunchAsync(command, new WatchOptions(), Cancel);
        Assert.Equal(3, await watch.Exit!.WaitAsync(Cancel));
        Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(Cancel));
    }

    [Fact(Timeout = TestLimit)]
    public async Task It_ends_with_the_watch()
    {
        var watch = await ThreadPoolWatch.LaunchAsync(await CommandAsync([], "steady", "--seconds", "60"), new WatchOptions(), Cancel);
        var exit = watch.Exit!;
        await using (watch)
        {
            await watch.StopAsync(Cancel);
            Assert.Equal(SessionEnd.StoppedByUs, watch.Report().End);
            Assert.False(exit.IsCompleted);
        }

        Assert.Equal(128 + 15, await exit.WaitAsync(Cancel));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_recording_that_cannot_be_written_ends_it()
    {
        var command = await CommandAsync([], "steady", "--seconds", "60");
        var options = new WatchOptions { RecordTo = "/no/such/folder/x.nettrace" };
        var e = await Assert.ThrowsAsync<UserErrorException>(() => ThreadPoolWatch.LaunchAsync(command, options, Cancel));
        Assert.Equal(ExitCode.Arguments, e.ExitCode);
    }

    static async Task<PoolReport> RunAsync((string Name, string Value)[] environment, params string[] arguments)
    {
        await using var watch = await ThreadPoolWatch.LaunchAsync(await CommandAsync(environment, arguments), new WatchOptions(), Cancel);
        await watch.Completion.WaitAsync(Cancel);
        return watch.Report();
    }

    static async Task<ProcessStartInfo> CommandAsync((string Name, string Value)[] environment, params string[] arguments)
    {
        var command = FixtureBuild.Command(TargetRuntime.Net10);
        (command.RedirectStandardInput, command.RedirectStandardOutput, command.RedirectStandardError) = (true, true, true);
        foreach (var argument in arguments)
        {
            command.ArgumentList.Add(argument);
        }

        foreach (var (name, value) in environment)
        {
            command.Environment[name] = value;
        }

        return command;
    }
}
