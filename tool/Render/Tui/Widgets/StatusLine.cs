using Tpwatch.Explain;

namespace Tpwatch.Render.Tui.Widgets;

/// <summary>The judgement and the newest values; or a banner, and of the values what still fits.</summary>
internal static class StatusLine
{
    const int WideScreen = 100;

    public static void Draw(Pane line, Scene scene)
    {
        var right = Right(scene);
        line.PutEndingAt(line.Width - 1, 0, right, Role.Faint);
        var room = line.Width - right.Length - 4;
        var banners = Banner.Of(scene, scene.Window(LaneBox.PlotColumns(line.Width))).ToList();
        var x = banners.Count > 0 ? DrawBanner(line, banners, room) : DrawVerdict(line, scene.Report);
        var texts = line.Width >= WideScreen && banners.Count == 0 ? LevelTexts.Long(scene.Timeline.Levels) : LevelTexts.Short(scene.Timeline.Levels);
        line.Put(x + 2, 0, Words.Fit(texts, room - x));
    }

    /// <summary>How long items waited, and whether it is over; nothing where nothing waited.</summary>
    public static string HowLong(PoolReport report) => !VerdictWords.IsTrouble(report.Verdict) || report.StarvedMs <= 0 ? ""
        : $" {Format.Duration(report.StarvedMs)}{(report.IsNow ? "" : ", over")}";

    static int DrawVerdict(Pane line, PoolReport report)
    {
        var trouble = VerdictWords.IsTrouble(report.Verdict);
        var role = !trouble ? Role.Title : report.IsNow ? Role.Alarm : Role.Starvation;
        var end = line.Put(1, 0, VerdictWords.Of(report.Verdict), role);
        return line.Put(end, 0, HowLong(report).PadRight(trouble ? 13 : 1));
    }

    static int DrawBanner(Pane line, List<Banner> banners, int room)
    {
        var x = line.Put(1, 0, banners[0].Word, banners[0].Role) + 1;
        var more = banners.Count > 1 ? $" +{banners.Count - 1}" : "";
        return line.Put(x, 0, Words.Cut(banners[0].Text, room - x - more.Length) + more);
    }

    static string Right(Scene scene)
    {
        var window = scene.Window(LaneBox.RightGutter);
        var where = scene.State.Follows ? "follow" : "-" + Format.Clock(Math.Max(0, scene.Timeline.Now.MsSince(window.To)));
        return $"{where}  {Format.Seconds(scene.State.ScaleMs)}/col";
    }
}
