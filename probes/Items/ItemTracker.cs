using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>
/// Pairs the moments at which items were queued, taken and completed. The runtime has no event for the end of an item: an item counts as
/// completed when its worker thread takes the next item, begins to wait for work, or ends.
/// </summary>
sealed class ItemTracker
{
    /// <summary>Maximum number of completed items kept; a what-if simulation cannot simulate more items one by one.</summary>
    public const int MostKept = 50_000;

    /// <summary>Maximum number of waiting items that a snapshot copies; if more items wait, a snapshot copies none.</summary>
    const int MostWaiting = 20_000;

    /// <summary>Maximum time from a thread's start to its first item, milliseconds, if the pool added the thread for this item.</summary>
    const double NewWorkerMs = 50;

    /// <summary>
    /// Maximum age of a value in a counter sample, milliseconds. The age is usually 0.1 ms, but up to 20 ms on a busy machine.
    /// </summary>
    const double ReadingMs = 20;

    readonly WaitingItems waiting = new();
    readonly WaitingItems passedOver = new();
    readonly ItemSliceTracker slices = new();
    readonly SlowestItems slowest = new();
    readonly Dictionary<int, MeasuredItem> running = [];
    readonly Dictionary<int, EventTime> born = [];
    MeasuredItem[] ended = new MeasuredItem[1024];
    int endedCount;
    long unmatched;
    long endUnseen;
    bool keptAll = true;
    bool knowsWaiting;
    EventTime? first;
    EventTime last;

    public void Queued(in ItemQueued fact)
    {
        See(fact.At);
        if (!waiting.Add(fact.Id, fact.At))
        {
            unmatched++;
            (keptAll, knowsWaiting) = (false, false);
        }
    }

    public void Taken(in ItemTaken fact)
    {
        See(fact.At);
        End(fact.ThreadId, fact.At);
        if ((waiting.Remove(fact.Id) ?? passedOver.Remove(fact.Id)) is not { } queued)
        {
            // Usually, the item was queued before the session began.
            unmatched++;
            knowsWaiting = false;
            return;
        }

        var isNew = born.Remove(fact.ThreadId, out var birth) && fact.At.MsSince(birth) <= NewWorkerMs;
        var item = new MeasuredItem(queued, fact.At, null, fact.ThreadId, fact.Id, isNew);
        slices.Waited(fact.At, fact.At.Nanoseconds - queued.Nanoseconds);
        running[fact.ThreadId] = item;
    }

    public void WorkerBorn(EventTime at, int thread)
    {
        See(at);
        born[thread] = at;
    }

    /// <summary>Records that a worker thread has no work or has ended: its last item is completed.</summary>
    public void WorkerIdle(EventTime at, int thread)
    {
        See(at);
        born.Remove(thread);
        End(thread, at);
    }

    /// <summary>Advances the time to a moment of the stream, even without an item event.</summary>
    public void Listened(EventTime at) => See(at);

    /// <summary>
    /// Records a counter sample with an empty queue. Items that still seem queued were run without an event, such as inline by a thread
    /// that waited for them. The sample may be older than its timestamp, so such an item can still be taken until the next empty sample.
    /// </summary>
    public void QueueEmpty(EventTime at)
    {
        See(at);
        unmatched += passedOver.Count;
        passedOver.Clear();
        waiting.MoveBefore(at.PlusMs(-ReadingMs), passedOver);
        knowsWaiting = true;
    }

    /// <summary>Records that events were lost: waiting and running items can no longer be paired.</summary>
    public void Lost(EventTime at)
    {
        See(at);
        unmatched += waiting.Count + passedOver.Count;
        endUnseen += running.Count;
        waiting.Clear();
        passedOver.Clear();
        running.Clear();
        born.Clear();
        (keptAll, knowsWaiting) = (false, false);
    }

    public ItemSnapshot Snapshot()
    {
        var many = waiting.Count > MostWaiting;
        return new()
        {
            Slices = slices.Snapshot(),
            Unmatched = unmatched + passedOver.Count,
            EndUnseen = endUnseen,
            Waiting = waiting.Count,
            KnowsWaiting = knowsWaiting,
            Slowest = slowest.Snapshot(running.Values),
            Ended = ended.AsMemory(0, endedCount),
            Running = [.. running.Values],
            WaitingSince = many ? [] : [.. waiting.Queued.Order()],
            KeptAll = keptAll && !many,
            Listened = new(first ?? last, last),
        };
    }

