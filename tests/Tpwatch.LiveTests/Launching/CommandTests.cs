using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Launching;

/// <summary><c>-- COMMAND</c> of the built tool.</summary>
public sealed class CommandTests
{
    const int TestLimit = 90_000;

    static readonly string Fixtures = BuiltPrograms.Fixtures;

    [Fact(Timeout = TestLimit)]
    public async Task A_report_says_that_it_was_launched_and_has_min_from_the_event()
    {
        var run = await ToolRun.Of(
            "report", "--format", "json", "--", BuiltPrograms.Host, "exec", Fixtures, "pool-burst", "--items", "3", "--hold", "1000");
        Assert.True(run.Code == 0, run.Error);
        using var report = JsonDocument.Parse(run.Out);
        Assert.Equal("launched", report.RootElement.GetProperty("capture").GetProperty("source").GetString());
        Assert.Equal("event", report.RootElement.GetProperty("target").GetProperty("minWorkers").GetProperty("source").GetString());
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_commands_exit_code_is_ours()
    {
        var run = await ToolRun.Of("--", BuiltPrograms.Host, "exec", Fixtures, "no-such-scenario");
        Assert.Equal(3, run.Code);
        Assert.Contains("ended with code 3", run.Error, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Its_output_goes_to_standard_error_when_asked_for_and_results_have_standard_output()
    {
        string[] command = ["--", BuiltPrograms.Host, "exec", Fixtures, "pool-burst", "--items", "2", "--hold", "1000"];
        var (showing, hiding) = (ToolRun.Of(["--format", "ndjson", "--show-child-io", .. command]),
            ToolRun.Of(["--format", "ndjson", .. command]));
        var (shown, hidden) = (await showing, await hiding);
        Assert.Contains("READY ", shown.Error, StringComparison.Ordinal);
        Assert.All(shown.Out.TrimEnd('\n').Split('\n'), line => JsonDocument.Parse(line).Dispose());
        Assert.DoesNotContain("READY ", hidden.Out + hidden.Error, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("sleep 0.2", "'sleep' ended with code 0 before a .NET runtime")]
    [InlineData("false", "'false' ended with code 1 before a .NET runtime")]
    public async Task A_program_that_is_not_dotnet_is_code_1(string command, string sentence) =>
        (await ToolRun.Of(["--", .. command.Split(' ')])).IsFailure(1, sentence);

    [Fact(Timeout = TestLimit)]
    public async Task A_program_that_never_opens_a_port_is_ended()
    {
        var seconds = UniqueSeconds();
        (await ToolRun.Of("--", "sleep", seconds)).IsFailure(1, "no .NET runtime started in 'sleep'");
        Assert.Empty(Running($"sleep\0{seconds}\0"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_script_that_starts_the_program_as_its_child_is_refused_and_nothing_is_left_suspended()
    {
        var seconds = UniqueSeconds();
        var run = await ToolRun.Of("--", "sh", "-c", $"'{BuiltPrograms.Host}' exec '{Fixtures}' steady --seconds {seconds}; true");
        run.IsFailure(1, "'sh' is not a .NET program but has started one");
        Assert.Empty(Running($"steady\0--seconds\0{seconds}\0"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_command_that_is_not_there_is_code_3() =>
        (await ToolRun.Of("--", "no-such-program")).IsFailure(3, "'no-such-program' was not found");

    [Fact(Timeout = TestLimit)]
    public async Task The_sdks_verbs_are_code_3() => (await ToolRun.Of("--", "dotnet", "run")).IsFailure(3, "'dotnet run' starts the SDK");

    [Fact(Timeout = TestLimit)]
    public async Task Disabled_diagnostics_are_told_before_anything_is_started() =>
        (await ToolRun.Shell($"DOTNET_EnableDiagnostics_IPC=0 T -- '{BuiltPrograms.Host}' exec '{Fixtures}' steady")).IsFailure(
            1, "DOTNET_EnableDiagnostics_IPC=0");

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_signal_ends_the_command_too_and_is_code_0()
    {
        var seconds = UniqueSeconds();
        using var tool = Start("--plain", "--", BuiltPrograms.Host, "exec", Fixtures, "steady", "--seconds", seconds);
        var output = tool.StandardOutput.ReadToEndAsync(Cancel);
        await tool.StandardError.ReadLineAsync(Cancel);
        var child = CommandOf(tool, seconds);
        await SeenProcesses.InterruptAsync(tool.Id, Cancel);
        await tool.WaitForExitAsync(Cancel);
        Assert.Equal(0, tool.ExitCode);
        Assert.Contains("the watch ended", await output, StringComparison.Ordinal);
        Assert.False(Directory.Exists($"/proc/{Text(child)}"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_command_killed_from_outside_lends_its_code()
    {
        var seconds = UniqueSeconds();
        using var tool = Start("--plain", "--", BuiltPrograms.Host, "exec", Fixtures, "steady", "--seconds", seconds);
        var output = tool.StandardOutput.ReadToEndAsync(Cancel);
        await tool.StandardError.ReadLineAsync(Cancel);
        await Signal.SendAsync("KILL", CommandOf(tool, seconds), Cancel);
        await tool.WaitForExitAsync(Cancel);
        Assert.Equal(128 + 9, tool.ExitCode);
        Assert.Contains("killed", await output, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("KILL")]
    [InlineData("TERM")]
    public async Task A_tool_that_is_ended_while_the_command_waits_suspended_leaves_nothing_behind(string signal)
    {
        var seconds = UniqueSeconds();
        using var tool = Start("--", BuiltPrograms.Host, "exec", Fixtures, "steady", "--seconds", seconds);
        int child;
        while ((child = Running($"steady\0--seconds\0{seconds}\0").FirstOrDefault(pid => pid != tool.Id)) == 0)
        {
            await Task.Delay(1, Cancel);
        }

        await Signal.SendAsync(signal, tool.Id, Cancel);
        await tool.WaitForExitAsync(Cancel);
        while (Directory.Exists($"/proc/{Text(child)}"))
        {
            await Task.Delay(20, Cancel);
        }
    }

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    static Process Start(params string[] arguments)
    {
        var start = new ProcessStartInfo(BuiltPrograms.Host, [ToolRun.Tool, .. arguments]);
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);
        return Process.Start(start)!;
    }

    /// <summary>A number that no other process of this machine has among its arguments; more than a test lasts.</summary>
    static string UniqueSeconds() => Text(1000 + (Environment.ProcessId % 1000) + Random.Shared.Next(1000));

    /// <summary>Processes whose command line ends so; the tool's own ends so as well.</summary>
    static IEnumerable<int> Running(string end) => SeenProcesses.Of(words => words.EndsWith(end, StringComparison.Ordinal));

    // Beside the command a shell of ours waits, which ends it when we are killed.
    static int CommandOf(Process tool, string seconds) =>
        Assert.Single(SeenProcesses.ChildrenOf(tool.Id).Intersect(Running($"steady\0--seconds\0{seconds}\0")));

    static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
