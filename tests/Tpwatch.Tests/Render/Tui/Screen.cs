using System.Text;
using Tpwatch.Explain;
using Tpwatch.Render.Tui;
using Xunit;

namespace Tpwatch.Tests.Render.Tui;

/// <summary>The app under a script, for tests that read like what a user does.</summary>
internal sealed class Screen
{
    static readonly Dictionary<string, Key> Names = new()
    {
        ["left"] = Key.Left, ["right"] = Key.Right, ["esc"] = Key.Escape, ["F5"] = Key.F5, ["enter"] = Key.Enter, ["tab"] = Key.Tab, ["up"] = Key.Up,
        ["down"] = Key.Down, ["home"] = Key.Home, ["end"] = Key.End, ["pgup"] = Key.PageUp, ["pgdn"] = Key.PageDown, ["back"] = Key.Backspace,
    };

    readonly List<Action<ScriptFrontEnd>> steps = [];
    PoolReport? report;
    string? notice;
    ScreenLinks links = new();

    Screen(PoolReport? report) => this.report = report;

    public static Screen Of(PoolReport? report, int width, int height) => new Screen(report).Resize(width, height);

    /// <summary>With somebody to ask.</summary>
    public Screen With(ScreenLinks asked)
    {
        links = asked;
        return this;
    }

    public Screen Resize(int width, int height) => Then(f => f.Resize(width, height));

    public Screen Press(params string[] keys)
    {
        foreach (var key in keys)
        {
            Then(f => f.Press(ToPress(key)));
        }

        return this;
    }

    /// <summary>Types a text, a key a character.</summary>
    public Screen Type(string text) => Press([.. text.Select(c => c == ' ' ? "space" : c.ToString())]);

    public Screen Arrives(PoolReport next) => Then(f => Update(f, () => report = next));

    public Screen Says(string? banner) => Then(f => Update(f, () => notice = banner));

    public Screen Ticks(int times) => Then(f =>
    {
        for (var i = 0; i < times; i++)
        {
            f.Tick();
        }
    });

    public Screen Expect(string text) => Check(f => Assert.Contains(text, f.Frames[^1].ToString(), StringComparison.Ordinal));

    public Screen ExpectNot(string text) => Check(f => Assert.DoesNotContain(text, f.Frames[^1].ToString(), StringComparison.Ordinal));

    public Screen Check(Action<ScriptFrontEnd> check) => Then(check);

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

    Screen Then(Action<ScriptFrontEnd> step)
    {
        steps.Add(step);
        return this;
    }
}
