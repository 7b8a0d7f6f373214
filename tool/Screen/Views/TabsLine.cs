using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>The views with their keys; the one that is shown stands in brackets, how much there is to see in parentheses.</summary>
static class TabsLine
{
    /// <summary>From the longest to the shortest; the first that fits is written.</summary>
    static readonly ImmutableArray<Wording> Wordings =
    [
        new(v => v.Title, AllCounts: true, OfAll: true), new(v => v.Title, AllCounts: true, OfAll: false),
        new(v => v.Title, AllCounts: false, OfAll: true), new(v => v.Title, AllCounts: false, OfAll: false),
        new(v => v.Brief, AllCounts: true, OfAll: false), new(v => v.Brief, AllCounts: false, OfAll: false),
    ];

    public static void Draw(Pane line, Scene scene)
    {
        var fitting = Wordings.Select(w => Tabs(scene, w)).FirstOrDefault(of => of.Sum(t => t.Text.Length) <= line.Width)
            ?? Tabs(scene, Wordings[^1]);
        var between = fitting.Sum(t => t.Text.Length + 1) <= line.Width ? 1 : 0;
        var x = 0;
        foreach (var (text, role) in fitting)
        {
            x = line.Put(x, 0, text, role) + between;
        }
    }

    static (string Text, Role Role)[] Tabs(Scene scene, Wording wording) =>
        [.. AllViews.InOrder.Select(view => Tab(view, scene, wording))];

    static (string Text, Role Role) Tab(IView view, Scene scene, Wording wording)
    {
        var shown = view.Name == scene.State.View;
        var count = !shown && view.Alert(scene) is { Length: > 0 } alert ? (wording.OfAll ? $"{view.Count(scene)}, {alert}" : alert)
            : wording.AllCounts ? view.Count(scene) : "";
        var text = FormattableString.Invariant($"{(int)view.Name + 1} {wording.Name(view)}{(count.Length > 0 ? $" ({count})" : "")}");
        return shown ? ($"[{text}]", Role.Title) : ($" {text} ", Role.Text);
    }

    /// <param name="Name">What a view is called.</param>
    /// <param name="AllCounts">Whether counts are told of views that have nothing to act on.</param>
    /// <param name="OfAll">Whether a view that has something new says also how much there is in all.</param>
    sealed record Wording(Func<IView, string> Name, bool AllCounts, bool OfAll);
}
