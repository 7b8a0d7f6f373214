using System.Globalization;
using Tpwatch.Core;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.Sessions;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Attach;

/// <summary>Targets from which nothing can come, each told with its reason.</summary>
public sealed class MuteTargetTests : IDisposable
{
    const int TestLimit = 90_000;

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-test-");

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Delete(recursive: true);

    [Fact(Timeout = TestLimit)]
    public async Task A_program_whose_settings_switch_events_off()
    {
        await using var target = await LiveTarget.WithoutEventsAsync(folder.FullName);
        await IsSaidAsync(target, "The pool sent no event. The program has System.Diagnostics.Tracing.EventSource.IsSupported=False.");
    }

    /// <summary>Stacks come from the runtime itself: the call is named though nothing is known of the queue.</summary>
    [Theory(Timeout = TestLimit)]
    [InlineData("auto", "(busy worker threads|stack samples)")]
    [InlineData("stacks", "stack samples")]
    public async Task The_threads_of_a_program_without_events_are_seen_all_the_same(string depth, string counted)
    {
        await using var target = await LiveTarget.WithoutEventsAsync(folder.FullName, "deadlock");
        // Memory is read first; where a loaded machine gives the reader no time, a burst comes instead.
        var said = await SaidAsync(target, "--depth", depth, "--duration", "9s");
        Assert.Matches($"blocked in 100% of {counted}: lambda in Deadlock.WaitForEvents", said);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_runtime_that_waits_at_its_start()
    {
        await using var target = LiveTarget.Waiting();
        while (ProcessScan.One(SystemPaths.Local, target.Pid) is not { WhyNot: null })
        {
            await Task.Delay(TimeSpan.FromMilliseconds(20), Cancel);
        }

        await IsSaidAsync(target, "The pool sent no event. The program was probably built with EventSourceSupport=false, "
            + "or waits at startup for another diagnostics tool.");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_runtime_that_could_not_make_its_socket()
    {
        var nowhere = Path.Combine(folder.FullName, "nowhere");
        await using var target = await LiveTarget.SteadyAsync(environment: "TMPDIR=" + nowhere);
        var refused = Assert.Throws<UserErrorException>(() => TargetFinder.ByPid(target.Pid));
        Assert.StartsWith($"The runtime of process {target.Pid} (Tpwatch.Fixtures) has no diagnostic socket: "
            + $"it could not create {nowhere}/dotnet-diagnostic-", refused.Message, StringComparison.Ordinal);
        Assert.Contains(ProcessScan.All(), p => p.Pid == target.Pid && p.WhyNot == refused.Message);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_process_that_is_ending()
    {
        await using var target = await LiveTarget.EndingAsync();
        // Its own is gone; one that a killed process of the same id left behind would be told of instead.
        foreach (var left in Directory.GetFiles(Path.GetTempPath(), $"dotnet-diagnostic-{Id(target)}-*"))
            File.Delete(left);
        var refused = Assert.Throws<UserErrorException>(() => TargetFinder.ByPid(target.Pid));
        Assert.Contains("was not found", refused.Message, StringComparison.Ordinal);
        Assert.Contains("If the process is ending, its runtime has removed the socket.", refused.Hint, StringComparison.Ordinal);
        Assert.Contains(ProcessScan.All(), p => p.Pid == target.Pid && p.WhyNot == refused.Message);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_process_that_is_stopped_is_listed_with_the_reason_and_looked_at_by_no_check()
    {
        await using var target = await LiveTarget.SteadyAsync();
        await target.SignalAsync("STOP");
        foreach (var list in (string[][])[["ps"], ["ps", "--check", "1s"]])
        {
            var run = await ToolRun.Of([.. list, "-p", Id(target)]);
            Assert.Equal(1, run.Code);
            Assert.Contains($"Process {Id(target)} (Tpwatch.Fixtures) does not answer: it is stopped (state T).", run.Error,
                StringComparison.Ordinal);
            Assert.DoesNotContain(Id(target), run.Out, StringComparison.Ordinal);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_runtime_with_as_many_sessions_as_it_allows()
    {
        await using var target = await LiveTarget.SteadyAsync();
        var found = TargetFinder.ByPid(target.Pid);
        SessionPlan plan =
            new([new PlannedProvider("Microsoft-Windows-DotNETRuntime", System.Diagnostics.Tracing.EventLevel.Informational, 0x10000)])
            { BufferMb = 1 };
        List<LiveSession> open = [];
        try
        {
            while (open.Count < 64)
            {
                open.Add(await LiveSession.OpenAsync(found, _ => plan, Cancel));
            }

            var refused = await Assert.ThrowsAsync<UserErrorException>(() => LiveSession.OpenAsync(found, _ => plan, Cancel));
            Assert.Equal($"Process {Id(target)} (Tpwatch.Fixtures) has 64 event sessions already, and its runtime allows no more.",
                refused.Message);
        }
        finally
        {
            foreach (var session in open)
            {
                await session.DisposeAsync();
            }
        }
    }

    static async Task IsSaidAsync(LiveTarget target, string sentence) =>
        Assert.Contains(sentence, await SaidAsync(target, "--duration", "3s"), StringComparison.OrdinalIgnoreCase);

    /// <summary>What a report says, on one line.</summary>
    static async Task<string> SaidAsync(LiveTarget target, params string[] options)
    {
        var run = await ToolRun.Of(["report", "-p", Id(target), .. options]);
        return string.Join(' ', run.Out.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries));
    }

    static string Id(LiveTarget target) => target.Pid.ToString(CultureInfo.InvariantCulture);
}
