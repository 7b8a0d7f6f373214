using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Removes the part of a capture before a given time, as if the capture had begun there; settings and levels are kept.</summary>
static class HistoryReset
{
    /// <param name="seen">The timeline as of that time.</param>
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
            Compensations = delays.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking
                && g.TargetThreadsAfter > g.TargetThreadsBefore),
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

    // The stretches kept one by one give the longest one. Of shorter ones only the sum is known, so the mean is used as their length.
    static HindranceTotal Since(TimelineSnapshot seen, HindranceTotal total, ImmutableArray<Hindrance> kept)
    {
        var before = seen.HindranceTotals.FirstOrDefault(t => t.Kind == total.Kind) ?? new(total.Kind, 0, 0, 0);
        var ms = total.Ms - before.Ms;

        // A stop that continues was counted before, and grows.
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
