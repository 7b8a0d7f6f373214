using Tpwatch.Diagnosis;
using Tpwatch.Items;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.WhatIf;
using Tpwatch.Wording;

namespace Tpwatch.Watch;

/// <summary>What a report needs in addition to the timeline and the ledger.</summary>
sealed record ReportInputs
{
    /// <summary>The forecast of the next injection and of the queue's end.</summary>
    public PoolForecast? Forecast { get; init; }

    /// <summary>The queue and the worker threads from which the forecast's simulation begins; null when no item waits.</summary>
    public QueueDrainState? Drains { get; init; }

    public CaptureDepth Depth { get; init; }

    /// <summary>Items and locks; null when there is no second session.</summary>
    public SideStreamSnapshot? Deep { get; init; }

    /// <summary>HTTP requests; null when none were watched or none arrived.</summary>
    public RequestSnapshot? Requests { get; init; }

    /// <summary>Whether HTTP requests are watched, even if none has arrived yet.</summary>
    public bool WatchesRequests { get; init; }

    /// <summary>
    /// The requested interval of counter samples of a live target, milliseconds; null when unknown, or when none are requested.
    /// </summary>
    public double? SampleIntervalMs { get; init; }

    /// <summary>Stack bursts and memory readings; null when none were allowed.</summary>
    public StacksSeen? Stacks { get; init; }
}

/// <summary>Builds the report in one pass: evidence, verdict, findings, sentences. Has no side effects.</summary>
static class ReportBuilder
{
    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, PoolForecast? forecast = null) =>
        Build(timeline, ledger, end, new ReportInputs { Forecast = forecast });

    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, ReportInputs side)
    {
        var stacks = BlockerAnalysis.Of(timeline, side.Stacks, side.Requests);
        var judged = VerdictJudgement.Of(timeline, ledger, end, stacks);
        var (items, times) = (side.Depth.HasFlag(CaptureDepth.Items) ? side.Deep?.Items : null, new ItemAndRequestTimes(ledger.Episodes));
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
            QueueDelay = ItemAndRequestTimes.QueueDelay(items),
            RunTime = ItemAndRequestTimes.RunTime(items),
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

    /// <summary>Returns the report on this evidence. The findings are made first, because the sentences name them.</summary>
    public static PoolReport Of(PoolEvidence seen)
    {
        var (findings, undecided, clear) = FindingRuleSet.Ask(seen);
        var facts = Facts(seen);
        return new(seen, HeadlineWords.Of(seen, findings, facts, byKey: false))
        {
            HeadlineByKey = HeadlineWords.Of(seen, findings, facts, byKey: true),
            Lack = facts.Lack,
            IsCrowdedOut = (seen.Verdict.IsStarvation() || seen.Verdict == Verdict.Saturated) && ProcessorLack.Of(seen).IsCrowdedOut(seen),
            HasBottleneck = seen.Forecast?.QueueEmpty is { IfThreadsHelp: true } && Bottleneck.Of(seen) is not null,
            Findings = findings,
            Undecided = undecided,
            Clear = clear,
        };
    }

    /// <summary>Returns the facts that only the headline mentions.</summary>
    public static HeadlineFacts Facts(PoolEvidence seen) => new(
        seen.Verdict == Verdict.Undecided ? HeadlineWords.Missing(seen, VerdictJudgement.WaitsUnproven(seen.Timeline),
            Borderline.WaitMs(seen.Timeline), HiddenQueue.IsNow(seen.Timeline)) : null,
        seen.Verdict == Verdict.Starved
            && InjectionEffect.Of(seen, _ => true).IsNone(seen.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation)),
        seen.Verdict == Verdict.Healthy && HiddenQueue.MayBe(seen));

    // A process that has ended has no next injection, no queue and no new item.
    static PoolForecast? Forecast(ReportInputs side, SessionEnd end, ItemSnapshot? items) =>
        end.IsOfTarget()
            ? side.Forecast is null ? null : side.Forecast with { NextInjection = null, QueueEmpty = null, StartDelayOfNewItem = null }
        : items is null ? side.Forecast
        : MeasuredForecast.Sharpen(side.Forecast, side.Drains, items);
}

/// <summary>Computes the times of items and requests, separately for starvation and for the rest of the capture.</summary>
sealed class ItemAndRequestTimes(ImmutableArray<StarvedEpisode> episodes)
{
    /// <summary>
    /// Minimum number of requests outside starvation from which the usual time of a route is computed. A single request may have been the
    /// slow first one.
    /// </summary>
    const long EnoughOutside = 2;

    readonly StarvedEpisode[] waits = [.. episodes.Where(e => e.Kind.IsWait())];

    /// <summary>Returns queue times, from enqueue to dequeue; null if not measured. A waiting item counts with its time so far.</summary>
    public static Distribution? QueueDelay(ItemSnapshot? seen) => seen is null ? null
        : DistributionBuilder.Of(DurationCounts.Sum(seen.Slices.Select(s => s.Delay)), seen.Unmatched, Waiting(seen));

    /// <summary>Returns run times, from dequeue to completion; null if not measured. A running item counts with its time so far.</summary>
    public static Distribution? RunTime(ItemSnapshot? seen) => seen is null ? null
        : DistributionBuilder.Of(DurationCounts.Sum(seen.Slices.Select(s => s.Run)), seen.EndUnseen, Running(seen));

