using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>
/// The views with their keys in one row; the one that is shown stands in brackets, how much there is to see in parentheses. The library's
/// own tabs take three rows and leave parts of a title behind when it gets shorter (2.5.0).
/// </summary>
static class TabStrip
{
    /// <summary>From the longest to the shortest; the first that fits is written.</summary>
    static readonly ImmutableArray<Spelling> Spellings =
    [
        new(p => p.TabName, AllCounts: true, OfAll: true), new(p => p.TabName, AllCounts: true, OfAll: false),
        new(p => p.TabName, AllCounts: false, OfAll: true), new(p => p.TabName, AllCounts: false, OfAll: false),
        new(p => p.Brief, AllCounts: true, OfAll: false), new(p => p.Brief, AllCounts: false, OfAll: false),
    ];

    /// <summary>The tabs for a width; a click shows a view.</summary>
    public static IEnumerable<ClickPart> Of(IReadOnlyList<Page> pages, Scene scene, int width, Action<ViewName> show)
    {
        var spelled = Spellings.Select(s => pages.Select(p => Tab(p, scene, s)).ToArray()).ToList();
        var fitting = spelled.FirstOrDefault(tabs => tabs.Sum(t => t.Length) <= width) ?? spelled[^1];
        var between = fitting.Sum(t => t.Length + 1) <= width ? 1 : 0;
        var x = 0;
        foreach (var (page, text) in pages.Zip(fitting))
        {
            yield return new(x, text, page.Name == scene.State.View ? Role.Title : Role.Text, () => show(page.Name));
            x += text.Length + between;
        }
    }

    static string Tab(Page page, Scene scene, Spelling spelling)
    {
        var shown = page.Name == scene.State.View;
        var count = !shown && page.Alert(scene) is { Length: > 0 } alert ? (spelling.OfAll ? $"{page.Count(scene)}, {alert}" : alert)
            : spelling.AllCounts ? page.Count(scene) : "";
        var text = FormattableString.Invariant($"{(int)page.Name + 1} {spelling.Name(page)}{(count.Length > 0 ? $" ({count})" : "")}");
        return shown ? $"[{text}]" : $" {text} ";
    }

    /// <param name="Name">What a view is called.</param>
    /// <param name="AllCounts">Whether counts are told of views that have nothing to act on.</param>
    /// <param name="OfAll">Whether a view that has something new says also how much there is in all.</param>
    sealed record Spelling(Func<Page, string> Name, bool AllCounts, bool OfAll);
}