    void End(int thread, EventTime at)
    {
        if (!running.Remove(thread, out var item))
        {
            return;
        }

        slices.Ran(at, at.Nanoseconds - item.Taken.Nanoseconds);
        item = item with { Ended = at };
        slowest.Add(item);
        Keep(item);
    }

    // Snapshots share this array, so its filled part is never rewritten. When the array is full, a larger one replaces it.
    void Keep(in MeasuredItem item)
    {
        if (endedCount == MostKept)
        {
            keptAll = false;
            return;
        }

        if (endedCount == ended.Length)
        {
            Array.Resize(ref ended, Math.Min(MostKept, ended.Length * 2));
        }

        ended[endedCount++] = item;
    }

    void See(EventTime at)
    {
        first ??= at;
        last = at > last ? at : last;
    }
}

/// <summary>Keeps the items with the longest queue times.</summary>
sealed class SlowestItems
{
    /// <summary>Maximum number of items kept, more than a screen shows.</summary>
    const int Most = 20;

    readonly List<MeasuredItem> kept = [];

    public void Add(in MeasuredItem item)
    {
        if (kept.Count == Most && item.WaitMs <= kept[^1].WaitMs)
        {
            return;
        }

        var wait = item.WaitMs;
        var place = kept.FindIndex(k => k.WaitMs < wait);
        kept.Insert(place < 0 ? kept.Count : place, item);
        if (kept.Count > Most)
        {
            kept.RemoveAt(Most);
        }
    }

    /// <summary>Returns the completed and running items with the longest queue times, longest first.</summary>
    public ImmutableArray<MeasuredItem> Snapshot(IEnumerable<MeasuredItem> running) =>
        [.. kept.Concat(running).OrderByDescending(i => i.WaitMs).ThenBy(i => i.Taken).Take(Most)];
}

/// <summary>
/// Items that are queued and not yet taken, first in first out per id. Ids are hashes: an object can be queued again, and two objects may
/// share an id. Nodes are kept in one array and reused, so that nothing is allocated once the array has its size.
/// </summary>
sealed class WaitingItems
{
    /// <summary>Maximum number of items that are followed, up to 48 MB; further items are counted but not followed.</summary>
    const int Most = 1 << 20;

    const int None = -1;

    readonly Dictionary<long, (int First, int Last)> lines = [];
    Node[] nodes = new Node[256];
    int free = None;
    int used;

    public int Count { get; private set; }

    /// <summary>Times at which the waiting items were queued, in no order.</summary>
    public IEnumerable<EventTime> Queued => lines.Values.SelectMany(line => Line(line.First));

    /// <summary>Adds an item; returns false if the maximum number of items already waits.</summary>
    public bool Add(long id, EventTime at)
    {
        if (Count == Most)
        {
            return false;
        }

        var node = Take(at);
        if (lines.TryGetValue(id, out var line))
        {
            nodes[line.Last].Next = node;
            lines[id] = (line.First, node);
        }
        else
        {
            lines[id] = (node, node);
        }

        Count++;
        return true;
    }

    /// <summary>Removes the oldest item of this id and returns when it was queued; null when there is none.</summary>
    public EventTime? Remove(long id)
    {
        if (!lines.TryGetValue(id, out var line))
        {
            return null;
        }

        var (at, next) = (nodes[line.First].At, nodes[line.First].Next);
        if (next == None)
        {
            lines.Remove(id);
        }
        else
        {
            lines[id] = (next, line.Last);
        }

        GiveBack(line.First);
        return at;
    }

    /// <summary>Moves the items queued before a moment to another collection.</summary>
    public void MoveBefore(EventTime moment, WaitingItems to)
    {
        foreach (var id in lines.Keys.Where(id => nodes[lines[id].First].At < moment).ToArray())
        {
            while (lines.TryGetValue(id, out var line) && nodes[line.First].At < moment)
            {
                to.Add(id, nodes[line.First].At);
                Remove(id);
            }
        }
    }