    /// <summary>Returns the times of items; null when none were watched.</summary>
    public ItemTimes? Of(ItemSnapshot? seen, ImmutableArray<InjectionDelay> delays)
    {
        if (seen is null)
        {
            return null;
        }

        var slices = seen.Slices.Select(s => (Slice: s, Line: FromNs(s.Span))).ToArray();
        var to = seen.Listened.To;
        // An item that still waits counts as if it were dequeued at the end of the watch.
        var line = FromNs(new(to, to)) / 1e6;
        var (waiting, running) = (Waiting(seen), Running(seen));
        return new()
        {
            HealthyDelay = Part(slices.Select(w => w.Slice.Delay.Below(w.Line)), Those(waiting, age => age < line)),
            StarvedDelay = Part(slices.Select(w => w.Slice.Delay.From(w.Line)), Those(waiting, age => age >= line)),
            HealthyRun = Part(slices.Where(w => w.Line > 0).Select(w => w.Slice.Run), Those(running, _ => line > 0)),
            StarvedRun = Part(slices.Where(w => w.Line == 0).Select(w => w.Slice.Run), Those(running, _ => line <= 0)),
            OverTime = [.. seen.Slices.Where(s => s.Delay.Count > 0).Select(Point)],
            Slowest = [.. seen.Slowest.Select(i => SlowItem.Of(i, delays))],
            Waiting = seen.Waiting,
            OldestWaitMs = seen.OldestWaiting is { } oldest ? Math.Max(0, to.MsSince(oldest)) : null,
            Watched = seen.Listened,
        };
    }

    /// <summary>Returns the times of requests; null when none were watched.</summary>
    public RequestTimes? Of(RequestSnapshot? seen) => seen is null ? null : new()
    {
        Routes =
        [
            .. seen.Routes.Select(r => Of(r, seen.Listened.To)).OrderByDescending(r => r.LostMs)
                .ThenByDescending(r => r.All.MaxMs).ThenBy(r => r.Route, StringComparer.Ordinal),
        ],
        UnderWay = seen.Routes.Sum(r => r.UnderWay.Length + r.More),
        Unmatched = seen.Unmatched,
        OverTime = seen.OverTime,
        Watched = seen.Listened,
    };

    RouteTimes Of(RouteDurations route, EventTime now)
    {
        var onset = waits.Select(e => e.Span.From).DefaultIfEmpty(new(long.MaxValue)).Min();
        var slices = route.Slices.Select(s => (Slice: s, Line: FromNs(s.Span))).ToArray();
        var line = FromNs(new(now, now)) / 1e6;
        var open = new OpenDurations([.. route.UnderWay.Select(at => Math.Max(0, now.MsSince(at)))], route.More);
        var (met, others) = (Those(open, age => age >= line), Those(open, age => age < line));
        var during = DurationCounts.Sum(slices.Select(s => s.Slice.Delay.From(s.Line)));
        var before = DurationCounts.Sum(slices.Where(s => s.Slice.Span.To <= onset).Select(s => s.Slice.Delay));
        var after = DurationCounts.Sum(slices.Where(s => s.Slice.Span.To > onset).Select(s => s.Slice.Delay.Below(s.Line)));
        return new(
            route.Route, DistributionBuilder.Of(DurationCounts.Sum(route.Slices.Select(s => s.Delay)), 0, open),
            route.UnderWay.Length + route.More, Lost(during, met, DurationCounts.Sum([before, after])))
        {
            Before = Part([before], waits.Length > 0 ? OpenDurations.None : others),
            During = Part([during], met),
            After = Part([after], waits.Length > 0 ? others : OpenDurations.None),
        };
    }

    static double Lost(DurationCounts during, OpenDurations met, DurationCounts outside)
    {
        var usual = outside.Count >= EnoughOutside ? outside.QuantileMs(0.5) : 0;
        return during.Filled.Sum(b => b.Count * Math.Max(0, during.MiddleMs(b.Index) - usual))
            + met.AgesMs.Sum(age => Math.Max(0, age - usual));
    }

    // Returns the minimum length, nanoseconds, with which a wait that ends in the span overlaps a starvation episode. Zero if an episode
    // touches the span, otherwise the time since the last episode; long.MaxValue without an earlier episode.
    long FromNs(EventSpan span)
    {
        var before = waits.Where(e => e.Span.From <= span.To).ToArray();
        return before.Length == 0 ? long.MaxValue : Math.Max(0, span.From.Nanoseconds - before.Max(e => e.Span.To).Nanoseconds);
    }

    static OpenDurations Waiting(ItemSnapshot seen) => new(
        [.. seen.WaitingSince.Select(at => Math.Max(0, seen.Listened.To.MsSince(at)))], seen.Waiting - seen.WaitingSince.Length);

    static OpenDurations Running(ItemSnapshot seen) =>
        new([.. seen.Running.Select(i => Math.Max(0, seen.Listened.To.MsSince(i.Taken)))], 0);

    static OpenDurations Those(OpenDurations open, Func<double, bool> wanted) => new([.. open.AgesMs.Where(wanted)], 0);

    static Distribution? Part(IEnumerable<DurationCounts> counts, OpenDurations open) =>
        DistributionBuilder.Of(DurationCounts.Sum(counts), 0, open) is { IsKnown: true } part ? part : null;

    static DelayPoint Point(SliceDurations slice) =>
        new(slice.Span, slice.Delay.Count, slice.Delay.QuantileMs(0.5), slice.Delay.QuantileMs(0.99), slice.Delay.MaxNs / 1e6);
}
