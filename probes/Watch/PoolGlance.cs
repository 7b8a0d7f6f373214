using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>
/// The state of a pool at one moment and what was counted since the watch began: what a dashboard shows, without findings and drawings.
/// </summary>
/// <param name="Timeline">What was seen.</param>
/// <param name="Ledger">What was accounted for.</param>
/// <param name="Forecast">What comes next; null where nobody was asked.</param>
/// <param name="Verdict">How it is now: the kind of the episode that lasts, else of the time since a moment before.</param>
sealed record PoolGlance(TimelineSnapshot Timeline, LedgerSnapshot Ledger, PoolForecast? Forecast, Verdict Verdict)
{
    /// <param name="seen">The newest observation.</param>
    /// <param name="since">What came before counts for no verdict; null where all counts.</param>
    /// <param name="bursts">What reads who hangs; null where nothing does. Until it has, no hang is told.</param>
    public static PoolGlance Of(Observation seen, TimelineSnapshot? since, BurstWatch? bursts = null)
    {
        var known = bursts is null ? seen.Ledger
            : bursts.IsHangUnread ? HangSeen.WithoutHang(seen.Ledger)
            : HangSeen.In(seen.Ledger, bursts.Seen, seen.Timeline.Target.Processors.Value);
        var (timeline, ledger) = since is null ? (seen.Timeline, known) : Forgetting.Before(since, seen.Timeline, known);
        return new(seen.Timeline, known, seen.Beside.Forecast, ReportBuilder.Now(timeline, ledger));
    }
}
