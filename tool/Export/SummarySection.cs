using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for the verdict and the totals of a report.</summary>
sealed record SummarySection(
    string Verdict, string State, double? Since, string Headline, double? StarvedMs, InjectionsSection Injections,
    int? MaxWorkers, long? MaxBacklog, DelayTallySection Gaps)
{
    public static SummarySection Of(PoolReport report) => new(
        Words.Of(report.Verdict), report.IsNow ? "now" : "over",
        report.Since is { } since ? Numbers.At(report.Timeline, since) : null,
        report.Headline, Words.IsStarvingKnown(report) ? Numbers.Ms(report.StarvedMs) : null,
        new(report.Adjustments.ToDictionary(p => p.Key.ToString(), p => p.Value)),
        report.MaxWorkers, report.MaxQueueLength, DelayTallySection.Of(report.Tally));
}

/// <summary>Number of thread count adjustments by reason, under the runtime's own names.</summary>
sealed record InjectionsSection(IReadOnlyDictionary<string, int> ByReason);

/// <summary>Number of injection delays by judgement.</summary>
sealed record DelayTallySection(int Total, int Fits, int Early, int Late, int NoRule, int NoData, int NotTimed, int Open, int Moves)
{
    /// <summary>Converts the numbers of a report.</summary>
    public static DelayTallySection Of(DelayTally t) =>
        new(t.Total, t.AsExpected, t.Early, t.Late, t.NoRule, t.NoData, t.NotTimed, t.Open, t.Moves);
}

/// <summary>An episode in which items waited or threads were held.</summary>
sealed record EpisodeSection(double From, double To, string Kind, bool Over, double ProvenWaitMs)
{
    public static EpisodeSection Of(PoolReport report, StarvedEpisode episode) => new(
        Numbers.At(report.Timeline, episode.Span.From), Numbers.At(report.Timeline, episode.Span.To), Words.Of(episode.Kind), episode.Over,
        Numbers.Ms(episode.ProvenWaitMs) ?? 0);
}
