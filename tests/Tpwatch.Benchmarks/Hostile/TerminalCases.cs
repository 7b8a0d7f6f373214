using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Hostile;

/// <summary>Terminals that are absurd or vanish.</summary>
static class TerminalCases
{
    const string Group = "terminals";
    const string Leaves = "\e[?1049l";
    const string ShowsCursor = "\e[?25h";

    static readonly (int Width, int Height)[] Sizes = [(1, 1), (2, 2), (10, 3), (80, 1), (1, 50), (1000, 300), (0, 0)];

    static readonly string?[] Names = ["", "nonsense", "vt52", "dumb", "xterm\e[2J", null];

    public static IEnumerable<HostileCase> All() =>
    [
        .. Sizes.Select(size => new HostileCase(Group, $"replay on {size.Width}x{size.Height}", [], ground => SizeAsync(ground, size))
        { Fast = size is (1, 1) or (0, 0) }),
        .. Names.Select(name => new HostileCase(Group, $"replay with TERM {(name is null ? "unset" : ArgumentCases.Shown(name))}", [],
            ground => QuitAsync(ground, name)) { Fast = false }),
        .. ((string[])["INT", "TERM", "HUP", "QUIT"]).Select(signal => new HostileCase(Group, $"SIG{signal} to a replay", [5],
            ground => SignalledAsync(ground, signal)) { Fast = signal == "QUIT" }),
        .. ((string[])["--version", "ps", "rules"]).Select(verb => new HostileCase(Group, $"{verb} switches nothing", [19],
            ground => SwitchesNothingAsync(ground, verb)) { Fast = verb == "--version" }),
        new(Group, "a terminal that vanishes", [], VanishAsync) { Fast = false },
        new(Group, "resized two hundred times", [], ResizeAsync) { Fast = false },
    ];

    static OwnTerminal Replay(Ground ground, (int Width, int Height) size, string? term = "xterm-256color") =>
        OwnTerminal.Start(
            size, ["env", Ground.DefaultSignals, Ground.Host, Ground.Tool, "replay", ground.Bring("pool-burst")], ("TERM", term));

    static async Task SizeAsync(Ground ground, (int Width, int Height) size)
    {
        await using var terminal = Replay(ground, size);
        await terminal.WaitAsync(t => t.Length > 0, TimeSpan.FromSeconds(20));
        await Task.Delay(TimeSpan.FromMilliseconds(500));
        await terminal.TypeAsync("q");
        Ended(terminal, await terminal.ExitAsync(Ground.Limit), 0);
    }

    // Where there is no screen, lines come, and the replay ends by itself.
    static async Task QuitAsync(Ground ground, string? name)
    {
        await using var terminal = Replay(ground, (80, 24), name);
        await terminal.WaitAsync(t => t.Length > 0, TimeSpan.FromSeconds(20));
        await Task.Delay(TimeSpan.FromMilliseconds(500));
        await terminal.TypeAsync("q");
        Ended(terminal, await terminal.ExitAsync(Ground.Limit), 0);
    }

    static async Task SignalledAsync(Ground ground, string signal)
    {
        await using var terminal = Replay(ground, (80, 24));
        await terminal.WaitAsync(t => t.Contains("REPLAY", StringComparison.Ordinal), Ground.Limit);
        await Ground.SignalAsync(signal, terminal.Pid);
        Ended(terminal, await terminal.ExitAsync(Ground.Limit), 0);
        if (!terminal.Text.Contains(Leaves, StringComparison.Ordinal) || !terminal.Text.Contains(ShowsCursor, StringComparison.Ordinal))
        {
            throw new HarmDoneException(Harm.LeftBehind, "the alternate screen");
        }
    }

    static async Task SwitchesNothingAsync(Ground ground, string verb)
    {
        await using var terminal = OwnTerminal.Start((100, 30), [Ground.Host, Ground.Tool, verb]);
        Ended(terminal, await terminal.ExitAsync(Ground.Limit), 0);
        if (terminal.Text.Contains('\e', StringComparison.Ordinal))
        {
            throw new HarmDoneException(Harm.LeftBehind, "a mode of the terminal");
        }
    }

    static async Task VanishAsync(Ground ground)
    {
        await using var terminal = Replay(ground, (80, 24));
        await terminal.WaitAsync(t => t.Contains("REPLAY", StringComparison.Ordinal), Ground.Limit);
        terminal.HangUp();
        Ended(terminal, await terminal.ExitAsync(Ground.Limit), 0, 3);
    }

    static async Task ResizeAsync(Ground ground)
    {
        await using var terminal = Replay(ground, (80, 24));
        await terminal.WaitAsync(t => t.Contains("REPLAY", StringComparison.Ordinal), Ground.Limit);
        var random = new Random(7);
        for (var time = 0; time < 200; time++)
        {
            terminal.Resize(random.Next(1, 400), random.Next(1, 120));
            await Task.Delay(TimeSpan.FromMilliseconds(5));
        }

        await terminal.TypeAsync("q");
        Ended(terminal, await terminal.ExitAsync(Ground.Limit), 0);
    }

    static void Ended(OwnTerminal terminal, int? code, params int[] codes)
    {
        if (code is not { } ended)
        {
            throw new HarmDoneException(Harm.Hung, "still there");
        }

        new ToolResult(ended, "", terminal.Text).Is(codes);
    }
}
