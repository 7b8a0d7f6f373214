using System.Diagnostics;
using System.Globalization;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>The built tool watching a starving fixture, in a real terminal.</summary>
sealed class WatchedTarget : IAsyncDisposable
{
    readonly FixtureTarget? own;

    WatchedTarget(TmuxTerminal terminal, int pid, FixtureTarget? own) => (Terminal, TargetPid, this.own) = (terminal, pid, own);

    public TmuxTerminal Terminal { get; }

    public int TargetPid { get; }

    static string Tool { get; } = ToolRun.Tool;

    /// <summary>Starts fixture and tool, and waits for the first starvation injection on the screen.</summary>
    public static async Task<WatchedTarget> StartAsync(int width, int height)
    {
        var cancel = TestContext.Current.CancellationToken;
        var terminal = await TmuxTerminal.StartAsync(width, height);
        var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "pool-burst", "--processors", "8", "--items", "200");
        var watched = new WatchedTarget(terminal, target.Pid, target);
        await watched.AttachAsync();
        await target.BeginAsync();
        await terminal.WaitUntilAsync(IsStarving, "an S on the inject lane");
        return watched;
    }

    /// <summary>The same with a fixture that starves already.</summary>
    public static async Task<WatchedTarget> MetInTheMiddleAsync(StarvingTarget target, int width, int height)
    {
        var watched = new WatchedTarget(await TmuxTerminal.StartAsync(width, height), target.Pid, own: null);
        await watched.AttachAsync();
        await watched.Terminal.WaitUntilAsync(IsStarving, "an S on the inject lane");
        return watched;
    }

    /// <summary>Whether the captured screen says that the pool is starved and shows an injection.</summary>
    public static bool IsStarving(string screen) => HasInjection(screen) && screen.Contains("STARVED", StringComparison.Ordinal);

    /// <summary>Whether the inject lane of the captured screen has an S mark.</summary>
    public static bool HasInjection(string screen) =>
        screen.Split('\n')
            .Any(l => l.StartsWith("inject", StringComparison.Ordinal)
                && l.Split('┊') is [_, var lane, ..] && lane.Contains('S', StringComparison.Ordinal));

    /// <summary>Sends a signal to the tool, which is found as the child of the terminal's shell.</summary>
    public async Task SignalToolAsync(string name) => await Signal.SendAsync(name, await ToolPidAsync(), CancellationToken.None);

    /// <summary>Sends a signal to the target.</summary>
    public Task SignalTargetAsync(string name) => Signal.SendAsync(name, TargetPid, CancellationToken.None);

    /// <summary>Runs the tool once more, outside the terminal, and answers its exit code.</summary>
    public Task<int> RunToolAsync(params string[] arguments) => RunAsync("dotnet", ["exec", Tool, .. arguments]);

    public async ValueTask DisposeAsync()
    {
        await Terminal.DisposeAsync();
        if (own is not null)
        {
            await own.DisposeAsync();
        }
    }

    async Task AttachAsync()
    {
        await Terminal.EnterAsync($"dotnet exec {Tool} --pid {TargetPid}; echo exit=$?");
        await Terminal.WaitForAsync("LIVE");
    }

    async Task<int> ToolPidAsync()
    {
        var shell = await Terminal.FlagAsync("pane_pid");
        var children = await File.ReadAllTextAsync($"/proc/{shell}/task/{shell}/children", TestContext.Current.CancellationToken);
        return int.Parse(children.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^1], CultureInfo.InvariantCulture);
    }

    static async Task<int> RunAsync(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = Process.Start(start)!;
        await Task.WhenAll(
            process.StandardOutput.ReadToEndAsync(CancellationToken.None), process.StandardError.ReadToEndAsync(CancellationToken.None));
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return process.ExitCode;
    }
}
