namespace Tpwatch.LiveTests.Terminal;

/// <summary>Terminals that do not read, that send rubbish, that vanish.</summary>
public sealed class HostileTerminalTests
{
    const int Minute = 60_000;
    const long MostGrowthKb = 20_000;

    static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);
    static readonly TimeSpan Silence = TimeSpan.FromSeconds(2);

    [Fact(Timeout = Minute)]
    public async Task A_terminal_that_reads_nothing_for_two_seconds_gets_the_newest_picture_and_nothing_piles_up()
    {
        await using var terminal = await StartAsync("moving");
        await Task.Delay(Silence, TestContext.Current.CancellationToken);
        var before = terminal.StatusKb("VmRSS");
        terminal.StopReading();
        await Task.Delay(Silence, TestContext.Current.CancellationToken);
        var read = terminal.Bytes;
        await Task.Delay(Silence, TestContext.Current.CancellationToken);
        Assert.Equal(read, terminal.Bytes);
        Assert.InRange(terminal.StatusKb("VmRSS"), 0, before + MostGrowthKb);
        terminal.ReadOn();
        Assert.NotNull(await terminal.WaitAsync(_ => terminal.Bytes > read + 1000, Patience));
        await QuitAsync(terminal);
    }

    [Fact(Timeout = Minute)]
    public async Task Ten_thousand_random_bytes_as_keys_do_no_harm()
    {
        await using var terminal = await StartAsync();
        var random = new Random(4);
        // Without what quits (q, ctrl+c, ctrl+d, ctrl+\) and what stops (ctrl+z, ctrl+s).
        var bytes = Enumerable.Range(0, 10_000).Select(_ => (char)random.Next(1, 127))
            .Where(c => c is not ('q' or '\x03' or '\x04' or '\x1c' or '\x1a' or '\x13')).ToArray();
        foreach (var part in bytes.Chunk(250))
        {
            await terminal.TypeAsync(new string(part));
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }

        // Out of whatever is open, one step each.
        for (var i = 0; i < 6; i++)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(300), TestContext.Current.CancellationToken);
            await terminal.TypeAsync("\e");
        }

        await Task.Delay(TimeSpan.FromMilliseconds(300), TestContext.Current.CancellationToken);
        await QuitAsync(terminal);
    }

    static async Task<OwnTerminal> StartAsync(params string[] options)
    {
        string[] command = ["dotnet", "exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.LiveTests.dll"), "screen", .. options];
        var terminal = OwnTerminal.Start((200, 50), command);
        Assert.NotNull(await terminal.WaitAsync(t => t.Contains("quit", StringComparison.Ordinal), Patience));
        return terminal;
    }

    static async Task QuitAsync(OwnTerminal terminal)
    {
        await terminal.TypeAsync("q");
        Assert.Equal(0, await terminal.ExitAsync(Patience));
        Assert.Contains("\e[?1049l", terminal.Text, StringComparison.Ordinal);
    }
}
