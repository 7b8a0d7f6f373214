using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Items that compute while other processes have the processors: the target's own use looks low, and the pool adds threads as if they
/// blocked. What the finding about processors says of an episode is then its verdict, too.
/// </summary>
static class Crowded
{
    /// <summary>Of the threads at work so many compute at least, where stacks tell.</summary>
    const double Mostly = 0.5;

    /// <summary>The episodes, those saturated in which the threads lacked processors.</summary>
    public static ImmutableArray<StarvedEpisode> Told(
        TimelineSnapshot timeline, ImmutableArray<Gap> gaps, ImmutableArray<StarvedEpisode> episodes)
    {
        if (episodes.IsEmpty || timeline.Hindrances.All(h => h.Kind != HindranceKind.ProcessorWait))
        {
            return episodes;
        }

        var record = new ProcessorRecord(timeline, gaps);
        return [.. episodes.Select(e => LackedProcessors(record, e) ? e with { Kind = Verdict.Saturated } : e)];
    }

    /// <summary>The report with those; stacks that show what the threads do are heard first.</summary>
    public static PoolReport Told(PoolReport report)
    {
        var episodes = DeepEvidence.HasStacks(report) && DeepEvidence.Share(report, BlockKind.Cpu) < Mostly
            ? report.Episodes
            : Told(report.Timeline, report.Gaps, report.Episodes);
        return ToldEpisode.Of(episodes) is { } told
            ? report with { Episodes = episodes, Verdict = told.Kind, Since = episodes.First(e => e.Kind == told.Kind).Span.From }
            : report;
    }

    static bool LackedProcessors(ProcessorRecord record, StarvedEpisode episode) =>
        episode.Kind is Verdict.Starved or Verdict.SilentlyStarved && record.In(episode) is { IsProven: true, IsThrottled: false };
}

/// <summary>Which episode the verdict and the headline are about: the one that lasts, else the worst since the start.</summary>
static class ToldEpisode
{
    /// <summary>Of several that last the one that began last is what goes on now.</summary>
    public static StarvedEpisode? Of(ImmutableArray<StarvedEpisode> episodes) =>
        episodes.LastOrDefault(e => !e.Over) ?? (episodes.IsEmpty ? null : episodes.MaxBy(e => (Rank(e.Kind), e.Span.Ms)));

    // Where nothing lasts any more, what the pool could not help itself out of weighs more than what passed; then length.
    static int Rank(Verdict kind) => kind switch
    {
        Verdict.NotThePool => 0,
        Verdict.Wedged => 2,
        _ => 1,
    };
}
