using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Verdict, cause and what to do; or a banner and the verdict behind it.</summary>
static class StatusLine
{
    const string Between = " | ";

    /// <summary>Less than what a counter sample tells apart, milliseconds.</summary>
    const double WorthTellingMs = 1000;

    public static void Draw(Pane line, Scene scene)
    {
        var banners = Banner.Of(scene, scene.Window(LaneBox.PlotColumns(line.Width))).ToList();
        if (banners.Count > 0)
        {
            DrawBanner(line, banners, scene.Report);
            return;
        }

        var x = DrawVerdict(line, scene.Report, 1, HowLong(scene.Report, Ended(scene.Report)));
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
    public static string HowLong(PoolReport report) => HowLong(report, "ended");

    static string HowLong(PoolReport report, string over) => report.Verdict == Verdict.Compensated ? Compensated(report)
        : !report.Verdict.IsTrouble() || report.StarvedMs <= 0 ? ""
        : report.IsNow ? $" {Lasting(report)}" : $" for {Format.Duration(report.StarvedMs)}, {over}";

    // What was there when the capture began has begun before it. Of trouble that comes and goes, what lasts now is not all there was.
    static string Lasting(PoolReport report)
    {
        if (report.Episodes.LastOrDefault(e => !e.Over) is not { } now)
        {
            return Format.Duration(report.StarvedMs);
        }

        var lasts = report.Timeline.Now.MsSince(now.Span.From);
        return report.StarvedMs - lasts > WorthTellingMs ? $"{Format.Duration(lasts)} ({Format.Duration(report.StarvedMs)} in all)"
            : $"{(Onset.IsSeen(report, now.Span.From) ? "" : "at least ")}{Format.Duration(report.StarvedMs)}";
    }

    static string Ended(PoolReport report) =>
        report.Episodes is [.., { } last] && report.Timeline.Now.MsSince(last.Span.To) is >= WorthTellingMs and var ms
            ? $"ended {Format.Duration(ms)} ago" : "ended";

    static string Compensated(PoolReport report) => Compensation.IsOver(report) ? ", ended"
        : Compensation.First(report) is not { } first || Onset.IsAtTheStart(report.Timeline, first.End) ? ""
        : $" since {Format.Clock(first.End.MsSince(report.Timeline.Start), tenths: true)}";

    static int DrawVerdict(Pane line, PoolReport report, int x, string howLong)
    {
        var trouble = report.Verdict.IsTrouble();
        var role = !trouble ? Role.Title : report.IsNow ? Role.Alarm : Role.Starvation;
        return line.Put(line.Put(x, 0, VerdictWords.Of(report.Verdict), role), 0, howLong);
    }

    // What the banner says belongs to its word: the verdict of what is shown comes behind.
    static void DrawBanner(Pane line, List<Banner> banners, PoolReport report)
    {
        var x = line.Put(1, 0, banners[0].Word, banners[0].Role) + 1;
        var rest = (banners.Count > 1 ? $" +{banners.Count - 1}" : "") + Between;
        var free = line.Width - 1 - x - rest.Length - VerdictWords.Of(report.Verdict).Length;
        var (whole, brief) = (HowLong(report, Ended(report)), HowLong(report));
        var howLong = banners[0].Text.Length + whole.Length <= free ? whole : brief;
        var room = free - howLong.Length;
        var text = banners[0].Text.Length <= room ? banners[0].Text : TextFit.Whole(banners[0].Brief, Math.Max(0, room));
        DrawVerdict(line, report, line.Put(x, 0, text + rest), howLong);
    }
}
