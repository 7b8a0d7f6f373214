using Tpwatch.Render.Shared;
using Tpwatch.Reporting;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Lanes;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Bars;

/// <summary>Verdict, cause and what to do; or a banner behind the verdict.</summary>
static class StatusLine
{
    public static void Draw(Pane line, Scene scene)
    {
        var banners = Banner.Of(scene, scene.Window(LaneBox.PlotColumns(line.Width))).ToList();
        if (banners.Count > 0)
        {
            var word = line.Put(1, 0, banners[0].Word, banners[0].Role) + 2;
            DrawBanner(line, banners, DrawVerdict(line, scene.Report, word));
            return;
        }

        var x = DrawVerdict(line, scene.Report, 1);
        var text = VerdictLine.Of(scene).First(t => t.Length == 0 || x + 2 + t.Length < line.Width);
        if (text.Length > 0)
        {
            line.Put(x, 0, $": {text}");
        }
    }

    /// <summary>
    /// How long items waited, and whether it is over; of compensation, since when;
    /// a target that goes up and down adds up to nothing. Nothing where nothing waited.
    /// </summary>
    public static string HowLong(PoolReport report) => report.Verdict == Verdict.Compensated ? Compensation(report)
        : !report.Verdict.IsTrouble() || report.StarvedMs <= 0 ? ""
        : report.IsNow ? $" {Format.Duration(report.StarvedMs)}" : $" for {Format.Duration(report.StarvedMs)}, over";

    static string Compensation(PoolReport report)
    {
        var first = report.Gaps.FirstOrDefault(g => g.Reason == AdjustmentReason.CooperativeBlocking && GapMark.IsInjection(g));
        return first is null || Onset.IsAtTheStart(report.Timeline, first.End) ? ""
            : $" since {Format.Clock(first.End.MsSince(report.Timeline.Start), tenths: true)}";
    }

    static int DrawVerdict(Pane line, PoolReport report, int x)
    {
        var trouble = report.Verdict.IsTrouble();
        var role = !trouble ? Role.Title : report.IsNow ? Role.Alarm : Role.Starvation;
        return line.Put(line.Put(x, 0, VerdictWords.Of(report.Verdict), role), 0, HowLong(report));
    }

    static void DrawBanner(Pane line, List<Banner> banners, int x)
    {
        var more = banners.Count > 1 ? $" +{banners.Count - 1}" : "";
        line.Put(x + 2, 0, TextFit.Whole(banners[0].Text, line.Width - x - 3 - more.Length) + more);
    }
}
