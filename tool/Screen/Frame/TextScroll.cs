using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Frame;

/// <summary>Text that is longer than the screen: where there is some, and how far it scrolls.</summary>
static class TextScroll
{
    /// <summary>Whether a text lies over the view.</summary>
    public static bool Lies(ViewState state) => state.IsCovered;

    /// <summary>What keys still do where a text lies over the view.</summary>
    public static bool IsForText(UiAction action) =>
        action is UiAction.Help or UiAction.Peel or UiAction.PageUp or UiAction.PageDown
            or UiAction.RowUp or UiAction.RowDown or UiAction.First or UiAction.Last or UiAction.SelfCheck or UiAction.Loss
            or UiAction.NextView or (>= UiAction.ShowOverview and <= UiAction.ShowFindings);

    /// <summary>Whether a page is one of text; everywhere else it is one of time or of rows.</summary>
    public static bool HasText(ViewState state) =>
        Lies(state) || state is { Detail: true } or { View: ViewName.Findings or ViewName.Stacks or ViewName.Latency };

    /// <summary>Whether there is nothing but text: no row is under a cursor.</summary>
    public static bool IsAllText(ViewState state) => Lies(state) || state is { Detail: true } or { View: ViewName.Latency };

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
