using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

/// <summary>The screen under a script, for tests that read like what a user does.</summary>
sealed class ScreenScript
{
    readonly List<Action<HeadlessScreen>> steps = [];
    readonly (int Width, int Height) size;
    PoolReport? report;
    Notice? notice;
    ScreenCalls links = new() { Save = (saved, _) => $"Saved {saved.InjectionDelays.Length} gaps." };

    ScreenScript(PoolReport? report, int width, int height) => (this.report, size) = (report, (width, height));

    public static ScreenScript Of(PoolReport? report, int width, int height) => new(report, width, height);

    /// <summary>With somebody to ask.</summary>
    public ScreenScript With(ScreenCalls asked)
    {
        links = asked;
        return this;
    }

    public ScreenScript Resize(int width, int height) => Then(s => s.Resize(width, height));

    public ScreenScript Press(params string[] keys) => Then(s =>
    {
        foreach (var key in keys.TakeWhile(_ => !s.HasQuit))
        {
            s.Press(key);
        }
    });

    /// <summary>Types a text, a key a character.</summary>
    public ScreenScript Type(string text) => Press([.. text.Select(c => c == ' ' ? "space" : c.ToString())]);

    /// <summary>Clicks on the first place where a text stands.</summary>
    public ScreenScript Click(string text, bool twice = false) => Then(s =>
    {
        var (x, y) = Place(s.Shown, text);
        s.Click(x, y, twice);
    });

    /// <summary>Clicks on a cell.</summary>
    public ScreenScript Click(int x, int y) => Then(s => s.Click(x, y));

    /// <summary>Turns the wheel over a cell.</summary>
    public ScreenScript Wheel(int x, int y, bool up) => Then(s => s.Wheel(x, y, up));

    /// <summary>Drags along a row.</summary>
    public ScreenScript Drag(int fromX, int toX, int y) => Then(s => s.Drag(fromX, toX, y));

    public ScreenScript Arrives(PoolReport next) => Then(s =>
    {
        report = next;
        s.Tick();
    });

    public ScreenScript Says(string? word, string text = "") => Then(s =>
    {
        notice = word is null ? null : new(word, text);
        s.Tick();
    });

    public ScreenScript Ticks(int times) => Then(s =>
    {
        for (var i = 0; i < times; i++)
        {
            s.Tick();
        }
    });

    public ScreenScript Expect(string text) => Then(s => Assert.Contains(text, s.Shown.ToString(), StringComparison.Ordinal));

    public ScreenScript ExpectNot(string text) => Then(s => Assert.DoesNotContain(text, s.Shown.ToString(), StringComparison.Ordinal));

    public ScreenScript Check(Action<HeadlessScreen> check) => Then(check);

    /// <summary>Runs it; what became of the screen, which can still be asked.</summary>
    public HeadlessScreen Run()
    {
        using var screen = HeadlessScreen.Of(
            () => report, () => notice, links, new Look(Theme.Dark, GlyphSet.Braille), size.Width, size.Height);
        foreach (var step in steps)
        {
            step(screen);
        }

        return screen;
    }

    static (int X, int Y) Place(CellGrid grid, string text)
    {
        var y = Enumerable.Range(0, grid.Height).First(r => grid.Row(r).Contains(text, StringComparison.Ordinal));
        return (grid.Row(y).IndexOf(text, StringComparison.Ordinal), y);
    }

    ScreenScript Then(Action<HeadlessScreen> step)
    {
        steps.Add(step);
        return this;
    }
}
