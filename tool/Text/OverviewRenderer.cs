using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The report's facts behind the short report: episodes, threads, queue, totals and forecast.</summary>
static class OverviewRenderer
{
    /// <summary>Most episodes listed; the longest ones.</summary>
    const int ToldEpisodes = 5;

    /// <summary>The lines of the section.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time) =>
        Trouble(report, time).Concat(Levels(report)).Concat(Totals(report)).Concat(ForecastRenderer.Lines(report));

    static IEnumerable<string> Trouble(PoolReport report, TimeStyle time)
    {
        var longest = report.Episodes.OrderByDescending(e => e.Span.Ms).Take(ToldEpisodes).OrderBy(e => e.Span.From).ToList();
        foreach (var line in longest.SelectMany(e => TextLayout.Fact("episode", Episode(report, e, time))))
        {
            yield return line;
        }

        if (report.Episodes.Length > longest.Count)
        {
            yield return $"              {Format.Plural(report.Episodes.Length - longest.Count, "shorter episode")} left out";
        }
    }

    static string Episode(PoolReport report, StarvedEpisode episode, TimeStyle time)
    {
        var seen = StartObserved.IsSeen(report, episode.Span.From);
        var length = (seen ? "" : "at least ") + Format.Duration(episode.Span.Ms);
        var end = episode.Over
            ? $"to {time.Spoken(report.Timeline, episode.Span.To)} ({length})"
            : $"for {length}. At the end of the capture, "
                + $"{(IsEmptied(episode, report) ? "the queue was empty" : "the episode was not over")}";
        var proof = episode.ProvenWaitMs > 0 && report.Items?.StarvedDelay is not { IsKnown: true }
            ? $". An item waited at least {Format.Duration(episode.ProvenWaitMs)}" : "";
        return $"{VerdictWords.Of(episode.Kind)} from {time.Spoken(report.Timeline, episode.Span.From)} "
            + $"{(seen ? "" : "or before, ")}{end}{proof}";
    }

    // An episode ends only after several counter samples with an empty queue, and the capture may end before.
    static bool IsEmptied(StarvedEpisode episode, PoolReport report) =>
        report.Timeline.Levels.QueueLength == 0 && episode.Kind is not (Verdict.Held or Verdict.NotThePool);

    static IEnumerable<string> Levels(PoolReport report)
    {
        var levels = report.Timeline.Levels;
        var rate = Words.Known(levels.CompletedPerSecond) is { } r ? $"last {Format.Rate(r)} completed" : null;
        var cpu = Words.Known(levels.Cpu) is { } c ? $"last cpu {Format.Percent(c)}" : null;
        return TextLayout.Fact(VerdictWords.Lasting(report), Phrases.Starved(report))
            .Concat(TextLayout.Fact("threads", Phrases.Levels(Phrases.Named("peak", report.MaxWorkers),
                Phrases.Named("last", levels.Workers), Phrases.Named("target", levels.TargetThreads))))
            .Concat(TextLayout.Fact("queue", Phrases.Levels(Phrases.Named("peak", report.MaxQueueLength),
                Phrases.Named("last", levels.QueueLength), rate, cpu)));
    }

    static IEnumerable<string> Totals(PoolReport report) =>
        TextLayout.Fact("adjustments", DelayWords.Adjustments(report.Adjustments))
            .Concat(TextLayout.Fact("delays", DelayWords.Tally(report.Tally)));
}
