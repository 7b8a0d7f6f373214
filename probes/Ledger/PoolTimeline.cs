using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Folds facts (events) into the timeline, which <see cref="Snapshot"/> returns. Only the decoding thread writes.</summary>
sealed class PoolTimeline(TargetFacts target, SessionSource source) : IFactSink
{
    readonly BucketTracker buckets = new();
    readonly CounterTracker counterSamples = new();
    readonly WorkerStateTracker moments = new();
    readonly QualityTracker quality = new();
    readonly HindranceTracker hindrances = new();
    TargetFacts target = target;
    EventTime start;
    DateTime startUtc;
    EventTime now;
    int? headerProcessors;
    int? workers;
    int? targetThreads;
    bool compensates;
    ClockReading? clock;
    double? imposedMs;

    public void Remark(string text) => quality.Remark(text);

    public TimelineSnapshot Snapshot() => new()
    {
        Target = target,
        Source = source,
        Start = start,
        StartUtc = startUtc,
        Now = now,
        Levels = new(workers, targetThreads, counterSamples.Last?.QueueLength, RateOf(counterSamples.Last), counterSamples.Last?.Cpu),
        Buckets = buckets.Snapshot(),
        CounterSamples = counterSamples.Snapshot(),
        ImposedIntervalMs = imposedMs,
        WorkerMoments = moments.Snapshot(),
        Clock = clock,
        Hindrances = hindrances.Snapshot(),
        HindranceTotals = hindrances.Totals(),
        Process = hindrances.Last,
        Others = hindrances.Others,
        Quality = quality.Snapshot(now),
    };

    public void On(in StreamOpened fact)
    {
        (start, now, startUtc) = (fact.At, fact.At, fact.Utc);
        headerProcessors = fact.Processors > 0 ? fact.Processors : null;
        buckets.Open(fact.At);
    }

    public void On(in TargetThreadsChanged fact)
    {
        See(fact.At);
        compensates = fact.Reason == AdjustmentReason.CooperativeBlocking ? fact.TargetThreads > targetThreads : compensates;
        targetThreads = fact.TargetThreads;
        buckets.TargetThreads(fact.TargetThreads);
    }

    public void On(in WorkerStarted fact)
    {
        SeeWorkers(fact.At, fact.Existing);
        moments.Started(fact.At, fact.ThreadId);
    }

    public void On(in WorkerStopped fact)
    {
        SeeWorkers(fact.At, fact.Existing);
        moments.Ended(fact.At, fact.ThreadId);
    }

    public void On(in WorkerWaited fact)
    {
        SeeWorkers(fact.At, fact.Existing);
        moments.Slept(fact.At, fact.ThreadId);
    }

    public void On(in LimitsChanged fact)
    {
        See(fact.At);
        target = target with
        {
            MinWorkers = fact.Stand && target.MinWorkers.Value == fact.Min ? target.MinWorkers : new(fact.Min, fact.Source),
            MaxWorkers = fact.Stand && target.MaxWorkers.Value == fact.Max ? target.MaxWorkers : new(fact.Max, fact.Source),
        };
        if (!fact.Stand)
        {
            targetThreads = fact.TargetThreadsAfter(targetThreads, compensates);
            buckets.TargetThreads(targetThreads.Value);
        }
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        var sample = counterSamples.Take(fact, target.Processors.Value ?? headerProcessors);
        if (fact.IntervalMs is { } interval)
        {
            buckets.CoverBack(fact.At.PlusMs(-interval), fact.At, (float)(RateOf(sample) ?? double.NaN), (float)(sample.Cpu ?? double.NaN));
        }

        buckets.QueueLength(fact.QueueLength ?? -1);
        if (fact.Workers is { } count)
        {
            Workers(count);
        }
    }

    public void On(in IntervalOverruled fact)
    {
        See(fact.At);
        imposedMs = fact.IntervalMs ?? imposedMs;
        quality.Remark("counter samples: " + fact.Message);
    }

    public void On(in ProcessorsCounted fact)
    {
        See(fact.At);
        target = target with { Processors = new(fact.Count, SettingSource.Event) };
    }

    public void On(in SwitchSeen fact)
    {
        See(fact.At);
        if (fact.Name.StartsWith("System.Threading.ThreadPool.", StringComparison.Ordinal))
        {
            var setting = new PoolSetting(fact.Name, fact.On ? "true" : "false", SettingSource.Event);
            target = target with { Settings = target.Settings.Contains(setting) ? target.Settings : target.Settings.Add(setting) };
        }
    }

