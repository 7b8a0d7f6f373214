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
    public static PoolGlance Of(Observation seen, TimelineSnapshot? since)
    {
        var (timeline, ledger) = since is null
            ? (seen.Timeline, seen.Ledger)
            : Forgetting.Before(since, seen.Timeline, seen.Ledger);
        return new(seen.Timeline, seen.Ledger, seen.Beside.Forecast, ReportBuilder.Now(timeline, ledger));
    }
}
