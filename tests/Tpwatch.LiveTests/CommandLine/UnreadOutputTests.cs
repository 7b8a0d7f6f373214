using System.Diagnostics;
using System.Globalization;
using Tpwatch.Lab;
using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>Somebody who does not read what we write must not keep a session in the target.</summary>
public sealed class UnreadOutputTests
{
    const int TestLimit = 90_000;

    /// <summary>A pipe of Linux holds 64 kB: it is full before we write.</summary>
    const string FullPipe = "(head -c 65536 /dev/zero; exec env --default-signal=INT \"$@\" 2>&1) | sleep 200";

    static readonly TimeSpan Settled = TimeSpan.FromSeconds(1);
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    static string Tool { get; } = ToolRun.Tool;

    [Theory(Timeout = TestLimit)]
    [InlineData("INT", "")]
    [InlineData("TERM", "report")]
    [InlineData("INT", "record")]
    public async Task The_first_signal_ends_the_session_though_nobody_reads_what_is_said(string signal, string verb)
    {
        var folder = Directory.CreateTempSubdirectory("tpwatch-unread-");
        await using var target = await LiveTarget.SteadyAsync();
        var pid = target.Pid.ToString(CultureInfo.InvariantCulture);
        string[] verbs = [.. verb.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-p", pid, "-o", Path.Combine(folder.FullName, "x")];
        var start = new ProcessStartInfo("sh", ["-c", FullPipe, "sh", BuiltPrograms.Host, Tool, .. verbs]);
        using var shell = Process.Start(start)!;
        try
        {
            Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 1, Patience), "no session was opened");
            // What it says right after is more than the pipe takes.
            await Task.Delay(Settled, TestContext.Current.CancellationToken);
            await Signal.SendAsync(signal, ChildOf(shell.Id), TestContext.Current.CancellationToken);
            Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 0, Patience), "the session is still open");
            Assert.False(shell.HasExited, "who does not read was to be there still");
        }
        finally
        {
            shell.Kill(entireProcessTree: true);
            await shell.WaitForExitAsync(CancellationToken.None);
            folder.Delete(recursive: true);
        }
    }

    static int ChildOf(int shell) => SeenProcesses.ChildrenOf(shell)
        .Single(pid => SeenProcesses.CommandLine(pid).Contains(Tool, StringComparison.Ordinal));
}
