using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Calculates how long the process did not run during a capture, by evidence from outside the pool.</summary>
static class ProcessStandstill
{
    /// <summary>Minimum duration of a long stop, milliseconds: as long as a wait that counts as starvation.</summary>
    public const double LongMs = WaitTracker.AlarmMs;

    /// <summary>
    /// Maximum age of a long stop that counts as recent, milliseconds: ten minutes, because a stop of a second is an incident in itself.
    /// </summary>
    const double RecentMs = 600_000;

    /// <summary>
    /// Minimum share of the capture without a running thread for the stops to explain delays. At a fifth, items take a quarter longer.
    /// </summary>
    public const double MuchShare = 0.2;

    /// <summary>
    /// Whether stops of all threads delayed items. The pool must have had items. A stop must have lasted a second, or all stops together a
    /// fifth of the capture. Waits of single threads for a processor do not count, because other threads of the process ran.
    /// </summary>
    public static bool ExplainsDelays(TimelineSnapshot timeline) =>
        timeline.CounterSamples.Any(b => b.Completed > 0 || b.QueueLength > 0)
        && ((LongestMs(timeline) >= LongMs && IsRecent(timeline)) || Share(timeline) >= MuchShare);

    /// <summary>Whether a long stop is recent: an old stop explains delays at that time, but not current delays.</summary>
    static bool IsRecent(TimelineSnapshot timeline) => timeline.CaptureMs <= RecentMs
        || timeline.Hindrances.Any(h =>
            h.Kind is HindranceKind.Suspension or HindranceKind.Stopped && h.Ms >= LongMs && timeline.Now.MsSince(h.Span.To) <= RecentMs);

    /// <summary>Share of the capture in which no thread ran, 0 to 1.</summary>
    public static double Share(TimelineSnapshot timeline) =>
        Math.Min(1, timeline.Totals.Where(t => t.Kind != HindranceKind.ProcessorWait).Sum(t => t.Ms) / timeline.CaptureMs);

    /// <summary>The longest time in which no thread ran, milliseconds; without throttling, of which only the total is known.</summary>
    public static double LongestMs(TimelineSnapshot timeline) =>
        timeline.Totals.Where(t => t.Kind is HindranceKind.Suspension or HindranceKind.Stopped)
            .Select(t => t.LongestMs).DefaultIfEmpty().Max();
}

/// <summary>A time span in which items waited and none completed, by consecutive counter samples.</summary>
/// <param name="Span">Start and end of the stall.</param>
/// <param name="Added">Number of threads by which the target thread count rose in the stall, for starvation or task waits.</param>
/// <param name="Cpu">Mean processor use in the stall, share of all processors, 0 to 1; null when unknown.</param>
/// <param name="QueueLength">Queue length at the end of the stall.</param>
/// <param name="Lasts">Whether the stall continues at the last counter sample.</param>
sealed record Stall(EventSpan Span, int Added, double? Cpu, long QueueLength, bool Lasts)
{
    /// <summary>
    /// The longest stall, or the last of equally long ones; null if every counter sample shows a completed item or an empty queue.
    /// </summary>
    public static Stall? Longest(PoolEvidence report) => Longest(report, span => span.Ms);

    /// <summary>The stall with the largest value of a given measure; a stall with the value 0 does not count.</summary>
    public static Stall? Longest(PoolEvidence report, Func<EventSpan, double> measure)
    {
        var samples = report.Timeline.CounterSamples;
        var best = (First: 0, Last: -1, Ms: 0.0);
        for (int i = 0, first = 0; i < samples.Length; i++)
        {
            if (!Stalls(samples[i], report.Timeline.Quality))
            {
                first = i + 1;
            }
            else if (new EventSpan(Start(samples[first]), samples[i].At) is var span && measure(span) is > 0 and var ms && ms >= best.Ms)
            {
                best = (first, i, ms);
            }
        }

        return best.Last < 0 ? null : Of(report, best.First, best.Last);
    }

    static bool Stalls(CounterSample sample, CaptureQuality quality) =>
        sample is { Completed: 0, QueueLength: > 0, IntervalMs: not null }
        && (quality.LossSpans.IsEmpty || !quality.LossSpans.Any(new EventSpan(Start(sample), sample.At).Touches));

    static EventTime Start(CounterSample sample) => sample.At.PlusMs(-(sample.IntervalMs ?? 0));

