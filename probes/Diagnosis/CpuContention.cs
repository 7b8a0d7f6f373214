using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Detects items that compute while other processes use the processors: the target's own use looks low, and the pool adds threads as if the
/// items blocked. The result of the processor finding then becomes the verdict of the episode too.
/// </summary>
static class CpuContention
{
    /// <summary>The share of busy threads that must compute, when stacks are known.</summary>
    const double Mostly = 0.5;

    /// <summary>The episodes, of which those with a lack of processors become saturated.</summary>
    public static ImmutableArray<StarvedEpisode> Told(
        TimelineSnapshot timeline, ImmutableArray<InjectionDelay> delays, ImmutableArray<StarvedEpisode> episodes)
    {
        if (episodes.IsEmpty || timeline.Hindrances.All(h => h.Kind != HindranceKind.ProcessorWait))
        {
            return episodes;
        }

        var record = new ProcessorRecord(timeline, delays);
        return [.. episodes.Select(e => LackedProcessors(record, e) ? e with { Kind = Verdict.Saturated } : e)];
    }

    /// <summary>The report with those episodes; stacks that show what the threads do take precedence.</summary>
    public static PoolReport Told(PoolReport report)
    {
        var episodes = DeepEvidence.HasStacks(report) && DeepEvidence.Share(report, BlockKind.Cpu) < Mostly
            ? report.Episodes
            : Told(report.Timeline, report.InjectionDelays, report.Episodes);
        return LeadingEpisode.Of(episodes) is { } told
            ? report with { Episodes = episodes, Verdict = told.Kind, Since = episodes.First(e => e.Kind == told.Kind).Span.From }
            : report;
    }

    static bool LackedProcessors(ProcessorRecord record, StarvedEpisode episode) =>
        episode.Kind is Verdict.Starved or Verdict.SilentlyStarved && record.In(episode) is { IsProven: true, IsThrottled: false };
}

/// <summary>Selects the episode for the verdict and the headline: the one that continues, otherwise the worst since the start.</summary>
static class LeadingEpisode
{
    /// <summary>The selected episode; if several continue, the one that began last. Null when there is none.</summary>
    public static StarvedEpisode? Of(ImmutableArray<StarvedEpisode> episodes) =>
        episodes.LastOrDefault(e => !e.Over) ?? (episodes.IsEmpty ? null : episodes.MaxBy(e => (Rank(e.Kind), e.Span.Ms)));

    // If no episode continues, an episode that the pool could not resolve itself has precedence; then the longer one.
    static int Rank(Verdict kind) => kind switch
    {
        Verdict.NotThePool => 0,
        Verdict.Wedged => 2,
        _ => 1,
    };
}
