using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Screen;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Profile;

/// <summary>
/// What somebody waits for: a start, a report, a verdict, the screen's first view; each run once by the tool as its project built it, with
/// a trace of what is compiled. Without stacks: reading them takes much of the library, whose images would not fit the package.
/// </summary>
static class TracedLooks
{
    /// <summary>
    /// Modules, methods compiled and their type arguments: the runtime's keywords Loader, Jit, Type and MethodDiagnostic, at its most
    /// talkative.
    /// </summary>
    const string What = "Microsoft-Windows-DotNETRuntime:0x4000080018:5";

    /// <summary>More than the largest of these traces takes.</summary>
    const string Megabytes = "256";

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    static readonly TimeSpan Starved = TimeSpan.FromSeconds(5);

    static string RecordingOf(string name) => Path.Combine(BuiltPrograms.Root, "tests", "Recordings", name + ".nettrace");

    /// <summary>Runs them all; a name and the trace of each.</summary>
    public static async Task<IReadOnlyList<(string Look, string Trace)>> RunAsync(string folder)
    {
        List<(string, string)> traces = [];
        string TraceOf(string look)
        {
            traces.Add((look, Path.Combine(folder, FormattableString.Invariant($"{traces.Count}.nettrace"))));
            return traces[^1].Item2;
        }

        foreach (var recording in (string[])["pool-burst", "async-items", "trickle"])
            await RunAsync(TraceOf($"report of {recording}"), "report", RecordingOf(recording));
        await RunAsync(TraceOf("--version"), "--version");
        var start = new ProcessStartInfo(BuiltPrograms.Host, ["exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll")]);
        await using var fixture = await FixtureProcess.StartAsync(start, processors: 8, ["pool-burst", "--items", "2000"]);
        await fixture.BeginAsync();
        await Task.Delay(Starved);
        var pid = fixture.Pid.ToString(CultureInfo.InvariantCulture);
        await RunAsync(TraceOf("ps"), "ps");
        await RunAsync(TraceOf("ps --check"), "ps", "--check", "3s", "--depth", "basic");
        await RunAsync(TraceOf("lines"), "-p", pid, "--duration", "4s");
        await ShowAsync(TraceOf("screen"), pid);
        return traces;
    }


    static async Task RunAsync(string trace, params string[] arguments)
    {
        var start = new ProcessStartInfo(BuiltPrograms.Host, ["exec", BuiltPrograms.WholeTool, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var (name, value) in Tracing(trace))
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        using var limit = new CancellationTokenSource(Limit);
        var errors = process.StandardError.ReadToEndAsync(limit.Token);
        await process.StandardOutput.ReadToEndAsync(limit.Token);
        await process.WaitForExitAsync(limit.Token);
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"`{string.Join(' ', arguments)}` ended with {process.ExitCode}: {await errors}");
    }

    static async Task ShowAsync(string trace, string pid)
    {
        await using var terminal = OwnTerminal.Start((WatchedScreen.Width, WatchedScreen.Height),
            [BuiltPrograms.Host, "exec", BuiltPrograms.WholeTool, "-p", pid], [("COLORTERM", "truecolor"), .. Tracing(trace)]);
        await WatchedScreen.MustAsync(terminal, "STARVED");
        await terminal.TypeAsync("q");
        if (await terminal.ExitAsync(Limit) is null)
            throw new InvalidOperationException("The screen did not end.");
    }

    static (string Name, string? Value)[] Tracing(string trace) =>
    [
        ("DOTNET_EnableEventPipe", "1"), ("DOTNET_EventPipeConfig", What), ("DOTNET_EventPipeCircularMB", Megabytes),
        ("DOTNET_EventPipeOutputPath", trace),
    ];
}