    public void Clear()
    {
        lines.Clear();
        (free, used, Count) = (None, 0, 0);
    }

    IEnumerable<EventTime> Line(int node)
    {
        for (var at = node; at != None; at = nodes[at].Next)
        {
            yield return nodes[at].At;
        }
    }

    int Take(EventTime at)
    {
        var node = free;
        if (node == None)
        {
            node = used++;
            if (node == nodes.Length)
            {
                Array.Resize(ref nodes, nodes.Length * 2);
            }
        }
        else
        {
            free = nodes[node].Next;
        }

        nodes[node] = new Node { At = at, Next = None };
        return node;
    }

    void GiveBack(int node)
    {
        nodes[node].Next = free;
        free = node;
        Count--;
    }

    struct Node
    {
        public EventTime At;
        public int Next;
    }
}

/// <summary>
/// Counts queue time and run time in slices of one second. When there are too many slices, pairs of slices are merged. So a day needs as
/// much memory as ten minutes, and no count is lost.
/// </summary>
sealed class ItemSliceTracker
{
    /// <summary>Maximum number of slices: as many as a report has points.</summary>
    const int Most = 600;

    const long Second = 1_000_000_000;

    readonly List<SliceDurations> closed = [];
    readonly DurationCounter delay = new();
    readonly DurationCounter run = new();
    long widthNs = Second;
    long origin;
    long current = -1;

    public void Waited(EventTime at, long nanoseconds)
    {
        AdvanceTo(at);
        delay.Add(nanoseconds);
    }

    public void Ran(EventTime at, long nanoseconds)
    {
        AdvanceTo(at);
        run.Add(nanoseconds);
    }

    public ImmutableArray<SliceDurations> Snapshot() => delay.Count + run.Count == 0 ? [.. closed] : [.. closed, Open()];

    void AdvanceTo(EventTime at)
    {
        if (current < 0)
        {
            (origin, current) = (at.Nanoseconds, 0);
        }

        var slice = (at.Nanoseconds - origin) / widthNs;
        if (slice > current)
        {
            Close();
            current = (at.Nanoseconds - origin) / widthNs;
        }
    }

    void Close()
    {
        if (delay.Count + run.Count > 0)
        {
            closed.Add(Open());
            delay.Clear();
            run.Clear();
        }

        if (closed.Count >= Most)
        {
            widthNs *= 2;
            ImmutableArray<SliceDurations> wider =
            [
                .. closed.GroupBy(s => (s.Span.From.Nanoseconds - origin) / widthNs).Select(g => Wider(g.Key, [.. g])),
            ];
            closed.Clear();
            closed.AddRange(wider);
        }
    }

    SliceDurations Open() => new(SpanOf(current), delay.Snapshot(), run.Snapshot());

    SliceDurations Wider(long index, SliceDurations[] parts) =>
        new(SpanOf(index), DurationCounts.Sum(parts.Select(p => p.Delay)), DurationCounts.Sum(parts.Select(p => p.Run)));

    EventSpan SpanOf(long index) => new(new(origin + index * widthNs), new(origin + (index + 1) * widthNs));
}

/// <summary>Counts durations by bucket during one slice of time; reused for the next slice.</summary>
sealed class DurationCounter
{
    readonly long[] counts = new long[DurationBuckets.Count];
    int lowest = int.MaxValue;
    int highest = -1;
    long minNs = long.MaxValue;
    long maxNs;

    public long Count { get; private set; }

    public void Add(long nanoseconds)
    {
        var index = DurationBuckets.IndexOf(nanoseconds);
        counts[index]++;
        Count++;
        (lowest, highest) = (Math.Min(lowest, index), Math.Max(highest, index));
        (minNs, maxNs) = (Math.Min(minNs, Math.Max(0, nanoseconds)), Math.Max(maxNs, nanoseconds));
    }

    public DurationCounts Snapshot() => Count == 0 ? DurationCounts.None
        : new(Count, minNs, maxNs, DurationCounts.Filling(counts.AsSpan(lowest, highest - lowest + 1), lowest));

