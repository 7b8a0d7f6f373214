using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Frame;

/// <summary>Text that is longer than the screen: where there is some, and how far it scrolls.</summary>
static class TextScroll
{
    /// <summary>Whether a text lies over the view.</summary>
    public static bool Lies(ViewState state) => state.Help || state.Info != InfoText.None;

    /// <summary>Whether a page is one of text; everywhere else it is one of time or of rows.</summary>
    public static bool HasText(ViewState state) =>
        Lies(state) || state is { Detail: true } or { View: ViewName.Findings or ViewName.Stacks or ViewName.Latency };

    /// <summary>Down by so many lines, but not beyond the end: there the picture does not change any more.</summary>
    public static ViewState Down(ViewState state, int lines, Func<ViewState, CellGrid> picture)
    {
        var best = state;
        for (var i = 1; i <= lines; i++)
        {
            var next = state with { Scroll = state.Scroll + i };
            if (picture(best).SameAs(picture(next)))
            {
                break;
            }

            best = next;
        }

        return best;
    }
}
