using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Lanes;
using Tpwatch.Screen.Lists;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Views;

/// <summary>Every decision and wait as a row, and the one under the cursor drawn: observed, what the gate read, allowed, and why.</summary>
sealed class InjectionsView : IView
{
    /// <summary>From here on the drawing stands beside the list, not beneath.</summary>
    const int WideScreen = 140;

    const int DrawingColumns = 60;

    /// <summary>At the right of the summary stands which rows are seen.</summary>
    const int RangeColumns = 14;

    /// <summary>Names of the columns and three rows: less is no list.</summary>
    const int LeastList = 4;

    /// <summary>Drawing with its title, and three lines of why.</summary>
    const int FullDrawing = 12;

    public ViewName Name => ViewName.Injections;
    public string Title => "Injections";
    public string Brief => "Inj";

    public string Count(Scene scene) => Injected.Count(scene.Report);

    public void Draw(Pane pane, Scene scene)
    {
        var rows = GapRows.Of(scene);
        var cursor = GapRows.Cursor(rows, scene);
        var gap = cursor < 0 ? null : rows[cursor];
        pane.Put(1, 0, TextFit.Fit(Summary(scene, rows.Length), pane.Width - 2 - RangeColumns));
        var rest = pane.Rows(1, pane.Height - 1);
        if (gap is null)
        {
            var nothing = scene.Events.IsEmpty
                ? "No event yet: the pool has not changed its target thread count since the capture began."
                : "No row matches. esc shows all rows.";
            TextBlock.Draw(
                rest.Rows(1, rest.Height - 1), [.. TextFit.Wrap(nothing, rest.Width - 2, 3).Select(l => new TextLine(l))], 0);
        }
        else if (scene.State.Detail)
        {
            GapDetail.Draw(rest, scene, gap);
        }
        else
        {
            var wide = pane.Width >= WideScreen;
            var list = wide
                ? rest.Height
                : Math.Max(LeastList, Math.Min(rows.Length + 1, Math.Max(rest.Height - FullDrawing, rest.Height / 3)));
            var shown = GapTable.Draw(wide ? rest.Columns(0, pane.Width - DrawingColumns - 1) : rest.Rows(0, list), scene, rows, cursor);
            pane.PutEndingAt(pane.Width - 1, 0, shown, Role.Faint);
            GapDetail.Draw(
                wide ? rest.Columns(pane.Width - DrawingColumns, DrawingColumns) : rest.Rows(list, rest.Height - list), scene, gap);
        }
    }

    static IEnumerable<string> Summary(Scene scene, int shown)
    {
        var events = scene.Events;
        var reasons = GapMark.Reasons.Select(r => (r.Mark.Letter, Count: events.Count(g => g.Reason == r.Reason))).Where(r => r.Count > 0);
        var counts = string.Join(' ', reasons.Select(r => $"{r.Letter}{Format.Brief(r.Count)}"));
        yield return $"{Format.Plural(events.Length, "row")}  {counts}".TrimEnd();
        var list = scene.State.List;
        var narrowed = string.Join(
            " /", new[] { list.Verdicts == VerdictChoice.All ? "" : list.VerdictWord, list.Filter }.Where(w => w.Length > 0));
        yield return list.IsNarrowed ? $"showing {Format.Brief(shown)}: {(list.Verdicts == VerdictChoice.All ? "/" : "")}{narrowed}" : "";
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"as expected {Of(events, GapVerdict.Fits)}  early {Of(events, GapVerdict.Early)}  "
                + $"late {Of(events, GapVerdict.Late)}  unexplained {Of(events, GapVerdict.NoRule)}");
        yield return list.Order == ListOrder.Time ? "" : $"by {(list.Order == ListOrder.Wait ? "delay" : "queue")}";
        yield return scene.Report.Evicted > 0 ? $"{Format.Brief(scene.Report.Evicted)} older discarded" : "";
    }

    static int Of(IEnumerable<Gap> events, GapVerdict verdict) => events.Count(g => g.Verdict == verdict);
}
