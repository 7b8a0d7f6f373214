using Tpwatch.Events;
using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Deep;

/// <summary>Bursts of stacks where they are hard to take; whatever comes of them, nothing is left in the temporary folder.</summary>
public sealed class HostileBurstTests : IDisposable
{
    readonly DirectoryInfo temporary = Directory.CreateTempSubdirectory("tpwatch-bursts-");

    public void Dispose() => temporary.Delete(recursive: true);

    [Fact(Timeout = 120_000)]
    public async Task Generic_async_recursive_and_made_up_frames_are_named_as_far_as_they_have_names()
    {
        await using var target = await LiveTarget.OddStacksAsync();
        var outcome = await TakeAsync(target.Pid, temporary.FullName);
        var shapes = outcome.Samples!.Stacks.Select(s => StackClassifier.Of(s)).Where(s => s.IsAtWork).ToArray();
        TestContext.Current.TestOutputHelper!.WriteLine(string.Join('\n', shapes.Select(s => $"{s.Kind} {s.Call} in {s.Frame}")));
        var frames = shapes.Select(s => s.Frame).ToHashSet();
        Assert.Contains("Tpwatch.LiveTests.Deep.OddStacks.Generic.Hold", frames);
        Assert.Contains("async Tpwatch.LiveTests.Deep.OddStacks.AfterAwaitAsync", frames);
        Assert.Contains("Tpwatch.LiveTests.Deep.OddStacks.Recursive", frames);
        Assert.Equal(4, shapes.Length);
        // Code made at run time is compiled for speed at once, with the wait inside it: then no frame of a wait is left to tell its kind.
        Assert.All(shapes, s => Assert.True(s.Kind == BlockKind.Wait || (s.Kind == BlockKind.Unseen && s.Chain == "dynamicClass.Made")));
    }

    [Fact(Timeout = 120_000)]
    public async Task Five_hundred_threads_are_sampled()
    {
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, TestContext.Current.CancellationToken, "dedicated-threads", "--threads", "500", "--hold", "30000");
        int Threads() => Directory.GetDirectories($"/proc/{target.Pid}/task").Length;
        var before = Threads();
        await target.BeginAsync();
        await LiveRun.UntilAsync(() => Threads() >= before + 500, TestContext.Current.CancellationToken);
        var outcome = await TakeAsync(target.Pid, temporary.FullName);
        Assert.Null(outcome.Failure);
        Assert.InRange(outcome.Samples!.Stacks.Select(s => s.ThreadId).Distinct().Count(), 500, 600);
    }

    [Theory(Timeout = 120_000)]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(100)]
    [InlineData(250)]
    public async Task A_target_that_dies_during_a_burst_costs_the_burst_and_nothing_else(int afterMs)
    {
        await using var target = await LiveTarget.SteadyAsync();
        await using var session = await OpenAsync(target.Pid);
        var burst = new StackBurst(TimeProvider.System, temporary.FullName).TakeAsync(session, TestContext.Current.CancellationToken);
        await Task.Delay(afterMs, TestContext.Current.CancellationToken);
        await target.SignalAsync("KILL");
        var outcome = await burst;
        Assert.True(outcome.Samples is null != outcome.Failure is null);
        Assert.Empty(temporary.GetFileSystemInfos());
    }

    [Fact(Timeout = 120_000)]
    public async Task A_burst_that_is_left_while_its_target_dies_ends_as_left()
    {
        foreach (var afterMs in (int[])[0, 10, 20, 30, 40, 60, 80, 120])
        {
            await using var target = await LiveTarget.SteadyAsync();
            await using var session = await OpenAsync(target.Pid);
            using var leaves = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
            var burst = new StackBurst(TimeProvider.System, temporary.FullName).TakeAsync(session, leaves.Token);
            await Task.Delay(afterMs, TestContext.Current.CancellationToken);
            await target.SignalAsync("KILL");
            await leaves.CancelAsync();
            var failure = await Record.ExceptionAsync(() => burst);
            Assert.True(failure is null or OperationCanceledException, $"after {afterMs} ms: {failure}");
        }
    }

    [Theory(Timeout = 120_000)]
    [InlineData("/proc/1/fd")]
    [InlineData("/no/such/folder")]
    public async Task A_temporary_folder_that_takes_nothing_is_told_in_a_sentence(string folder)
    {
        await using var target = await LiveTarget.SteadyAsync();
        var outcome = await TakeAsync(target.Pid, folder);
        Assert.Contains("temporary folder", outcome.Failure, StringComparison.Ordinal);
    }

    async Task<BurstOutcome> TakeAsync(int pid, string folder)
    {
        await using var session = await OpenAsync(pid);
        var outcome = await new StackBurst(TimeProvider.System, folder).TakeAsync(session, TestContext.Current.CancellationToken);
        Assert.Empty(temporary.GetFileSystemInfos());
        await session.StopAsync(TestContext.Current.CancellationToken);
        return outcome;
    }

    static async Task<LiveSession> OpenAsync(int pid)
    {
        var session = await LiveSession.OpenAsync(
            TargetFinder.ByPid(pid), _ => SessionNeeds.Plan(ProbeSet.Basic(10, null)), TestContext.Current.CancellationToken);
        _ = new DrainingReader(session);
        return session;
    }
}
