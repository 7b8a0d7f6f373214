using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>The judgement in one look: verdict, headline, the figures, what comes next.</summary>
static class VerdictSection
{
    /// <summary>The top of the page.</summary>
    public static Markup Of(PoolReport report, TimeStyle time)
    {
        var target = report.Timeline.Target;
        return Markup.Of($"""
            <header class="{Look(report.Verdict)}"><p class="process"><bdi>{target.Name}</bdi> <span>{Facts(target)}</span></p>
            <h1>{VerdictWords.Of(report)}</h1><p class="headline">{Cause(report)}{Words.OneLine(report.Headline)}</p>
            <dl class="figures">{Figures(report)}</dl>{Episodes(report, time)}{Next(report)}</header>
            <nav aria-label="On this page"><a href="#timeline">Timeline</a><a href="#findings">Findings</a><a href="#waits">Injections</a><a href="#whatif">What if</a><a href="#blockers">Blocking calls</a>{(report.Requests is null ? Markup.None : Markup.Of($"<a href=\"#requests\">Requests</a>"))}<a href="#latency">Latency</a><a href="#capture">Capture</a><a href="#glossary">Glossary</a></nav>
            """);
    }

    static string Facts(TargetFacts target) => string.Join(" · ", TargetWords.Facts(target)
        .Concat(target.Processors.Value is { } count ? [Format.Plural(count, "processor")] : []));

    // Who holds the threads comes before how long and how many.
    static Markup Cause(PoolReport report) => report.Verdict is Verdict.Healthy or Verdict.Undecided
        // Their headline begins with the cause, unless stacks name the place.
        || (report.Verdict is Verdict.Compensated or Verdict.NotThePool && CauseWords.Place(report) is null) ? Markup.None
        : Markup.Of($"<b>{Sentence.Of(Words.OneLine(CauseWords.Of(report)))}</b> ");

    static Markup Figures(PoolReport report)
    {
        var whole = report.Timeline.Now.MsSince(report.Timeline.Start);
        var longest = report.Gaps.Where(g => g.IsWait).Max(g => g.ObservedMs);
        var injections = report.Gaps.Count(GapMark.IsInjection);
        (string Name, string Value, string More)[] figures =
        [
            (VerdictWords.Lasting(report), report.StarvedMs > 0 ? Format.Duration(report.StarvedMs) : Phrases.Starved(report),
                report.StarvedMs > 0 && whole > 0
                    ? $"{Format.Percent(report.StarvedMs / whole)} of {Format.Duration(whole)}"
                    : $"in {Format.Duration(whole)}"),
            ("longest injection delay", longest is { } ms ? Format.Duration(ms) : "none",
                $"{Format.Count(report.Tally.Fits)} of {Format.Count(report.Tally.Waits)} as expected"),
            ("most worker threads", Phrases.CountOr(report.MaxWorkers),
                (report.Timeline.Target.MinWorkers.Value is { } min ? $"MinThreads {Format.Count(min)}, " : "")
                    + $"{Format.Count(injections)} added"),
            ("longest queue", Phrases.CountOr(report.MaxBacklog), "items that waited"),
            ("capture", Words.Of(CaptureGrades.Of(report.Timeline)),
                report.Timeline.Quality.LossUnknown ? "some events lost" : $"{Format.Count(report.Timeline.Quality.Lost)} lost"),
        ];
        return Markup.Join(figures.Select(f => Markup.Of($"<div><dt>{f.Name}</dt><dd>{f.Value}<small>{f.More}</small></dd></div>")));
    }

    static Markup Episodes(PoolReport report, TimeStyle time) => report.Episodes.IsEmpty
        ? Markup.None
        : Markup.Of($"<ul class=\"plain\">{Longest(report).Select(e => Told(e, report, time))}</ul>");

    static IEnumerable<StarvedEpisode> Longest(PoolReport report) =>
        report.Episodes.OrderByDescending(e => e.Span.Ms).Take(5).OrderBy(e => e.Span.From);

    static Markup Told(StarvedEpisode episode, PoolReport report, TimeStyle time)
    {
        var lasted = Format.Duration(episode.Span.Ms);
        var proven = episode.ProvenWaitMs > 0 ? $"; an item waited at least {Format.Duration(episode.ProvenWaitMs)}" : "";
        return Markup.Of(
            $"<li><b>{VerdictWords.Of(episode.Kind)}</b> from {time.Spoken(report.Timeline, episode.Span.From)} "
                + $"{(episode.Over ? $"for {lasted}" : $"and not over at the end, after {lasted}")}{proven}</li>");
    }

    static Markup Next(PoolReport report) => ForecastRenderer.Lines(report).ToList() is { Count: > 0 } lines
        ? Markup.Of($"<pre>{Markup.Join(lines.Select(l => Markup.Of($"{l[2..]}{new Markup("\n")}")))}</pre>")
        : Markup.None;

    static string Look(Verdict verdict) => verdict switch
    {
        _ when verdict.IsStarvation() => "bad",
        Verdict.Saturated or Verdict.Compensated or Verdict.NotThePool => "fair",
        Verdict.Healthy => "good",
        _ => "unsure",
    };
}
