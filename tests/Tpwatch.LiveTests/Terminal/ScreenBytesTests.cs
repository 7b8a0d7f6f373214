using System.Text;
using System.Text.RegularExpressions;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Packaging;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>What goes through the wire, byte by byte, on a terminal of our own.</summary>
public sealed partial class ScreenBytesTests
{
    const int Minute = 60_000;
    const string PasteBegins = "\e[200~";
    const string PasteEnds = "\e[201~";

    static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    static string Tool { get; } = ToolRun.Tool;

    static string Recording { get; } = Path.Combine(SourceBuild.Root, "tests", "Recordings", "pool-burst.nettrace");

    [Theory(Timeout = Minute)]
    [InlineData("q")]
    [InlineData("\x03")]
    [InlineData("\x04")]
    [InlineData("TERM")]
    public async Task Every_mode_is_off_and_the_line_is_as_before(string way)
    {
        string[] command = ["sh", "-c", "stty -a; \"$@\"; echo; echo code=$?; stty -a", "sh", "dotnet", "exec", Tool, "replay", Recording];
        await using var terminal = OwnTerminal.Start((100, 30), command);
        // The word is among those of stty, too.
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("REPLAY", StringComparison.Ordinal), Patience));
        await (way.Length == 1 ? terminal.TypeAsync(way) : SignalChildAsync(terminal, way));
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        Assert.Empty(TerminalState.Left(terminal.Text).Except(["7", "25"]));
        Assert.Contains("25", TerminalState.Left(terminal.Text));
        var lines = SttyOf().Matches(terminal.Text);
        Assert.Equal(2, lines.Count);
        Assert.Equal(lines[0].Value, lines[1].Value);
    }

    [Theory(Timeout = Minute)]
    [InlineData(0)]
    [InlineData(5)]
    [InlineData(30)]
    [InlineData(80)]
    public async Task Esc_right_before_q_is_esc_and_q(int apartMs)
    {
        await using var terminal = await StartAsync();
        await terminal.TypeAsync("\e");
        await Task.Delay(300, TestContext.Current.CancellationToken);
        Assert.Null(await terminal.ExitAsync(TimeSpan.FromMilliseconds(300)));
        if (apartMs == 0)
        {
            await terminal.TypeAsync("\eq");
        }
        else
        {
            await terminal.TypeAsync("\e");
            await Task.Delay(apartMs, TestContext.Current.CancellationToken);
            await terminal.TypeAsync("q");
        }

        Assert.Equal(0, await terminal.ExitAsync(Patience));
    }

    [Fact(Timeout = Minute)]
    public async Task A_flood_of_keys_does_not_hold_up_the_one_that_quits()
    {
        await using var terminal = await StartAsync();
        await terminal.TypeAsync(new string([.. Enumerable.Range(0, 10_000).Select(i => "1246+-=[]hl"[i % 11])]));
        await terminal.TypeAsync("q");
        var began = TimeProvider.System.GetTimestamp();
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        Report("10 000 keys, q to the end", began);
    }

    [Fact(Timeout = Minute)]
    public async Task A_paste_is_no_keys()
    {
        await using var terminal = await StartAsync();
        await terminal.TypeAsync(PasteBegins + string.Concat(Enumerable.Repeat("q2\r4\x03 rm -r x\n", 200)) + PasteEnds);
        await Task.Delay(1500, TestContext.Current.CancellationToken);
        Assert.DoesNotContain("[2 Injections", terminal.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("[4 Latency", terminal.Text, StringComparison.Ordinal);
        await QuitAsync(terminal);
    }

    /// <summary>What Linux keeps for a terminal that does not read: 8 kB in the pair of devices, 4 kB in the line discipline.</summary>
    const int KernelBytes = 8192 + 4096;

    [Fact(Timeout = Minute)]
    public async Task A_slow_terminal_does_not_hold_up_the_end()
    {
        await using var terminal = OwnTerminal.Start((100, 30), ["dotnet", "exec", Tool, "replay", Recording]);
        terminal.ReadSlowly(2000);
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("quit", StringComparison.Ordinal), Patience));
        for (var i = 0; i < 8; i++)
        {
            await terminal.TypeAsync(i % 2 == 0 ? "6" : "1");
            await Task.Delay(200, TestContext.Current.CancellationToken);
        }

        var (began, shown) = (TimeProvider.System.GetTimestamp(), terminal.Bytes);
        await terminal.TypeAsync("q");
        while (SeenProcesses.IsAlive(terminal.Pid))
        {
            Assert.True(TimeProvider.System.GetElapsedTime(began) < Patience, "still there");
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        _ = Report("2 kB/s, q to the end", began);
        // What the kernel had taken already is shown still, of the rest nothing.
        Assert.InRange(terminal.Bytes - shown, 0, KernelBytes);
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        Assert.Empty(TerminalState.Left(terminal.Text).Except(["7", "25"]));
    }

    [Fact(Timeout = 2 * Minute)]
    public async Task At_the_end_of_a_replay_nothing_is_written_and_F5_writes_all()
    {
        await using var terminal = OwnTerminal.Start((100, 30), ["dotnet", "exec", Tool, "replay", Recording, "--speed", "10"]);
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("quit", StringComparison.Ordinal), Patience));
        // Only cells that changed are written, so no word of the end need stand there whole: while it plays, the clock moves.
        var before = -1L;
        for (var began = TimeProvider.System.GetTimestamp(); before != terminal.Bytes;)
        {
            Assert.True(TimeProvider.System.GetElapsedTime(began) < Patience, "it is written for ever");
            before = terminal.Bytes;
            await Task.Delay(4000, TestContext.Current.CancellationToken);
        }

        terminal.Forget();
        await terminal.TypeAsync("\e[15~");
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("REPLAY end", StringComparison.Ordinal), Patience));
        Assert.NotNull(await terminal.WaitAsync(_ => terminal.Bytes > before + 3000, Patience));
        await QuitAsync(terminal);
    }

    [Fact(Timeout = Minute)]
    public async Task With_the_mouse_off_the_terminal_keeps_its_own_selection()
    {
        await using var terminal = OwnTerminal.Start((100, 30), ["dotnet", "exec", Tool, "replay", Recording, "--mouse", "off"]);
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("quit", StringComparison.Ordinal), Patience));
        Assert.Empty(TerminalState.MouseLeft(terminal.Text));
        await QuitAsync(terminal);
    }

    [Theory(Timeout = Minute)]
    [InlineData("xterm", null, null, "16")]
    [InlineData("vt100", null, null, "16")]
    [InlineData("linux", null, null, "16")]
    [InlineData("xterm-256color", "truecolor", null, "rgb")]
    [InlineData("xterm-256color", "truecolor", "1", "none")]
    public async Task Colours_are_those_the_terminal_has(string term, string? colorterm, string? noColor, string wanted)
    {
        await using var terminal = OwnTerminal.Start((100, 30), ["dotnet", "exec", Tool, "replay", Recording],
            ("TERM", term), ("COLORTERM", colorterm), ("NO_COLOR", noColor));
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("STARVED", StringComparison.Ordinal), Patience));
        var looks = Sgr().Matches(terminal.Text).SelectMany(m => m.Groups[1].Value.Split(';')).ToList();
        var (rgb, palette) = (looks.Contains("38") || looks.Contains("48"),
            looks.Any(l => l.Length == 2 && l[0] is '3' or '9' && l[1] < '8'));
        Assert.Equal((wanted == "rgb", wanted == "16"), (rgb, palette && !rgb));
        await QuitAsync(terminal);
    }

    [Fact(Timeout = Minute)]
    public async Task Where_only_ascii_is_understood_only_ascii_is_sent()
    {
        await using var terminal = OwnTerminal.Start(
            (100, 30), ["dotnet", "exec", Tool, "replay", Recording], ("LANG", "C"), ("LC_ALL", null));
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("STARVED", StringComparison.Ordinal), Patience));
        foreach (var keys in (string[])["?", "\e", "2", "6", ":", "\e", "w", "\e", "e", "\e", "3"])
        {
            await terminal.TypeAsync(keys);
            await Task.Delay(400, TestContext.Current.CancellationToken);
        }

        Assert.Contains("help: type to search", terminal.Text, StringComparison.Ordinal);
        Assert.DoesNotContain(terminal.Text, c => c > 126);
        await QuitAsync(terminal);
    }

    [Fact(Timeout = Minute)]
    public async Task What_is_copied_goes_to_the_clipboard_of_the_terminal()
    {
        await using var terminal = await StartAsync();
        await terminal.TypeAsync("6");
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("[6 Findings", StringComparison.Ordinal), Patience));
        await terminal.TypeAsync("y");
        Assert.NotNull(await terminal.WaitAsync(t => Clip().IsMatch(t), Patience));
        Assert.Contains("TPW", Encoding.UTF8.GetString(Convert.FromBase64String(Clip().Match(terminal.Text).Groups[1].Value)),
            StringComparison.Ordinal);
        await QuitAsync(terminal);
    }

    [Fact(Timeout = Minute)]
    public async Task A_terminal_that_vanishes_ends_it_within_seconds_and_no_processor_burns()
    {
        await using var terminal = await StartAsync("moving");
        var before = terminal.Processor;
        var began = TimeProvider.System.GetTimestamp();
        terminal.HangUp();
        var last = before;
        while (SeenProcesses.IsAlive(terminal.Pid))
        {
            Assert.True(TimeProvider.System.GetElapsedTime(began) < Patience, "still there");
            last = ProcessorOf(terminal, last);
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        _ = Report("vanished terminal, to the end", began);
        Assert.InRange((last - before).TotalSeconds, 0, 3.0);
    }

    static TimeSpan ProcessorOf(OwnTerminal terminal, TimeSpan last)
    {
        try
        {
            return terminal.Processor;
        }
        catch (InvalidOperationException)
        {
            return last;
        }
    }

    static double Report(string what, long began)
    {
        var seconds = TimeProvider.System.GetElapsedTime(began).TotalSeconds;
        TestContext.Current.TestOutputHelper?.WriteLine(FormattableString.Invariant($"{what}: {seconds:0.00} s"));
        return seconds;
    }

    static async Task SignalChildAsync(OwnTerminal terminal, string name)
    {
        var pid = FormattableString.Invariant($"{terminal.Pid}");
        var children = await File.ReadAllTextAsync($"/proc/{pid}/task/{pid}/children", TestContext.Current.CancellationToken);
        await Signal.SendAsync(name, int.Parse(children.Trim(), null), TestContext.Current.CancellationToken);
    }

    static async Task<OwnTerminal> StartAsync(params string[] options)
    {
        string[] command = ["dotnet", "exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.LiveTests.dll"), "screen", .. options];
        var terminal = OwnTerminal.Start((100, 30), command);
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("quit", StringComparison.Ordinal), Patience));
        return terminal;
    }

    static async Task QuitAsync(OwnTerminal terminal)
    {
        await terminal.TypeAsync("q");
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        Assert.Empty(TerminalState.Left(terminal.Text).Except(["7", "25"]));
    }

    [GeneratedRegex("speed [0-9]+ baud[^\e]*?-?extproc", RegexOptions.Singleline)]
    private static partial Regex SttyOf();

    [GeneratedRegex("\e\\[([0-9;]*)m")]
    private static partial Regex Sgr();

    [GeneratedRegex("\e\\]52;c;([^\a]*)\a")]
    private static partial Regex Clip();
}
