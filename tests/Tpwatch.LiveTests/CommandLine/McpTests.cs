using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using Tpwatch.Lab;
using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>The delivered tool as an agent's client starts it, beside processes that starve and that do not.</summary>
public sealed class McpTests
{
    const int LimitMs = 180_000;
    const string Library = "ModelContextProtocol";

    static readonly TimeSpan Gone = TimeSpan.FromSeconds(20);

    [Fact(Timeout = LimitMs)]
    public async Task A_diagnosis_from_the_list_to_another_setting()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var folder = new TempFolder();
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, cancel, "pool-burst", "--processors", "4", "--items", "1000");
        await target.BeginAsync();
        await using var agent = await StartAsync(cancel, "--allow-record", folder.Path);
        var list = await TellsAsync(agent, "list_processes", new() { ["name"] = "Tpwatch.Fixtures", ["check_seconds"] = 0 }, cancel);
        Assert.Contains($"{Text(target.Pid)}  Tpwatch.Fixtures", list, StringComparison.Ordinal);
        var check = await TellsAsync(agent, "check", new() { ["pid"] = target.Pid, ["seconds"] = 4 }, cancel, except: "\"undecided\"");
        Assert.Matches("\"verdict\": \"(?:starved|silentlyStarved)\"", check);
        var report = await TellsAsync(agent, "report", new() { ["pid"] = target.Pid, ["seconds"] = 8, ["depth"] = "inside" }, cancel,
            except: "did not answer within");
        Assert.Contains("STARVED", report, StringComparison.Ordinal);
        Assert.Contains("PoolBurst.Run", report, StringComparison.Ordinal);
        var explained = await TellsAsync(agent, "explain_finding", new() { ["id"] = "TPW001" }, cancel);
        Assert.Contains("TPW001 Starvation by calls the pool cannot detect", explained, StringComparison.Ordinal);
        var record = await TellsAsync(agent, "record", new() { ["pid"] = target.Pid, ["seconds"] = 6, ["file"] = "burst" }, cancel);
        var file = folder["burst.nettrace"];
        Assert.Contains(file, record, StringComparison.Ordinal);
        Assert.Contains("already", await FailsAsync(agent, "record", new() { ["pid"] = target.Pid, ["file"] = "burst" }, cancel),
            StringComparison.Ordinal);
        Assert.Contains("STARVED", await TellsAsync(agent, "report", new() { ["recording"] = file }, cancel), StringComparison.Ordinal);
        Assert.Contains("WHAT IF MinThreads 100", await TellsAsync(
            agent, "what_if", new() { ["recording"] = file, ["min_threads"] = 100 }, cancel), StringComparison.Ordinal);
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 0, Gone));
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_process_without_trouble_is_healthy_or_undecided_and_what_is_not_allowed_is_refused()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "steady", "--seconds", "120");
        await target.BeginAsync();
        await using var agent = await StartAsync(cancel);
        var check = await TellsAsync(agent, "check", new() { ["pid"] = target.Pid, ["seconds"] = 5 }, cancel);
        Assert.Matches("\"verdict\": \"(?:healthy|undecided)\"", check);
        var report = await TellsAsync(agent, "report", new() { ["pid"] = target.Pid, ["seconds"] = 5 }, cancel);
        Assert.DoesNotContain("STARVED", report, StringComparison.Ordinal);
        // Neither bursts nor readings: by default nothing is paused and no memory is read.
        Assert.DoesNotContain("burst", report, StringComparison.Ordinal);
        Assert.DoesNotContain("reading", report, StringComparison.Ordinal);
        Assert.Contains("--allow-record", await FailsAsync(agent, "record", new() { ["pid"] = target.Pid, ["file"] = "a" }, cancel),
            StringComparison.Ordinal);
        Assert.Contains("no process 2000000000", await FailsAsync(agent, "check", new() { ["pid"] = 2_000_000_000 }, cancel),
            StringComparison.Ordinal);
        Assert.Contains("no process 2000000000", await FailsAsync(agent, "report", new() { ["pid"] = 2_000_000_000 }, cancel),
            StringComparison.Ordinal);
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 0, Gone));
    }

    /// <summary>The client may ask and end its input in the middle of a report; or the tool is told to stop.</summary>
    [Theory(Timeout = LimitMs)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_leaves_in_the_middle_of_a_report_leaves_no_session_behind(bool signalled)
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "steady", "--seconds", "120");
        using var server = Started("mcp");
        try
        {
            await SayAsync(server, Initialize, Initialized, Call("report", target.Pid, 50));
            Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 1, Gone));
            if (signalled)
            {
                await Signal.SendAsync("TERM", server.Id, cancel);
            }
            else
            {
                server.StandardInput.Close();
            }

            var (said, _) = await Ended(server, cancel);
            Assert.Equal(0, server.ExitCode);
            AssertProtocol(said);
            Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 0, Gone));
        }
        finally
        {
            End(server);
        }
    }

    [Fact(Timeout = LimitMs)]
    public async Task Standard_output_carries_the_protocol_alone_whatever_is_said_to_it()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var server = Started("mcp");
        try
        {
            await SayAsync(
                server, "no json", "{\"jsonrpc\":\"2.0\"}", new string('[', 100_000), Initialize, Initialized,
                Call("no_such_tool", 1, 1), Call("check", 2_000_000_000, 1));
            List<string> said = [];
            while (!said.Exists(line => line.Contains("no process 2000000000", StringComparison.Ordinal)))
            {
                said.Add(await server.StandardOutput.ReadLineAsync(cancel) ?? throw new InvalidOperationException(string.Join('\n', said)));
            }

            server.StandardInput.Close();
            var (rest, error) = await Ended(server, cancel);
            AssertProtocol(said.Concat(rest));
            Assert.Contains(said, line => line.Contains("no_such_tool", StringComparison.Ordinal));
            Assert.Contains("an agent can ask now", error, StringComparison.OrdinalIgnoreCase);
            Assert.DoesNotContain("   at ", error, StringComparison.Ordinal);
            Assert.Equal(0, server.ExitCode);
        }
        finally
        {
            End(server);
        }
    }

    [Fact(Timeout = LimitMs)]
    public async Task Only_this_verb_loads_the_library_of_the_protocol()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "what a process has loaded stands in /proc");
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "steady", "--seconds", "120");
        using var report = Started("report", "-p", Text(target.Pid), "--duration", "60s");
        using var server = Started("mcp");
        try
        {
            Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 1, Gone));
            Assert.Contains("dotnet-tpwatch.dll", await LoadedAsync(report, cancel), StringComparison.Ordinal);
            Assert.DoesNotContain(Library, await LoadedAsync(report, cancel), StringComparison.Ordinal);
            await SayAsync(server, Initialize);
            await server.StandardOutput.ReadLineAsync(cancel);
            Assert.Contains(Library, await LoadedAsync(server, cancel), StringComparison.Ordinal);
        }
        finally
        {
            End(report);
            End(server);
        }
    }

    static readonly string Initialize = JsonSerializer.Serialize(new
    {
        jsonrpc = "2.0", id = 1, method = "initialize",
        @params = new { protocolVersion = "2025-06-18", capabilities = new { }, clientInfo = new { name = "t", version = "1" } },
    });

    const string Initialized = """{"jsonrpc":"2.0","method":"notifications/initialized"}""";

    static string Call(string tool, int pid, int seconds) => JsonSerializer.Serialize(new
    {
        jsonrpc = "2.0", id = tool, method = "tools/call", @params = new { name = tool, arguments = new { pid, seconds } },
    });

    static async Task<McpClient> StartAsync(CancellationToken cancel, params string[] options)
    {
        var command = new StdioClientTransportOptions { Command = BuiltPrograms.Host, Arguments = [ToolRun.Tool, "mcp", .. options] };
        return await McpClient.CreateAsync(new StdioClientTransport(command), cancellationToken: cancel);
    }

    // While the machine is too busy for an answer, which the tool then says in the words of except, it is asked again.
    static async Task<string> TellsAsync(
        McpClient agent, string tool, Dictionary<string, object?> given, CancellationToken cancel, string? except = null)
    {
        while (true)
        {
            var answer = await agent.CallToolAsync(tool, given, cancellationToken: cancel);
            Assert.False(answer.IsError, TextOf(answer));
            if (except is null || !TextOf(answer).Contains(except, StringComparison.Ordinal))
            {
                return TextOf(answer);
            }
        }
    }

    static async Task<string> FailsAsync(McpClient agent, string tool, Dictionary<string, object?> given, CancellationToken cancel)
    {
        var answer = await agent.CallToolAsync(tool, given, cancellationToken: cancel);
        Assert.True(answer.IsError, TextOf(answer));
        return TextOf(answer);
    }

    static void AssertProtocol(IEnumerable<string> lines) => Assert.All(
        lines, line => Assert.Equal("2.0", JsonDocument.Parse(line).RootElement.GetProperty("jsonrpc").GetString()));

    static string TextOf(CallToolResult answer) => Assert.IsType<TextContentBlock>(Assert.Single(answer.Content)).Text;

    static Process Started(params string[] words) => Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [ToolRun.Tool, .. words])
    {
        RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
    })!;

    static async Task SayAsync(Process server, params string[] lines)
    {
        foreach (var line in lines)
        {
            await server.StandardInput.WriteLineAsync(line);
        }

        await server.StandardInput.FlushAsync();
    }

    static async Task<(string[] Out, string Error)> Ended(Process server, CancellationToken cancel)
    {
        var texts = await Task.WhenAll(server.StandardOutput.ReadToEndAsync(cancel), server.StandardError.ReadToEndAsync(cancel));
        await server.WaitForExitAsync(cancel).WaitAsync(Gone, cancel);
        return (texts[0].Split('\n', StringSplitOptions.RemoveEmptyEntries), texts[1]);
    }

    static void End(Process process)
    {
        if (!process.HasExited)
        {
            process.Kill();
        }
    }

    static Task<string> LoadedAsync(Process process, CancellationToken cancel) =>
        File.ReadAllTextAsync($"/proc/{Text(process.Id)}/maps", cancel);

    static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
