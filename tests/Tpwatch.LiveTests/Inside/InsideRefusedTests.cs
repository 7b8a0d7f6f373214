using System.Diagnostics;
using System.Globalization;
using Tpwatch.Core;
using Tpwatch.Inside;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Order;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Inside;

/// <summary>
/// Readings without the right to them, with a debugging library that is none, and across namespaces, as the tool takes them.
/// </summary>
[Collection(AloneCollection.Name)]
public sealed class InsideRefusedTests
{
    const int LimitMs = 3 * 60 * 1000;

    /// <summary>The child's own limit, and what it takes to start it twice.</summary>
    const int LongestSeconds = 8;

    const string Library = "libmscordaccore.so";

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory(Timeout = LimitMs)]
    [InlineData("--reuid=65534", "--regid=65534", "--clear-groups")]
    [InlineData("--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace")]
    public async Task Without_the_right_it_is_refused(params string[] rights)
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "only root can give up rights");
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "ready", Cancel);
        InsideOutcome outcome;
        do
        {
            outcome = await ReadAsync(target.Pid, "setpriv", rights);
        }
        while (outcome.IsLate);

        Assert.Equal("tpwatch could not read the process's memory: "
            + "that takes the same user or CAP_SYS_PTRACE, and ptrace_scope 0 under Yama.", outcome.Failure);
    }

    [Theory(Timeout = LimitMs)]
    [InlineData("text")]
    [InlineData("cut")]
    [InlineData("other")]
    [InlineData("none")]
    public async Task A_debugging_library_that_is_none_costs_the_answer_and_nothing_else(string what)
    {
        using var folder = new TempFolder();
        var built = InsideBuild.Command(TargetRuntime.Net8).FileName;
        foreach (var file in Directory.EnumerateFiles(Path.GetDirectoryName(built)!))
        {
            File.Copy(file, Path.Combine(folder.Path, Path.GetFileName(file)));
        }

        Spoil(folder[Library], what);
        await using var target = await InsideTarget.TellingAsync(new(Path.Combine(folder.Path, Path.GetFileName(built))), "ready", Cancel);
        using var states = new TargetStates(target.Pid);
        var begun = Stopwatch.GetTimestamp();
        var outcome = await ReadAsync(target.Pid);
        Assert.InRange(Stopwatch.GetElapsedTime(begun).TotalSeconds, 0, LongestSeconds);
        Assert.Null(outcome.Reading);
        Assert.Matches(@"^tpwatch could not read the process's memory: [^\n]{10,}\.$", outcome.Failure);
        await Task.Delay(200, Cancel);
        states.NeverStopped();
        Assert.False(target.HasEnded);
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_child_that_does_not_answer_is_given_up()
    {
        LaunchSpec mute = new("sh", ["-c", "exec sleep 60"]);
        var begun = Stopwatch.GetTimestamp();
        var outcome = await new MemoryReaderLauncher(mute, TimeProvider.System)
            .TakeAsync(Environment.ProcessId, scan: false, isUrgent: true, Cancel);
        Assert.InRange(Stopwatch.GetElapsedTime(begun).TotalSeconds, 0, LongestSeconds);
        Assert.True(outcome.IsLate);
        Assert.Equal(
            "tpwatch could not read the process's memory: the process that reads it did not answer within 5 s.", outcome.Failure);
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_process_in_another_namespace_of_processes_is_read()
    {
        var may = await ToolRun.Program("unshare", "--pid", "--fork", "--mount-proc", "true");
        Assert.SkipUnless(may.Code == 0, "needs the right to make namespaces");
        var command = InsideBuild.Command(TargetRuntime.Net10);
        ProcessStartInfo start = new(
            "unshare", ["--pid", "--fork", "--mount-proc", "--kill-child", command.FileName, .. command.ArgumentList]);
        await using var target = await InsideTarget.TellingAsync(start, "locks", Cancel);
        await Task.Delay(TimeSpan.FromSeconds(1), Cancel);
        var children = await File.ReadAllTextAsync($"/proc/{target.Pid}/task/{target.Pid}/children", Cancel);
        var inside = int.Parse(children.Trim(), CultureInfo.InvariantCulture);
        var seen = await InsideCommand.ReadAsync(inside, Cancel);
        Assert.All(target.Truth.Waits, wait => Assert.True(seen.Right(wait) == wait.Threads, $"{wait}\n{seen.Line}"));
        // Threads have the ids by which they are known out here.
        Assert.All(seen.Waits.Where(wait => wait.Owner.Length > 0), wait =>
            Assert.True(Directory.Exists($"/proc/{inside}/task/{wait.Owner.Split(' ', ',')[1]}"), wait.Owner));
    }

    static Task<InsideOutcome> ReadAsync(int pid, string? program = null, params string[] words)
    {
        string[] tool = ["exec", ToolRun.Tool];
        LaunchSpec own = program is null ? new(BuiltPrograms.Host, [.. tool]) : new(program, [.. words, BuiltPrograms.Host, .. tool]);
        return new MemoryReaderLauncher(own, TimeProvider.System).TakeAsync(pid, scan: false, isUrgent: true, Cancel);
    }

    static void Spoil(string library, string what)
    {
        var whole = File.ReadAllBytes(library);
        File.Delete(library);
        switch (what)
        {
            case "text":
                File.WriteAllText(library, "This is no library.\n");
                break;
            case "cut":
                File.WriteAllBytes(library, whole[..(whole.Length / 2)]);
                break;
            case "other":
                var other = Path.GetDirectoryName(InsideBuild.Command(TargetRuntime.Net11).FileName)!;
                File.Copy(Path.Combine(other, Library), library);
                break;
            default:
                break;
        }
    }
}
