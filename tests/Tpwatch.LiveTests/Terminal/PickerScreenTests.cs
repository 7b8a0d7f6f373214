using System.Globalization;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Order;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>
/// The picker in a real terminal, with the built tool. It looks once, for five seconds, at every process of the machine: its neighbours
/// must leave it the time for a verdict, and count their own sessions.
/// </summary>
[Collection(AloneCollection.Name)]
public sealed class PickerScreenTests
{
    const int Limit = 120_000;

    static string Tool { get; } = ToolRun.Tool;

    [Fact(Timeout = Limit)]
    public async Task Typing_finds_the_process_enter_attaches_and_the_screen_follows()
    {
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, TestContext.Current.CancellationToken, "steady", "--processors", "2");
        await using var terminal = await StartAsync();
        var pid = target.Pid.ToString(CultureInfo.InvariantCulture);
        await terminal.TypeAsync(pid);
        await terminal.WaitUntilAsync(s =>
            s.Contains($"filter: {pid}", StringComparison.Ordinal)
            && s.Contains("dotnet Tpwatch.Fixtur", StringComparison.Ordinal), "the one row");
        await terminal.WaitForAsync("HEALTHY");
        await terminal.PressAsync("F5");
        await terminal.WaitForAsync("1 of");
        await terminal.PressAsync("Enter");
        await terminal.WaitForAsync("LIVE");
        // The keys of the picker are not the keys of the screen: nothing of it is left.
        await terminal.PressAsync("?");
        await terminal.WaitForAsync("help: type to search");
        await terminal.PressAsync("Escape");
        await terminal.WaitForAsync("q quit");
        await terminal.PressAsync("q");
        await terminal.WaitForAsync("exit=0");
        await terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task Esc_only_clears_the_filter_and_q_leaves_the_terminal_whole_with_a_sentence()
    {
        await using var terminal = await StartAsync();
        await terminal.TypeAsync("nothing-is-called-so");
        await terminal.WaitForAsync("No process matches");
        await terminal.PressAsync("Escape", "Escape");
        await terminal.WaitForAsync("found  F5 scan");
        await terminal.ResizeAsync(80, 24);
        await terminal.PressAsync("q");
        await terminal.WaitForAsync("exit=3");
        await terminal.WaitForAsync("No process was chosen");
        await terminal.AssertWholeAsync();
    }

    static async Task<TmuxTerminal> StartAsync()
    {
        var terminal = await TmuxTerminal.StartAsync(100, 30);
        await terminal.EnterAsync($"dotnet exec {Tool}; echo exit=$?");
        await terminal.WaitForAsync("choose a process");
        await terminal.WaitForAsync("found  F5 scan");
        return terminal;
    }
}
