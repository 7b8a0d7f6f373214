using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Watch;

/// <summary>
/// Builds the report of the newest observation on request; returns the same object until there is a new observation. For any thread.
/// </summary>
sealed class ReportCache(PoolCapture capture)
{
    volatile Made? last;
    volatile Forgotten? forgotten;

    /// <summary>The report of the observations so far.</summary>
    public PoolReport Report()
    {
        var (latest, known, before) = (capture.Latest, last, forgotten);
        if (known is null || !ReferenceEquals(known.From, latest) || !ReferenceEquals(known.Before, before))
        {
            var (timeline, ledger) = before is null
                ? (latest.Timeline, latest.Ledger)
                : HistoryReset.Before(before.Seen, latest.Timeline, latest.Ledger);
            last = known = new(latest, before, ReportBuilder.Build(timeline, ledger, latest.End, latest.Side));
        }

        return known.Report;
    }

    /// <summary>Completes when there is an observation that is not in the last report.</summary>
    public Task News => capture.OtherThan(last?.From);

    /// <summary>Leaves all observations so far out of later reports.</summary>
    public void Forget() => forgotten = new(capture.Newest.Timeline);

    sealed record Made(Observation From, Forgotten? Before, PoolReport Report);

    sealed record Forgotten(TimelineSnapshot Seen);
}
