using Tpwatch.Diagnosis;
using Tpwatch.Forecast;
using Tpwatch.Items;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Wording;

namespace Tpwatch.Watch;

/// <summary>Further inputs of a report, in addition to the timeline and the ledger.</summary>
sealed record ExtraEvidence
{
    /// <summary>The forecast.</summary>
    public PoolForecast? Forecast { get; init; }

    /// <summary>The case that the queue drains by; null when no item waits.</summary>
    public DrainCase? Drains { get; init; }

    /// <summary>The depth that was switched on.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>Items and locks; null without a second session.</summary>
    public DeepSnapshot? Deep { get; init; }

    /// <summary>Requests; null when none were watched, or none arrived.</summary>
    public RequestSnapshot? Requests { get; init; }

    /// <summary>Whether requests are watched, even if none has arrived yet.</summary>
    public bool WatchesRequests { get; init; }

    /// <summary>
    /// The requested interval of counter samples of a live target, milliseconds; null when unknown, or when none are requested.
    /// </summary>
    public double? SampleIntervalMs { get; init; }

    /// <summary>Stack bursts; null when none were allowed.</summary>
    public StacksSeen? Stacks { get; init; }
}

/// <summary>Builds the report from the timeline and the ledger, without its headline. Pure.</summary>
static class ReportBuilder
{
    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, PoolForecast? forecast = null) =>
        Build(timeline, ledger, end, new ExtraEvidence { Forecast = forecast });

    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, ExtraEvidence side)
    {
        var stacks = BlockerAnalysis.Of(timeline, side.Stacks, side.Requests);
        var judged = Judgement.Of(timeline, ledger, end, stacks);
        var (items, times) = (side.Depth.HasFlag(CaptureDepth.Items) ? side.Deep?.Items : null, new StarvedTimes(ledger.Episodes));
        return Of(new PoolEvidence
        {
            Timeline = timeline,
            InjectionDelays = ledger.InjectionDelays,
            Journal = ledger.Journal,
            Evicted = ledger.Evicted + ledger.DroppedEpisodes,
            Adjustments = ledger.Adjustments,
            Compensations = ledger.Compensations,
            Tally = ledger.Tally,
            Episodes = judged.Episodes,
            Verdict = judged.Verdict,
            Since = judged.Since,
            IsNow = judged.IsNow,
            StarvedMs = judged.Episodes.Where(e => e.Kind != Verdict.Held).Sum(e => e.Span.Ms) + ledger.DroppedMs,
            MaxWorkers = ledger.MaxWorkers,
            MaxQueueLength = ledger.MaxQueueLength,
            MayHang = judged.MayHang,
            Forecast = Forecast(side, end, items),
            QueueDelay = StarvedTimes.QueueDelay(items),
            RunTime = StarvedTimes.RunTime(items),
            Items = times.Of(items, ledger.InjectionDelays),
            Measured = items,
            Requests = times.Of(side.Requests),
            WatchesRequests = side.WatchesRequests,
            SampleIntervalMs = side.SampleIntervalMs,
            Depth = side.Depth,
            Blockers = stacks.Blockers,
            Bursts = stacks.Bursts,
            Inside = stacks.Inside,
            End = end,
        });
    }

    /// <summary>The report on this evidence: the findings first, then the sentences, which name them.</summary>
    public static PoolReport Of(PoolEvidence seen)
    {
        var (findings, undecided, clear) = FinderSet.Ask(seen);
        return new(seen, HeadlineWords.Of(seen, findings))
        {
            HeadlineByKey = HeadlineWords.Of(seen, findings, byKey: true),
            Lack = seen.Verdict == Verdict.Undecided ? HeadlineWords.Missing(seen) : null,
            Findings = findings,
            Undecided = undecided,
            Clear = clear,
        };
    }

    // A process that has ended has no forecast, but past predictions keep their score.
    static PoolForecast? Forecast(ExtraEvidence side, SessionEnd end, ItemSnapshot? items) =>
        end is SessionEnd.TargetExited or SessionEnd.TargetKilled
            ? side.Forecast is null ? null : side.Forecast with { NextInjection = null, QueueEmpty = null, StartDelayOfNewItem = null }
        : items is null ? side.Forecast
        : MeasuredForecast.Sharpen(side.Forecast, side.Drains, items);
}
