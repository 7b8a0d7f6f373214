using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Bars;

/// <summary>The most useful keys that fit, made from the table of bindings.</summary>
static class HintLine
{
    const int Between = 2;

    public static void Draw(Pane line, ViewName view)
    {
        var x = 1;
        foreach (var binding in Fitting(line.Width - 2, view))
        {
            x = line.Put(x, 0, binding.Show, Role.KeyName);
            x = line.Put(x + 1, 0, binding.Hint, Role.Faint) + Between;
        }
    }

    /// <summary>The bindings in their order, the least needed left out until the rest fits.</summary>
    public static IReadOnlyList<Binding> Fitting(int width, ViewName view)
    {
        var shown = Bindings.All.Where(b => b.IsHintedOn(view)).ToList();
        while (shown.Count > 0 && shown.Sum(b => b.Show.Length + 1 + b.Hint.Length + Between) - Between > width)
        {
            shown.Remove(shown.MinBy(b => b.Keep)!);
        }

        return shown;
    }
}
