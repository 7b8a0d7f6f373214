using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Lanes;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Bars;

/// <summary>The judgement and the newest values; or a banner, and of the values what still fits.</summary>
static class StatusLine
{
    const int WideScreen = 100;

    /// <summary>With fewer columns a second moment would push out the newest values.</summary>
    const int RoomForBoth = 120;

    /// <summary>Where <c>STARVED 11.1 s, over</c> ends: what follows keeps its place while the number grows.</summary>
    const int LongVerdict = 21;

    public static void Draw(Pane line, Scene scene)
    {
        var right = Right(scene);
        line.PutEndingAt(line.Width - 1, 0, right, Role.Faint);
        var room = line.Width - right.Length - 4;
        var banners = Banner.Of(scene, scene.Window(LaneBox.PlotColumns(line.Width))).ToList();
        var x = banners.Count > 0
            ? DrawBanner(line, banners, DrawVerdict(line, scene.Report, DrawWord(line, banners[0])), room)
            : DrawCountdown(line, scene, Math.Max(DrawVerdict(line, scene.Report, 1), LongVerdict));
        var texts = line.Width >= WideScreen && banners.Count == 0
            ? LevelTexts.Long(scene.Timeline.Levels)
            : LevelTexts.Short(scene.Timeline.Levels);
        line.Put(x + 2, 0, TextFit.Fit(texts, room - x));
    }

    /// <summary>
    /// How long items waited, and whether it is over; of compensation, how much and since when; nothing where nothing waited.
    /// </summary>
    public static string HowLong(PoolReport report) => report.Verdict == Verdict.Compensated ? Compensation(report)
        : !report.Verdict.IsTrouble() || report.StarvedMs <= 0 ? ""
        : $" {Format.Duration(report.StarvedMs)}{(report.IsNow ? "" : ", over")}";

    static string Compensation(PoolReport report)
    {
        var steps = report.Gaps.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && GapMark.IsInjection(g)).ToList();
        var workers = steps.Sum(g => (g.GoalAfter - g.GoalBefore) ?? 0);
        return steps.Count == 0 ? ""
            : FormattableString.Invariant($" +{workers} since {Format.Clock(steps[0].End.MsSince(report.Timeline.Start), tenths: true)}");
    }

    static int DrawVerdict(Pane line, PoolReport report, int x)
    {
        var trouble = report.Verdict.IsTrouble();
        var role = !trouble ? Role.Title : report.IsNow ? Role.Alarm : Role.Starvation;
        return line.Put(line.Put(x, 0, VerdictWords.Of(report.Verdict), role), 0, HowLong(report));
    }

    static int DrawCountdown(Pane line, Scene scene, int x) =>
        Countdown.Of(scene.Report, line.Width < RoomForBoth, scene.State.AheadMs) is { Length: > 0 } text
            ? line.Put(x + 1, 0, text, Role.Title)
            : x;

    static int DrawWord(Pane line, Banner banner) => line.Put(1, 0, banner.Word, banner.Role) + 2;

    static int DrawBanner(Pane line, List<Banner> banners, int x, int room)
    {
        var more = banners.Count > 1 ? $" +{banners.Count - 1}" : "";
        return line.Put(x + 2, 0, TextFit.Cut(banners[0].Text, room - x - more.Length) + more);
    }

    static string Right(Scene scene)
    {
        var window = scene.Window(LaneBox.RightGutter);
        var where = scene.State is { Follows: true, Freeze: not null }
            ? "frozen"
            : scene.State.Follows ? "follow"
            : "-" + Format.Clock(Math.Max(0, scene.Timeline.Now.MsSince(window.To)));
        return $"{where}  {Format.Seconds(scene.State.ScaleMs)}/col";
    }
}