    static Stall Of(PoolEvidence report, int first, int last)
    {
        var samples = report.Timeline.CounterSamples;
        var span = new EventSpan(Start(samples[first]), samples[last].At);
        var rises = report.InjectionDelays.Where(g =>
            g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking && g.End >= span.From && g.End <= span.To);
        return new(
            span, rises.Sum(g => Math.Max(0, (g.TargetThreadsAfter - g.TargetThreadsBefore) ?? 1)),
            samples[first..(last + 1)].Average(b => b.Cpu), samples[last].QueueLength ?? 0,
            last == samples.Length - 1);
    }
}

/// <summary>Removes the part of a capture before a given time, as if the capture had begun there; settings and levels are kept.</summary>
static class HistoryReset
{
    /// <param name="seen">The timeline at the moment of the reset; everything before that moment is removed.</param>
    /// <param name="timeline">The timeline since the beginning.</param>
    /// <param name="ledger">The ledger since the beginning.</param>
    public static (TimelineSnapshot Timeline, LedgerSnapshot Ledger) Before(
        TimelineSnapshot seen, TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        var at = seen.Now;
        var hindrances = timeline.Hindrances.Where(h => h.Span.To > at).Select(h => Since(at, h)).ToImmutableArray();
        var buckets = timeline.Buckets.Since(timeline.Buckets.IndexOf(at));
        var counterSamples = timeline.CounterSamples.RemoveAll(b => b.At <= at);
        var delays = ledger.InjectionDelays.RemoveAll(g => g.End <= at);
        return (timeline with
        {
            Buckets = buckets,
            CounterSamples = counterSamples,
            Hindrances = hindrances,
            HindranceTotals = [.. timeline.HindranceTotals.Select(total => Since(seen, total, hindrances)).Where(total => total.Ms > 0)],
            Quality = Since(at, seen.Quality, timeline.Quality),
            WorkerMoments = timeline.WorkerMoments.RemoveAll(m => m.At <= at),
        }, ledger with
        {
            InjectionDelays = delays,
            Journal = ledger.Journal.RemoveAll(g => g.End <= at),
            Evicted = 0,
            Tally = DelayTally.Of(delays),
            Adjustments = delays.Where(g => g.Reason is not null).GroupBy(g => g.Reason!.Value)
                .ToImmutableSortedDictionary(g => g.Key, g => g.Count()),
            Compensations = delays.Count(g => g.IsCompensation),
            Episodes = [.. ledger.Episodes.Where(e => !e.Over || e.Span.To > at)
                .Select(e => e with { Span = e.Span with { From = EventTime.Max(e.Span.From, at) } })],
            MaxWorkers = MaxWorkers(buckets),
            MaxQueueLength = counterSamples.Max(b => b.QueueLength),
            DroppedEpisodes = 0,
            DroppedMs = 0,
        });
    }

    static Hindrance Since(EventTime at, Hindrance one)
    {
        var span = one.Span with { From = EventTime.Max(one.Span.From, at) };
        return one with { Span = span, Ms = Math.Min(one.Ms, span.Ms) };
    }

    // The longest hindrance on record, or the mean if longer: for short hindrances, only the total is recorded.
    static HindranceTotal Since(TimelineSnapshot seen, HindranceTotal total, ImmutableArray<Hindrance> kept)
    {
        var before = seen.HindranceTotals.FirstOrDefault(t => t.Kind == total.Kind) ?? new(total.Kind, 0, 0, 0);
        var ms = total.Ms - before.Ms;

        // A continuing stop was already counted at the earlier time, but its duration grows.
        var count = Math.Max(total.Count - before.Count, ms > 0 ? 1 : 0);
        var longest = kept.Where(h => h.Kind == total.Kind).Select(h => h.Ms).DefaultIfEmpty().Max();
        return total with { Count = count, Ms = ms, LongestMs = Math.Max(longest, count > 0 ? ms / count : 0) };
    }

    static CaptureQuality Since(EventTime at, CaptureQuality before, CaptureQuality all)
    {
        var spans = all.LossSpans.RemoveAll(span => span.To <= at);
        return all with
        {
            Events = all.Events - before.Events,
            Lost = all.Lost - before.Lost,
            LossUnknown = all.LossUnknown && (!before.LossUnknown || spans.Length > 0),
            Undecodable = all.Undecodable - before.Undecodable,
            LossSpans = spans,
        };
    }

    static int? MaxWorkers(BucketSeries buckets)
    {
        var most = -1;
        for (var i = buckets.FirstIndex; i < buckets.EndIndex; i = buckets.Next(i))
        {
            most = Math.Max(most, buckets[i].WorkersMax);
        }

        return most < 0 ? null : most;
    }
}
