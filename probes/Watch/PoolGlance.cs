using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>
/// The state of a pool at one time and the counts since the watch began: the data of a dashboard, without findings and drawings.
/// </summary>
/// <param name="Timeline">The timeline.</param>
/// <param name="Ledger">The ledger.</param>
/// <param name="Forecast">The forecast; null when none was requested.</param>
/// <param name="Episodes">The episodes since the watch began, as judged.</param>
/// <param name="Verdict">The current verdict: the kind of the continuing episode, otherwise that of the time since a given moment.</param>
sealed record PoolGlance(
    TimelineSnapshot Timeline, LedgerSnapshot Ledger, PoolForecast? Forecast, ImmutableArray<StarvedEpisode> Episodes, Verdict Verdict)
{
    /// <param name="seen">The newest observation.</param>
    /// <param name="since">Observations before this snapshot do not count for the verdict; null when all observations count.</param>
    /// <param name="bursts">The watch that reads hanging threads; null when there is none. Before this reading, no hang is
    /// reported.</param>
    public static PoolGlance Of(Observation seen, TimelineSnapshot? since, BurstWatch? bursts = null)
    {
        var known = bursts is { IsHangUnread: true } ? seen.Ledger.WithoutHang() : seen.Ledger;
        var stacks = BlockerAnalysis.Of(seen.Timeline, BurstPlan.MayHang(known) ? bursts?.Seen.Newest : null);
        var (timeline, ledger) = since is null ? (seen.Timeline, known) : HistoryReset.Before(since, seen.Timeline, known);
        return new(seen.Timeline, known, seen.Side.Forecast, Judgement.Of(seen.Timeline, known, seen.End, stacks).Episodes,
            Judgement.Now(timeline, ledger, seen.End, stacks).Verdict);
    }
}
