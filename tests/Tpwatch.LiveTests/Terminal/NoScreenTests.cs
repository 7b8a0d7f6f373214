using Tpwatch.Core;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>Where no screen can be: lines instead, no escape sequence among them, and an end.</summary>
public sealed class NoScreenTests
{
    const int Minute = 60_000;

    /// <summary>Two of three ended with an unhandled exception before it was mended.</summary>
    const int Vanishings = 5;

    static readonly TimeSpan Patience = TimeSpan.FromSeconds(40);

    static string Tool { get; } = ToolRun.Tool;

    static string Recording { get; } = Path.Combine(
        Path.GetDirectoryName(Tool)!, "..", "..", "..", "..", "tests", "Recordings", "pool-burst.nettrace");

    [Theory(Timeout = Minute)]
    [InlineData("dumb")]
    [InlineData(null)]
    public async Task A_terminal_that_understands_nothing_gets_lines(string? term)
    {
        await using var terminal = OwnTerminal.Start((100, 30), ["dotnet", "exec", Tool, "replay", Recording], ("TERM", term));
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        await terminal.WaitAsync(t => t.Contains("STARVED", StringComparison.Ordinal), Patience);
        Assert.Contains("Starvation 8->9 threads after", terminal.Text, StringComparison.Ordinal);
        Assert.DoesNotContain('\e', terminal.Text);
    }

    [Fact(Timeout = Minute)]
    public async Task Plain_is_lines_in_the_best_of_terminals()
    {
        await using var terminal = OwnTerminal.Start(
            (100, 30), ["dotnet", "exec", Tool, "replay", Recording, "--plain"], ("COLORTERM", "truecolor"));
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        await terminal.WaitAsync(t => t.Contains("STARVED", StringComparison.Ordinal), Patience);
        // .NET's console would switch the keypad on if it were asked for the width of the terminal, and leave it so.
        Assert.DoesNotContain('\e', terminal.Text);
    }

    [Theory(Timeout = Minute)]
    [InlineData("--version")]
    [InlineData("ps")]
    [InlineData("rules")]
    public async Task A_verb_that_prints_and_ends_switches_nothing_on_a_terminal(string verb)
    {
        await using var terminal = OwnTerminal.Start((100, 30), ["dotnet", "exec", Tool, verb]);
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        Assert.DoesNotContain('\e', terminal.Text);
        Assert.NotEmpty(terminal.Text);
    }

    [Fact(Timeout = Minute)]
    public async Task Without_a_controlling_terminal_a_pipe_gets_lines()
    {
        var run = await ToolRun.Program("setsid", "--wait", BuiltPrograms.Host, Tool, "replay", Recording);
        Assert.Equal(0, run.Code);
        Assert.Contains("Starvation 8->9 threads after", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain('\e', run.Out + run.Error);
    }

    [Fact(Timeout = Minute)]
    public async Task Without_a_target_and_without_a_terminal_there_is_a_sentence_and_no_picker()
    {
        var run = await ToolRun.Program("setsid", "--wait", BuiltPrograms.Host, Tool);
        Assert.Equal(3, run.Code);
        Assert.Contains("No process was named", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain('\e', run.Out + run.Error);
    }

    // A terminal that goes away sends SIGHUP and, right behind it, SIGCONT: more often than not while the program is on its way out.
    [Fact(Timeout = 2 * Minute)]
    public async Task When_the_terminal_vanishes_the_tool_ends_in_order()
    {
        for (var time = 0; time < Vanishings; time++)
        {
            await using var terminal = OwnTerminal.Start((100, 30), ["dotnet", "exec", Tool, "replay", Recording]);
            Assert.NotNull(await terminal.WaitAsync(t => t.Contains("REPLAY", StringComparison.Ordinal), Patience));
            terminal.HangUp();
            // The summary finds nobody to read it, or the program did not get as far.
            Assert.Contains(await terminal.ExitAsync(TimeSpan.FromSeconds(15)), new int?[] { (int)ExitCode.Done, (int)ExitCode.Arguments });
        }
    }
}