    public void On(in ThreadsSuspended fact)
    {
        See(fact.At);
        hindrances.Take(fact);
    }

    // Process samples come from outside the event stream, so they do not advance the time of the stream.
    public void On(in ProcessSampled fact) => hindrances.Take(fact.Reading);

    public void On(in ClockSeen fact) => clock = fact.Reading;

    public void On(in EventsLost fact)
    {
        var before = now;
        AdvanceTo(fact.At);
        buckets.MarkLost(before, fact.At);
        quality.Lose(before, fact.At, fact.Count);
    }

    public void On(in EventUndecodable fact)
    {
        See(fact.At);
        quality.Undecodable(fact.What);
    }

    void SeeWorkers(EventTime at, int existing)
    {
        See(at);
        Workers(existing);
    }

    void Workers(int existing)
    {
        workers = existing;
        buckets.Workers(existing);
    }

    public void See(EventTime at)
    {
        quality.Count();
        AdvanceTo(at);
    }

    void AdvanceTo(EventTime at)
    {
        // Events are sorted. An earlier time can only come from a damaged stream and must not shorten the timeline.
        now = at > now ? at : now;
        buckets.AdvanceTo(now);
    }

    static double? RateOf(CounterSample? sample) =>
        sample is { Completed: { } completed, IntervalMs: { } interval } && interval > 0 ? completed * 1000 / interval : null;
}

/// <summary>Counts events that were read, lost or not understood, and keeps the time spans in which events were lost.</summary>
sealed class QualityTracker
{
    /// <summary>Maximum number of separate losses kept, more than a user reads. Further lost events are only counted.</summary>
    const int MaxSpans = 1000;

    readonly List<EventSpan> spans = [];
    readonly List<string> remarks = [];
    long events;
    long lost;
    bool lossUnknown;
    long undecodable;

    public void Count() => events++;

    public EventSpan Lose(EventTime from, EventTime to, long? count)
    {
        lost += count ?? 0;
        lossUnknown |= count is null;
        var span = new EventSpan(from, to);
        if (spans.Count < MaxSpans)
        {
            spans.Add(span);
        }

        return span;
    }

    public void Undecodable(string what)
    {
        undecodable++;
        Remark($"an event could not be understood: {what}");
    }

    public void Remark(string text)
    {
        if (!remarks.Contains(text))
        {
            remarks.Add(text);
        }
    }

    public CaptureQuality Snapshot(EventTime completeUpTo) =>
        new(events, lost, lossUnknown, undecodable, completeUpTo, [.. spans], [.. remarks]);
}

/// <summary>
/// Fills the buckets of the timeline: one bucket of values per 50 ms of event time for the newest fifteen minutes, and one per second for
/// older time. A chunk (array) of buckets that a snapshot also uses is copied before a write.
/// </summary>
sealed class BucketTracker
{
    const int MaxChunks = BucketSeries.Capacity / BucketSeries.ChunkLength + 1;
    const int MaxCoarse = (BucketSeries.WholeCapacity - BucketSeries.Capacity) / BucketSeries.ChunkLength;

    readonly List<Bucket[]> chunks = [];
    readonly List<bool> shared = [];
    ImmutableList<Bucket[]> coarse = [];
    EventTime origin;
    long firstIndex;
    long endIndex;

    Bucket open = Bucket.Unknown;
    int workersNow = -1;

    public void Open(EventTime start) => origin = start;

    /// <summary>Adds buckets up to <paramref name="at"/>, filled with the last known values.</summary>
    public void AdvanceTo(EventTime at)
    {
        var wanted = IndexOf(at) + 1;
        if (wanted - endIndex > BucketSeries.WholeCapacity)
        {
            Restart((wanted - BucketSeries.WholeCapacity) / BucketSeries.ChunkLength * BucketSeries.ChunkLength);
        }

        while (endIndex < wanted)
        {
            open = Bucket.Unknown with
            {
                WorkersMin = workersNow,
                WorkersMax = workersNow,
                TargetThreads = open.TargetThreads,
                QueueLength = open.QueueLength
            };
            Append(open);
        }
    }

    public void Workers(int count)
    {
        var known = open.WorkersMin >= 0;
        workersNow = count;
        Write(open with
        {
            WorkersMin = known ? Math.Min(open.WorkersMin, count) : count,
            WorkersMax = known ? Math.Max(open.WorkersMax, count) : count,
        });
    }

    public void TargetThreads(int targetThreads) => Write(open with { TargetThreads = targetThreads });

    public void QueueLength(long queueLength) => Write(open with { QueueLength = queueLength });

