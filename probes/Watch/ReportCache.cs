using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>
/// The report of the newest observation, made when somebody asks; the same object while nothing new has come. For any thread.
/// </summary>
sealed class ReportCache(PoolCapture capture)
{
    volatile Made? last;
    volatile Forgotten? forgotten;

    /// <summary>What has been seen so far and what it means.</summary>
    public PoolReport Report()
    {
        var (latest, known, before) = (capture.Latest, last, forgotten);
        if (known is null || !ReferenceEquals(known.From, latest) || !ReferenceEquals(known.Before, before))
        {
            var (timeline, ledger) = before is null
                ? (latest.Timeline, latest.Ledger)
                : Forgetting.Before(before.Seen, latest.Timeline, latest.Ledger);
            last = known = new(latest, before, ReportBuilder.Build(timeline, ledger, latest.End, latest.Beside));
        }

        return known.Report;
    }

    /// <summary>Completes when something has come that the last report did not tell.</summary>
    public Task News => capture.OtherThan(last?.From);

    /// <summary>From now on reports leave out what came until now.</summary>
    public void Forget() => forgotten = new(capture.Newest.Timeline);

    sealed record Made(Observation From, Forgotten? Before, PoolReport Report);

    sealed record Forgotten(TimelineSnapshot Seen);
}
