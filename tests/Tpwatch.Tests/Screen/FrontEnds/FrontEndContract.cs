using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Tests.Screen.FrontEnds;

/// <summary>A front end that runs, as its user sees it.</summary>
interface IFrontEndRun : IAsyncDisposable
{
    /// <summary>Presses a key.</summary>
    Task PressAsync(KeyPress key);

    /// <summary>Makes the screen another size.</summary>
    Task ResizeAsync(int width, int height);

    /// <summary>What the screen shows.</summary>
    Task<CellGrid> ScreenAsync();

    /// <summary>What was put on the clipboard so far.</summary>
    Task<string> ClipsAsync();

    /// <summary>Asks it to end from outside, as a signal does.</summary>
    Task StopAsync();

    /// <summary>What it returned, or the text of what it threw.</summary>
    Task<string> EndAsync();
}

/// <summary>What every front end owes to the app above it and to the person before it.</summary>
public abstract class FrontEndContract
{
    const int Limit = 30_000;

    static readonly (string Name, KeyPress Press)[] Keys =
    [
        ("a", KeyPress.Of('a')), ("Z", KeyPress.Of('Z')), ("/", KeyPress.Of('/')),
        ("é", KeyPress.Of('é')), ("enter", KeyPress.Of(Key.Enter)),
        ("escape", KeyPress.Of(Key.Escape)), ("tab", KeyPress.Of(Key.Tab)),
        ("backspace", KeyPress.Of(Key.Backspace)), ("up", KeyPress.Of(Key.Up)),
        ("down", KeyPress.Of(Key.Down)), ("left", KeyPress.Of(Key.Left)),
        ("right", KeyPress.Of(Key.Right)), ("pageup", KeyPress.Of(Key.PageUp)),
        ("pagedown", KeyPress.Of(Key.PageDown)), ("ctrl+a", KeyPress.WithCtrl('a')), ("F5", KeyPress.Of(Key.F5)),
    ];

    /// <summary>Starts the front end with a new <see cref="ContractApp"/>.</summary>
    internal abstract Task<IFrontEndRun> StartAsync(int width, int height);

    [Fact(Timeout = Limit)]
    public async Task The_first_frame_fills_the_screen_with_its_looks()
    {
        await using var run = await StartAsync(100, 30);
        var screen = await WaitAsync(run, "size 100x30");
        Assert.StartsWith("red", screen.Row(29), StringComparison.Ordinal);
        Assert.Equal(ContractApp.Red, screen[0, 29].Style);
        Assert.Equal(Style.Plain, screen[0, 0].Style);
    }

    [Fact(Timeout = Limit)]
    public async Task Every_key_arrives_once_and_in_its_order()
    {
        await using var run = await StartAsync(160, 10);
        await WaitAsync(run, "size 160x10");
        for (var i = 0; i < Keys.Length; i++)
        {
            await run.PressAsync(Keys[i].Press);
            await WaitAsync(run, "keys " + string.Join(' ', Keys[..(i + 1)].Select(k => k.Name)) + "  ");
        }
    }

    [Fact(Timeout = Limit)]
    public async Task Another_size_is_a_whole_frame_of_that_size()
    {
        await using var run = await StartAsync(100, 30);
        await WaitAsync(run, "size 100x30");
        foreach (var (width, height) in ((int, int)[])[(40, 10), (200, 50), (80, 24)])
        {
            await run.ResizeAsync(width, height);
            var screen = await WaitAsync(run, FormattableString.Invariant($"size {width}x{height}"));
            Assert.StartsWith("red", screen.Row(height - 1), StringComparison.Ordinal);
        }
    }

    [Fact(Timeout = Limit)]
    public async Task News_is_drawn_by_itself_and_nothing_else_is()
    {
        await using var run = await StartAsync(80, 24);
        var drawn = Renders(await WaitAsync(run, "size 80x24"));
        await run.PressAsync(KeyPress.Of('i'));
        await run.PressAsync(KeyPress.Of('n'));
        Assert.Equal(drawn + 1, Renders(await WaitAsync(run, "news 1")));
    }

    [Fact(Timeout = Limit)]
    public async Task A_copied_text_reaches_the_terminal_once()
    {
        await using var run = await StartAsync(80, 24);
        await WaitAsync(run, "size 80x24");
        await run.PressAsync(KeyPress.Of('y'));
        await run.PressAsync(KeyPress.Of('a'));
        await WaitAsync(run, "keys a");
        Assert.Equal("copied", await run.ClipsAsync());
    }

    [Fact(Timeout = Limit)]
    public async Task A_key_that_quits_is_an_orderly_end()
    {
        await using var run = await StartAsync(80, 24);
        await WaitAsync(run, "size 80x24");
        await run.PressAsync(KeyPress.Of('q'));
        Assert.Equal("0", await run.EndAsync());
    }

    [Fact(Timeout = Limit)]
    public async Task To_be_stopped_is_an_orderly_end()
    {
        await using var run = await StartAsync(80, 24);
        await WaitAsync(run, "size 80x24");
        await run.StopAsync();
        Assert.Equal("0", await run.EndAsync());
    }

    [Fact(Timeout = Limit)]
    public async Task A_failure_of_the_app_comes_out()
    {
        await using var run = await StartAsync(80, 24);
        await WaitAsync(run, "size 80x24");
        await run.PressAsync(KeyPress.Of('!'));
        Assert.Contains("the app failed", await run.EndAsync(), StringComparison.Ordinal);
    }

    static int Renders(CellGrid screen) => int.Parse(screen.Row(2).Split(' ')[1], System.Globalization.CultureInfo.InvariantCulture);

    static async Task<CellGrid> WaitAsync(IFrontEndRun run, string text)
    {
        var start = TimeProvider.System.GetTimestamp();
        while (true)
        {
            var screen = await run.ScreenAsync();
            if (screen.ToString().Contains(text, StringComparison.Ordinal))
            {
                return screen;
            }

            Assert.True(TimeProvider.System.GetElapsedTime(start).TotalSeconds < 10, $"waited 10 s for \"{text}\"; there is:\n{screen}");
            await Task.Delay(2, TestContext.Current.CancellationToken);
        }
    }
}
