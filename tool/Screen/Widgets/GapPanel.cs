using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Widgets;

/// <summary>
/// The selected wait, or the newest: observed, allowed, why; below it what was found, and between
/// them the gate's ticks as far as there is room.
/// </summary>
sealed class GapPanel(Pane pane, Scene scene)
{
    /// <summary>From so many rows on findings get a title of their own.</summary>
    const int RoomForTitle = 6;

    /// <summary>More of the headline would crowd out the ticks.</summary>
    const int LongestHeadline = 3;

    readonly int width = pane.Width - 2;

    public static void Draw(Pane pane, Scene scene) => new GapPanel(pane, scene).Draw();

    void Draw()
    {
        var gap = scene.State.Selected is null ? scene.Events.LastOrDefault() : scene.Selected;
        Title(0, Heading(gap));
        var titled = pane.Height > RoomForTitle ? 1 : 0;
        var room = pane.Height - 1 - titled;
        var above = Above(gap, Math.Max(1, room - 1)).ToList();
        var below = Below(room - above.Count);
        var ticks = gap is null
            ? []
            : GapText.Ticks(gap).TakeLast(room - above.Count - below.Count).Select(t => (TextFit.Cut(t, width), Role.Faint));
        Put(1, above.Concat(ticks));
        if (titled > 0)
        {
            Title(pane.Height - below.Count - 1, scene.Report.Findings.IsEmpty ? "in short" : "findings");
        }

        Put(pane.Height - below.Count, below);
    }

    string Heading(Gap? gap) => (scene.State.Selected, gap) switch
    {
        (null, null) => "no event yet",
        (null, _) => FormattableString.Invariant($"newest event: #{gap.Number}"),
        ({ } number, null) => FormattableString.Invariant($"selected: #{number}, no longer kept"),
        _ => FormattableString.Invariant($"selected: {(GapMark.IsInjection(gap) ? "injection" : "event")} #{gap.Number}"),
    };

    IEnumerable<(string Text, Role Role)> Above(Gap? gap, int rows)
    {
        if (gap is null)
        {
            return TextFit.Wrap(NoGap(), width, rows).Select(l => (l, Role.Text));
        }

        var role = GapMark.Of(gap).Role is Role.Starvation or Role.Blocking ? Role.Title : Role.Text;
        return TextFit.Wrap(gap.Because, width, rows - 1).Select(l => (l, Role.Text)).Prepend((GapText.Facts(gap, scene, width), role));
    }

    string NoGap() => scene.State.Selected is not null
        ? "It was forgotten to stay within bounds. Press f for the newest."
        : "The target has not changed its number of workers since the attach. A mark appears here when the pool adds or removes one. "
            + "Nothing after a minute under load? i says what arrives.";

    List<(string Text, Role Role)> Below(int rows)
    {
        var report = scene.Report;
        return report.Findings.IsEmpty
            ? [.. TextFit.Wrap(report.Headline, width, Math.Clamp(rows, 0, LongestHeadline)).Select(l => (l, Role.Text))]
            : [.. report.Findings.OrderByDescending(f => f.Id == scene.State.Rule)
                .ThenByDescending(f => f.Severity).Take(Math.Max(0, rows)).Select(Finding)];
    }

    (string Text, Role Role) Finding(Finding finding)
    {
        var mark = finding.Id == scene.State.Rule ? '>' : finding.Severity == Severity.Note ? ' ' : '!';
        return (TextFit.Cut($"{mark} {finding.Id} {finding.Headline}", width),
            finding.Severity == Severity.Serious ? Role.Starvation : Role.Text);
    }

    void Put(int y, IEnumerable<(string Text, Role Role)> lines)
    {
        foreach (var (text, role) in lines)
        {
            pane.Put(1, y++, text, role);
        }
    }

    void Title(int y, string text)
    {
        pane.Rows(y, 1).Fill(0, pane.Glyphs.Rule, Role.Faint);
        pane.Put(1, y, $" {text} ", Role.Title);
    }
}
