using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>
/// The state of a pool at one time and the counts since the watch began: the data of a dashboard, without findings and drawings.
/// </summary>
/// <param name="Timeline">The timeline.</param>
/// <param name="Ledger">The ledger.</param>
/// <param name="Forecast">The forecast; null when none was requested.</param>
/// <param name="Verdict">The current verdict: the kind of the continuing episode, otherwise that of the time since a given moment.</param>
sealed record PoolGlance(TimelineSnapshot Timeline, LedgerSnapshot Ledger, PoolForecast? Forecast, Verdict Verdict)
{
    /// <param name="seen">The newest observation.</param>
    /// <param name="since">Observations before it do not count for the verdict; null when all count.</param>
    /// <param name="bursts">The watch that reads hanging threads; null when there is none. Until it has read them, no hang is
    /// reported.</param>
    public static PoolGlance Of(Observation seen, TimelineSnapshot? since, BurstWatch? bursts = null)
    {
        var known = bursts is null ? seen.Ledger
            : bursts.IsHangUnread ? HangFromStacks.WithoutHang(seen.Ledger)
            : HangFromStacks.In(seen.Ledger, bursts.Seen, seen.Timeline.Target.Processors.Value);
        var (timeline, ledger) = since is null ? (seen.Timeline, known) : HistoryReset.Before(since, seen.Timeline, known);
        return new(seen.Timeline, known, seen.Side.Forecast, ReportBuilder.Now(timeline, ledger));
    }
}
