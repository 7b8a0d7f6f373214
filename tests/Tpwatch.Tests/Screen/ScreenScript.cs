using System.Text;
using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.FrontEnds;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Tests.Screen;

/// <summary>The app under a script, for tests that read like what a user does.</summary>
sealed class ScreenScript
{
    static readonly Dictionary<string, Key> Names = new()
    {
        ["left"] = Key.Left, ["right"] = Key.Right, ["esc"] = Key.Escape,
        ["F5"] = Key.F5, ["enter"] = Key.Enter, ["tab"] = Key.Tab, ["up"] = Key.Up,
        ["down"] = Key.Down, ["home"] = Key.Home, ["end"] = Key.End,
        ["pgup"] = Key.PageUp, ["pgdn"] = Key.PageDown, ["back"] = Key.Backspace,
    };

    readonly List<Action<ScriptFrontEnd>> steps = [];
    PoolReport? report;
    string? notice;
    ScreenLinks links = new();

    ScreenScript(PoolReport? report) => this.report = report;

    public static ScreenScript Of(PoolReport? report, int width, int height) => new ScreenScript(report).Resize(width, height);

    /// <summary>With somebody to ask.</summary>
    public ScreenScript With(ScreenLinks asked)
    {
        links = asked;
        return this;
    }

    public ScreenScript Resize(int width, int height) => Then(f => f.Resize(width, height));

    public ScreenScript Press(params string[] keys)
    {
        foreach (var key in keys)
        {
            Then(f => f.Press(ToPress(key)));
        }

        return this;
    }

    /// <summary>Types a text, a key a character.</summary>
    public ScreenScript Type(string text) => Press([.. text.Select(c => c == ' ' ? "space" : c.ToString())]);

    public ScreenScript Arrives(PoolReport next) => Then(f => Update(f, () => report = next));

    public ScreenScript Says(string? banner) => Then(f => Update(f, () => notice = banner));

    public ScreenScript Ticks(int times) => Then(f =>
    {
        for (var i = 0; i < times; i++)
        {
            f.Tick();
        }
    });

    public ScreenScript Expect(string text) => Check(f => Assert.Contains(text, f.Frames[^1].ToString(), StringComparison.Ordinal));

    public ScreenScript ExpectNot(string text) =>
        Check(f => Assert.DoesNotContain(text, f.Frames[^1].ToString(), StringComparison.Ordinal));

    public ScreenScript Check(Action<ScriptFrontEnd> check) => Then(check);

    public ScriptFrontEnd Run()
    {
        var front = new ScriptFrontEnd(steps);
        var app = new UiApp(() => report, () => notice, new Look(Theme.Dark, GlyphSet.Braille))
        {
            Save = saved => $"Saved {saved.Gaps.Length} gaps.", Links = links,
            Beside = AtOnce,
        };
        front.Run(app, new FrontEndOptions(), CancellationToken.None);
        return front;
    }

    public static KeyPress ToPress(string key) => key switch
    {
        _ when Names.TryGetValue(key, out var named) => KeyPress.Of(named),
        _ when key.StartsWith("ctrl+", StringComparison.Ordinal) => KeyPress.WithCtrl(key[^1]),
        "space" => KeyPress.Of(' '),
        _ => new KeyPress(Key.Char, Rune.GetRuneAt(key, 0), false, false, false),
    };

    static Task AtOnce(Action action)
    {
        action();
        return Task.CompletedTask;
    }

    static void Update(ScriptFrontEnd front, Action change)
    {
        change();
        front.Tick();
    }

    ScreenScript Then(Action<ScriptFrontEnd> step)
    {
        steps.Add(step);
        return this;
    }
}
