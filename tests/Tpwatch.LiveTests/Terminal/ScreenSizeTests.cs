namespace Tpwatch.LiveTests.Terminal;

public sealed class ScreenSizeTests
{
    const int Minute = 60_000;

    [Fact(Timeout = Minute)]
    public async Task The_frame_fills_the_terminal_at_every_size_and_comes_back_the_same()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        var first = await FillsAsync(screen.Terminal, 100, 30);
        foreach (var (width, height) in ((int, int)[])[(80, 24), (40, 10), (200, 50), (60, 16), (100, 30)])
        {
            await screen.Terminal.ResizeAsync(width, height);
            await FillsAsync(screen.Terminal, width, height);
        }

        Assert.Equal(first, await screen.Terminal.CaptureAsync());
    }

    [Fact(Timeout = Minute)]
    public async Task A_storm_of_sizes_ends_with_a_whole_picture()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30, "moving");
        for (var i = 0; i < 40; i++)
        {
            await screen.Terminal.ResizeAsync(10 + i * 37 % 190, 3 + i * 13 % 50);
        }

        await screen.Terminal.ResizeAsync(80, 24);
        await FillsAsync(screen.Terminal, 80, 24);
    }

    [Fact(Timeout = Minute)]
    public async Task F5_repairs_what_others_wrote_over_it()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        var before = await screen.Terminal.CaptureAsync();
        var tty = await screen.Terminal.FlagAsync("pane_tty");
        await File.WriteAllTextAsync(tty, "\e[5;5Hsomebody else's message\e[12;1Hand one more", TestContext.Current.CancellationToken);
        await screen.Terminal.WaitForAsync("somebody else's message");
        await screen.Terminal.PressAsync("F5");
        // A frame reaches the terminal in parts; the whole of it is what was there before.
        Assert.Equal(before, await screen.Terminal.WaitUntilAsync(s => s == before, "the repaired screen"));
    }

    static async Task<string> FillsAsync(TmuxTerminal terminal, int width, int height)
    {
        var shown = await terminal.WaitUntilAsync(
            s => Fills(s, width, height), FormattableString.Invariant($"a frame of {width}x{height}"));
        Assert.Equal((width, height),
            (int.Parse(await terminal.FlagAsync("pane_width"), null), int.Parse(await terminal.FlagAsync("pane_height"), null)));
        return shown;
    }

    // The header ends one column before the right edge, the rule above the finding fills its row, the hints stand in the last row; below
    // the smallest size a notice says the size.
    static bool Fills(string shown, int width, int height)
    {
        var rows = shown.Split('\n');
        return width < 60 || height < 16
            ? shown.Contains(FormattableString.Invariant($"now {width}x{height}"), StringComparison.Ordinal)
            : rows.Length >= height && rows[0].Length == width - 1 && rows[0].EndsWith("loss 0", StringComparison.Ordinal)
                && rows.Count(r => r.Length == width && r.StartsWith('─') && r.EndsWith('─')) == 1
                && rows[height - 1].Contains("q quit", StringComparison.Ordinal);
    }
}
