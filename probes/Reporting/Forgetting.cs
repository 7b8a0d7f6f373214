using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Reporting;

/// <summary>What is left of a capture when all before a moment is left out: as if the observation had begun there, settings and levels kept.</summary>
static class Forgetting
{
    public static (TimelineSnapshot Timeline, LedgerSnapshot Ledger) Before(EventTime at, TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        var buckets = timeline.Buckets.Since(timeline.Buckets.IndexOf(at));
        var heartbeats = timeline.Heartbeats.RemoveAll(b => b.At <= at);
        var gaps = ledger.Gaps.RemoveAll(g => g.End <= at);
        return (timeline with
        {
            Buckets = buckets,
            Heartbeats = heartbeats,
            Hindrances = timeline.Hindrances.RemoveAll(h => h.Span.To <= at),
            WorkerMoments = timeline.WorkerMoments.RemoveAll(m => m.At <= at),
        }, ledger with
        {
            Gaps = gaps,
            Journal = ledger.Journal.RemoveAll(g => g.End <= at),
            Evicted = 0,
            Tally = GapTally.Of(gaps),
            Adjustments = gaps.Where(g => g.Reason is not null).GroupBy(g => g.Reason!.Value).ToImmutableSortedDictionary(g => g.Key, g => g.Count()),
            Episodes = [.. ledger.Episodes.Where(e => !e.Over || e.Span.To > at).Select(e => e with { Span = e.Span with { From = EventTime.Max(e.Span.From, at) } })],
            MaxWorkers = MaxWorkers(buckets),
            MaxBacklog = heartbeats.Max(b => b.Backlog),
            DroppedEpisodes = 0,
            DroppedMs = 0,
        });
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
