using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.Picker;
using Tpwatch.Screen.State;

namespace Tpwatch.Tests.Screen.Picker;

public sealed class PickerAppTests
{
    static readonly Look Look = new(Theme.Dark, GlyphSet.Braille);

    int scans;

    [Fact]
    public async Task What_was_found_is_shown_and_enter_chooses()
    {
        var app = App(() => Task.FromResult<IReadOnlyList<ProcessRow>>(SomeProcesses.Rows));
        Assert.Contains("Looking for .NET processes", app.Render(80, 24).ToString(), StringComparison.Ordinal);
        await TickUntilAsync(app, "41822");
        foreach (var key in (string[])["o", "r", "d"])
        {
            Assert.Equal(Reply.Handled, app.OnKey(ScreenScript.ToPress(key)));
        }

        Assert.Equal(Reply.Quit, app.OnKey(KeyPress.Of(Key.Enter)));
        Assert.Equal(41822, app.Chosen?.Pid);
    }

    [Fact]
    public async Task Nobody_is_chosen_by_q()
    {
        var app = App(() => Task.FromResult<IReadOnlyList<ProcessRow>>(SomeProcesses.Rows));
        await TickUntilAsync(app, "41822");
        Assert.Equal(Reply.Quit, app.OnKey(KeyPress.Of('q')));
        Assert.Null(app.Chosen);
    }

    [Fact]
    public async Task A_second_scan_comes_by_itself_and_F5_makes_another()
    {
        var app = App(() => Task.FromResult<IReadOnlyList<ProcessRow>>(
            [SomeProcesses.Rows[3] with { AgeMs = 10_000 + 1000 * ++scans, ProcessorMs = 50 * scans }]));
        await TickUntilAsync(app, "5%");
        var before = scans;
        Assert.Equal(2, before);
        Assert.Equal(Reply.Redraw, app.OnKey(KeyPress.Of(Key.F5)));
        await TickUntilAsync(app, "13 s");
        Assert.Equal(3, scans);
    }

    [Fact]
    public async Task A_scan_that_fails_says_why()
    {
        var app =
            App(() => throw new ForeseenException("Processes can be listed on Linux only.", "Name it by its id.", ExitCode.Unsupported));
        await TickUntilAsync(app, "Processes can be listed on Linux only. Name it by its id.");
    }

    static PickerApp App(Func<Task<IReadOnlyList<ProcessRow>>> find) => new(find, Look, new SteppingTime());

    /// <summary>A tenth of a second passes between two looks at the clock.</summary>
    sealed class SteppingTime : TimeProvider
    {
        long looks;

        public override long TimestampFrequency => 10;

        public override long GetTimestamp() => looks++;
    }

    // A scan runs beside the screen; it is waited for by looking.
    static async Task TickUntilAsync(PickerApp app, string text)
    {
        for (var looks = 0; looks < 2000; looks++)
        {
            app.Tick();
            if (app.Render(100, 24).ToString().Contains(text, StringComparison.Ordinal))
            {
                return;
            }

            await Task.Delay(1, TestContext.Current.CancellationToken);
        }

        Assert.Fail($"never saw {text}:\n{app.Render(100, 24)}");
    }
}
