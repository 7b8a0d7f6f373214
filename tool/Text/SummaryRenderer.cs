namespace Tpwatch.Text;

/// <summary>The summary of a watch in a few lines, printed at its end.</summary>
static class SummaryRenderer
{
    /// <summary>The lines, without a line break at the end.</summary>
    public static string Render(PoolReport report, TimeStyle time) => string.Join('\n', Lines(report, time));

    static IEnumerable<string> Lines(PoolReport report, TimeStyle time)
    {
        var timeline = report.Timeline;
        yield return "";
        yield return VerdictWords.Of(report);
        foreach (var line in TextLayout.Wrap(Words.OneLine(report.Headline)))
        {
            yield return line;
        }

        var facts = new[]
        {
            TextLayout.Fact("watched", $"{Format.Duration(timeline.Now.MsSince(timeline.Start))}; {EndWords.Of(report.End)}"),
            TextLayout.Fact(VerdictWords.Lasting(report), Phrases.Starved(report)),
            TextLayout.Fact("threads", Phrases.Levels(
                Phrases.Named("peak", report.MaxWorkers), Phrases.Named("queue peak", report.MaxQueueLength))),
            TextLayout.Fact("adjustments", DelayWords.Adjustments(report.Adjustments)),
            TextLayout.Fact("delays", DelayWords.Tally(report.Tally)),
            ForecastRenderer.Lines(report),
            TextLayout.Fact("capture", Phrases.Completeness(timeline, time)),
        };
        foreach (var line in facts.SelectMany(f => f))
        {
            yield return line;
        }
    }
}
