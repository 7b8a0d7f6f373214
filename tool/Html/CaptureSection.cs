using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>What the report rests on, and whose pool it is.</summary>
static class CaptureSection
{
    public static Markup Of(PoolReport report, PageRequest request)
    {
        var (timeline, target) = (report.Timeline, report.Timeline.Target);
        var quality = timeline.Quality;
        (string Name, string Value)[] rows =
        [
            ("from", $"{(timeline.StartUtc == default ? "?" : Format.Utc(timeline.StartUtc))} for "
                + $"{Format.Duration(timeline.Now.MsSince(timeline.Start))}{EndWords.Whole(report)}"),
            ("quality", $"{Words.Of(CaptureGrades.Of(timeline))}: {Format.Plural(quality.Events, "event")}, "
                + $"{Phrases.Completeness(timeline, request.Time)}"),
            .. quality.Remarks.Select(r => ("remark", Words.OneLine(r))),
            ("process", TargetWords.Whole(target)),
            .. target.CommandLine is { } c
                ? [("command", Words.OneLine(request.ShowCommandLine ? c : Targets.CommandLine.Shorten(c)))]
                : Array.Empty<(string, string)>(),
            ("pool", TargetWords.Pool(target)),
            .. target.Settings.Select(s => ("setting", $"{s.Name}={Words.OneLine(s.Value)} ({Words.Of(s.Source)})")),
            ("adjustments", Phrases.Adjustments(report.Adjustments)),
            ("injection delays", Phrases.Tally(report.Tally)),
        ];
        return Markup.Of($"""
            <section id="capture"><h2>Capture</h2><table class="facts"><tbody>{rows.Select(r => Markup.Of($"<tr><th scope=\"row\">{r.Name}<td><bdi>{r.Value}</bdi>"))}</tbody></table></section>
            """);
    }
}
