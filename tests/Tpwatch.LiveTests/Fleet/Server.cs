using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Tpwatch.Lab;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>A program that serves until its test is over; what it says is kept for the failure that wants to know.</summary>
sealed partial class Server : IAsyncDisposable
{
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(20);
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(100);

    readonly Process process;
    readonly System.Collections.Concurrent.ConcurrentQueue<string> said = new();

    Server(Process process) => this.process = process;

    public int Pid => process.Id;

    /// <summary>Everything that it said so far.</summary>
    public string Said => string.Join('\n', said);

    /// <summary>Where it answers.</summary>
    public Uri Address { get; private set; } = new("http://127.0.0.1/");

    /// <summary>Whether a page answers with 200, and its text.</summary>
    public HttpClient Client { get; } = new() { Timeout = TimeSpan.FromSeconds(20) };

    /// <summary>The built tool, serving what the arguments say on a port of its own.</summary>
    public static Task<Server> ToolAsync(CancellationToken cancel, params string[] args) => ToolAsync([], cancel, args);

    /// <summary>The same with variables of its environment.</summary>
    public static async Task<Server> ToolAsync(Dictionary<string, string> variables, CancellationToken cancel, params string[] args)
    {
        var server = Start(BuiltPrograms.Host,
            [CommandLine.ToolRun.Tool, "serve", "--listen", "127.0.0.1:0", .. args], variables);
        await server.UntilAsync(() => Task.FromResult(Told().IsMatch(server.Said)), cancel);
        server.Address = new(Told().Match(server.Said).Value);
        return server;
    }

    /// <summary>A program of this machine that answers on that port; waits until the page is there.</summary>
    public static async Task<Server> ProgramAsync(string program, int port, string ready, CancellationToken cancel, params string[] args)
    {
        var server = Start(program, args);
        server.Address = new($"http://127.0.0.1:{port.ToString(CultureInfo.InvariantCulture)}/");
        await server.UntilAsync(() => server.AnswersAsync(ready, cancel), cancel);
        return server;
    }

    public Task<string> GetAsync(string path, CancellationToken cancel) => Client.GetStringAsync(new Uri(Address, path), cancel);

    /// <summary>Waits for a condition; fails with what the program said when it ended, or the test's time is over.</summary>
    public async Task UntilAsync(Func<Task<bool>> condition, CancellationToken cancel)
    {
        while (!await condition())
        {
            Assert.False(process.HasExited, $"it has ended:\n{Said}");
            Assert.False(cancel.IsCancellationRequested, $"the time is over:\n{Said}");
            await Task.WhenAny(Task.Delay(Pace, cancel));
        }
    }

    /// <summary>Waits until the metrics of the tool call a process starved, silently or not.</summary>
    public Task StarvedAsync(CancellationToken cancel) => UntilAsync(
        async () => (await GetAsync("metrics", cancel)).Contains("tarved\"} 1\n", StringComparison.Ordinal), cancel);

    /// <summary>Stops it in order; its exit code.</summary>
    public async Task<int> StopAsync(CancellationToken cancel)
    {
        await Targets.Signal.SendAsync("TERM", Pid, cancel);
        await process.WaitForExitAsync(cancel).WaitAsync(StopLimit, cancel);
        return process.ExitCode;
    }

    public void Kill() => process.Kill();

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (!process.HasExited)
        {
            process.Kill();
            await process.WaitForExitAsync(CancellationToken.None);
        }

        process.Dispose();
    }

    async Task<bool> AnswersAsync(string path, CancellationToken cancel)
    {
        try
        {
            using var reply = await Client.GetAsync(new Uri(Address, path), cancel);
            return reply.IsSuccessStatusCode;
        }
        catch (HttpRequestException)
        {
            return false;
        }
    }

    static Server Start(string program, string[] args, Dictionary<string, string>? variables = null)
    {
        ProcessStartInfo start = new(program, args) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var (name, value) in variables ?? [])
        {
            start.Environment[name] = value;
        }

        Server server = new(new Process { StartInfo = start });
        server.process.OutputDataReceived += server.Keep;
        server.process.ErrorDataReceived += server.Keep;
        server.process.Start();
        server.process.BeginOutputReadLine();
        server.process.BeginErrorReadLine();
        return server;
    }

    void Keep(object sender, DataReceivedEventArgs line)
    {
        if (line.Data is { } text)
        {
            said.Enqueue(text);
        }
    }

    [GeneratedRegex(@"http://127\.0\.0\.1:\d+/")]
    private static partial Regex Told();
}
