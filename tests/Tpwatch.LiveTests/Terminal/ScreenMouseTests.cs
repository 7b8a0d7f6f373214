namespace Tpwatch.LiveTests.Terminal;

/// <summary>The mouse, as a terminal reports it.</summary>
public sealed class ScreenMouseTests
{
    const int Minute = 60_000;

    [Fact(Timeout = Minute)]
    public async Task Clicks_on_a_tab_a_heading_a_row_and_a_key()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        await ClickAsync(screen, "2 Injections");
        await TableAsync(screen);
        foreach (var sorted in new Func<string, bool>[]
        {
            s => s.Contains("delay v", StringComparison.Ordinal), s => s.Contains("delay ^", StringComparison.Ordinal),
            s => !s.Contains("delay v", StringComparison.Ordinal) && !s.Contains("delay ^", StringComparison.Ordinal),
        })
        {
            await ClickAsync(screen, "delay");
            await screen.Terminal.WaitUntilAsync(sorted, "the next order");
        }

        var head = Head(await TableAsync(screen));
        // Not the second click of a double one.
        await Task.Delay(1000, TestContext.Current.CancellationToken);
        await ClickAtAsync(screen, 12, head + 3);
        await screen.Terminal.WaitUntilAsync(s => s.Split('\n')[head + 3].StartsWith('>'), "the mark of the row");
        await ClickAsync(screen, "? help");
        await screen.Terminal.WaitForAsync("help: type to search");
    }

    [Fact(Timeout = Minute)]
    public async Task A_double_click_on_a_row_shows_it_on_the_timeline()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        await screen.Terminal.PressAsync("2");
        var head = Head(await TableAsync(screen));
        await screen.Terminal.SendAsync(string.Concat(Enumerable.Repeat(Click(12, head + 2), 2)));
        await screen.Terminal.WaitForAsync("[1 Overview");
    }

    [Fact(Timeout = Minute)]
    public async Task Wheel_click_and_drag_on_the_lanes_zoom_select_and_measure()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        await screen.Terminal.WaitForAsync("0.25s/col");
        await screen.Terminal.SendAsync("\e[<64;50;8M");
        await screen.Terminal.WaitUntilAsync(s => !s.Contains("0.25s/col", StringComparison.Ordinal), "another scale");
        await screen.Terminal.SendAsync("\e[<65;50;8M");
        var before = await screen.Terminal.WaitForAsync("0.25s/col");
        await ClickAtAsync(screen, 60, 8);
        await screen.Terminal.WaitUntilAsync(s => s != before && s.Contains("quit", StringComparison.Ordinal), "a selection");
        await screen.Terminal.SendAsync("\e[<0;40;9M\e[<32;45;9M\e[<32;60;9M\e[<0;60;9m");
        await screen.Terminal.WaitForAsync("5.0 s");
    }

    [Fact(Timeout = Minute)]
    public async Task The_wheel_scrolls_a_table()
    {
        await using var screen = await DemoScreen.StartAsync(100, 20);
        await screen.Terminal.PressAsync("2");
        var before = await TableAsync(screen);
        var head = Head(before);
        await screen.Terminal.SendAsync(string.Concat(Enumerable.Repeat(FormattableString.Invariant($"\e[<65;12;{head + 2}M"), 2)));
        await screen.Terminal.WaitUntilAsync(s => s.Split('\n') is var now
            && HasRow(now, head) && now[head] == before[head] && now[head + 1][1..] != before[head + 1][1..],
            "other rows");
    }

    // The tab is marked a frame before the table is drawn.
    static async Task<string[]> TableAsync(DemoScreen screen) => (await screen.Terminal.WaitUntilAsync(
        s => s.Contains("[2 Injections", StringComparison.Ordinal)
            && s.Split('\n') is var rows && Head(rows) is >= 0 and var at && HasRow(rows, at), "the table")).Split('\n');

    static int Head(string[] rows) => Array.FindIndex(rows, r => r.Contains("delay", StringComparison.Ordinal));

    static bool HasRow(string[] rows, int head) => rows.Length > head + 1 && rows[head + 1].Length > 0;

    static async Task ClickAsync(DemoScreen screen, string text)
    {
        var rows = (await screen.Terminal.WaitForAsync(text)).Split('\n');
        var y = Array.FindIndex(rows, r => r.Contains(text, StringComparison.Ordinal));
        await ClickAtAsync(screen, rows[y].IndexOf(text, StringComparison.Ordinal) + 1, y);
    }

    static Task ClickAtAsync(DemoScreen screen, int x, int y) => screen.Terminal.SendAsync(Click(x, y));

    // Counted from 1.
    static string Click(int x, int y) => FormattableString.Invariant($"\e[<0;{x + 1};{y + 1}M\e[<0;{x + 1};{y + 1}m");
}