    public void Clear()
    {
        if (Count > 0)
        {
            Array.Clear(counts, lowest, highest - lowest + 1);
        }

        (lowest, highest, minNs, maxNs, Count) = (int.MaxValue, -1, long.MaxValue, 0, 0);
    }
}

/// <summary>Durations of items that still wait or run.</summary>
/// <param name="AgesMs">The age of each item so far, milliseconds.</param>
/// <param name="Others">Number of further items whose age is not known.</param>
sealed record OpenDurations(IReadOnlyList<double> AgesMs, long Others)
{
    public static OpenDurations None { get; } = new([], 0);
}

/// <summary>
/// Computes quantiles of durations of which some are incomplete. Quantiles of the complete durations alone would omit the longest ones.
/// With enough complete durations, the result is the product-limit estimate of E. Kaplan and P. Meier, Journal of the American Statistical
/// Association 53 (1958). Otherwise, it is the quantile as if all durations ended now, marked as a lower bound. Callers request quantiles
/// in ascending order.
/// </summary>
sealed class DurationsSoFar
{
    /// <summary>Tolerance for rounding errors.</summary>
    const double Nothing = 1e-9;

    readonly DurationCounts over;
    readonly double[] ages;
    readonly long others;
    readonly List<(double Ms, double Share)> estimate = [];
    double before;

    public DurationsSoFar(DurationCounts over, OpenDurations open)
    {
        (this.over, ages, others) = (over, [.. open.AgesMs.Order()], open.Others);
        if (Unfinished > 0 && others == 0)
        {
            Estimate();
        }
    }

    public long Unfinished => ages.Length + others;

    /// <summary>The values requested so far that are only lower bounds.</summary>
    public LowerBounds AtLeast { get; private set; }

    /// <summary>
    /// Returns the quantile of <paramref name="share"/> (0 to 1), milliseconds. Adds <paramref name="name"/> to <see cref="AtLeast"/> if
    /// the quantile is a lower bound.
    /// </summary>
    public double Next(double share, LowerBounds name)
    {
        if (Unfinished == 0)
        {
            return over.Count == 0 ? 0 : over.QuantileMs(share);
        }

        var at = estimate.FindIndex(e => e.Share >= share - Nothing);
        AtLeast |= at < 0 ? name : LowerBounds.None;
        return before = Math.Max(before, at < 0 ? ProvenMs(share) : estimate[at].Ms);
    }

    /// <summary>Returns the longest duration so far, milliseconds. Adds it to <see cref="AtLeast"/> if it is only a lower bound.</summary>
    public double Longest()
    {
        var (longest, oldest) = (over.MaxNs / 1e6, ages.Length == 0 ? 0 : ages[^1]);
        AtLeast |= others > 0 || oldest > longest ? LowerBounds.Max : LowerBounds.None;
        return Math.Max(longest, oldest);
    }

    void Estimate()
    {
        var (left, atRisk, younger) = (1.0, over.Count, 0);
        foreach (var bucket in over.Filled)
        {
            var ms = over.MiddleMs(bucket.Index);
            while (younger < ages.Length && ages[younger] < ms)
            {
                younger++;
            }

            left *= 1 - bucket.Count / (double)(atRisk + ages.Length - younger);
            atRisk -= bucket.Count;
            estimate.Add((ms, 1 - left));
        }
    }

    // The quantile by the nearest rank if all durations ended now; durations of unknown age count as zero.
    double ProvenMs(double share)
    {
        var rank = (long)Math.Ceiling(share * (over.Count + Unfinished)) - others;
        if (rank <= 0)
        {
            return 0;
        }

        var (seen, young) = (0L, 0);
        foreach (var bucket in over.Filled)
        {
            var ms = over.MiddleMs(bucket.Index);
            for (; young < ages.Length && ages[young] < ms; young++)
            {
                if (++seen >= rank)
                {
                    return ages[young];
                }
            }

            seen += bucket.Count;
            if (seen >= rank)
            {
                return ms;
            }
        }

        return ages.Length == 0 ? over.MaxNs / 1e6 : ages[Math.Clamp((int)(young + rank - seen) - 1, 0, ages.Length - 1)];
    }
}
