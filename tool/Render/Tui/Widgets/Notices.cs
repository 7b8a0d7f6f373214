namespace Tpwatch.Render.Tui.Widgets;

/// <summary>What is shown instead of a view.</summary>
internal static class Notices
{
    public static void TooSmall(Pane pane, Scene scene)
    {
        var report = scene.Report;
        pane.Put(0, 0, FormattableString.Invariant($"tpwatch needs {Frame.MinWidth}x{Frame.MinHeight}"), Role.Title);
        pane.Put(0, 1, FormattableString.Invariant($"now {pane.Width}x{pane.Height}: enlarge"));
        pane.Put(0, 2, Words.Fit(LevelTexts.Short(scene.Timeline.Levels), pane.Width));
        pane.Put(0, 3, $"{VerdictWords.Of(report.Verdict)}{StatusLine.HowLong(report)}  q quit");
    }

    public static void Waiting(Pane pane)
    {
        pane.Put(1, 0, "tpwatch", Role.Title);
        pane.Put(1, 2, "Attached. Waiting for the first event of the target.");
        pane.Put(1, 3, "It comes with the first heartbeat, after a second or two.");
        pane.Put(1, 5, "q quits and leaves the target untouched.", Role.Faint);
    }
}