    /// <summary>Applies the rate and processor use of a counter sample to the time that the sample covers.</summary>
    public void CoverBack(EventTime from, EventTime to, float completedPerSecond, float cpu)
    {
        for (var index = Math.Max(firstIndex, IndexOf(from)); index < endIndex && index <= IndexOf(to); index++)
        {
            var chunk = Writable(index);
            ref var bucket = ref chunk[Offset(index)];
            bucket = bucket with { CompletedPerSecond = completedPerSecond, Cpu = cpu };
        }

        open = open with { CompletedPerSecond = completedPerSecond, Cpu = cpu };
    }

    public void MarkLost(EventTime from, EventTime to)
    {
        for (var index = Math.Max(firstIndex, IndexOf(from)); index < endIndex && index <= IndexOf(to); index++)
        {
            ref var bucket = ref Writable(index)[Offset(index)];
            bucket = bucket with { Lost = true };
        }

        open = open with { Lost = true };
    }

    public BucketSeries Snapshot()
    {
        for (var i = 0; i < shared.Count; i++)
        {
            shared[i] = true;
        }

        var tail = chunks.Count == 0 ? 0 : (int)(endIndex - firstIndex - (chunks.Count - 1) * (long)BucketSeries.ChunkLength);
        return new BucketSeries(origin, coarse, firstIndex, [.. chunks], tail);
    }

    void Write(Bucket bucket)
    {
        open = bucket;
        if (endIndex > firstIndex)
        {
            Writable(endIndex - 1)[Offset(endIndex - 1)] = bucket;
        }
    }

    void Append(Bucket bucket)
    {
        if ((endIndex - firstIndex) % BucketSeries.ChunkLength == 0)
        {
            chunks.Add(new Bucket[BucketSeries.ChunkLength]);
            shared.Add(false);
        }

        endIndex++;
        Writable(endIndex - 1)[Offset(endIndex - 1)] = bucket;
        if (chunks.Count > MaxChunks)
        {
            coarse = (coarse.Count < MaxCoarse ? coarse : coarse.RemoveAt(0)).Add(BucketDownsampler.Of(chunks[0]));
            chunks.RemoveAt(0);
            shared.RemoveAt(0);
            firstIndex += BucketSeries.ChunkLength;
        }
    }

    Bucket[] Writable(long index)
    {
        var chunk = (int)((index - firstIndex) / BucketSeries.ChunkLength);
        if (shared[chunk])
        {
            chunks[chunk] = (Bucket[])chunks[chunk].Clone();
            shared[chunk] = false;
        }

        return chunks[chunk];
    }

    void Restart(long first)
    {
        chunks.Clear();
        shared.Clear();
        coarse = [];
        firstIndex = endIndex = first;
    }

    int Offset(long index) => (int)((index - firstIndex) % BucketSeries.ChunkLength);

    long IndexOf(EventTime at) => (long)Math.Floor(at.MsSince(origin) / BucketSeries.BucketMs);
}

/// <summary>
/// Combines the buckets of each second into one without losing a spike: minimum and maximum of worker threads, largest queue length and
/// processor use, mean rate of completions.
/// </summary>
static class BucketDownsampler
{
    /// <summary>Returns one bucket for each second of a chunk, oldest first.</summary>
    public static Bucket[] Of(Bucket[] detail) => [.. detail.Chunk(BucketSeries.PerCoarse).Select(Fold)];

    static Bucket Fold(Bucket[] second)
    {
        var folded = Bucket.Unknown;
        var (done, rates) = (0.0, 0);
        foreach (var bucket in second)
        {
            folded = And(folded, bucket);
            (done, rates) = float.IsNaN(bucket.CompletedPerSecond) ? (done, rates) : (done + bucket.CompletedPerSecond, rates + 1);
        }

        return folded with { CompletedPerSecond = rates == 0 ? float.NaN : (float)(done / rates) };
    }

    static Bucket And(Bucket folded, Bucket next) => folded with
    {
        WorkersMin = folded.WorkersMin < 0
            ? next.WorkersMin
            : next.WorkersMin < 0 ? folded.WorkersMin
            : Math.Min(folded.WorkersMin, next.WorkersMin),
        WorkersMax = Math.Max(folded.WorkersMax, next.WorkersMax),
        TargetThreads = next.TargetThreads >= 0 ? next.TargetThreads : folded.TargetThreads,
        QueueLength = Math.Max(folded.QueueLength, next.QueueLength),
        Cpu = float.IsNaN(folded.Cpu) || next.Cpu > folded.Cpu ? next.Cpu : folded.Cpu,
        Lost = folded.Lost || next.Lost,
    };
}
