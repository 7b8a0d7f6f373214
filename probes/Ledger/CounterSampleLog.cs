using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Keeps the newest counter samples (readings of the runtime's counters, usually one per second). Answers for a given time whether items
/// completed, how busy the processors were, and how many items waited.
/// </summary>
sealed class CounterSampleLog
{
    /// <summary>Maximum number of counter samples kept: two minutes at one sample per second.</summary>
    public const int Capacity = 128;

    /// <summary>
    /// Uncertainty of the time to which a sample's counters belong, milliseconds. The runtime reads the counters of one sample about 0.1 ms
    /// apart. So an item that completes within this time of a sample may be counted in that sample or in the next one.
    /// </summary>
    public const double MarginMs = 1;

    /// <summary>Maximum time by which a counter sample may arrive early or late, milliseconds.</summary>
    public const double SampleJitterMs = 20;

    /// <summary>
    /// Maximum number of completions in a counter sample that <see cref="OwedChecks"/> uses. If two items are dequeued in a second, that
    /// second may contain no time at which the last dequeue is more than 500 ms ago.
    /// </summary>
    const long MostASample = 1;

    readonly Recent<CounterSample> samples = new(Capacity);

    readonly WaitLowerBound proof = new();
    EventTime stalledSince;

    public CounterSample? Last => samples.Count > 0 ? samples[^1] : null;
    public IReadOnlyList<CounterSample> CounterSamples => samples;

    /// <summary>Lower bound of the longest wait of an item queued at the newest counter sample, milliseconds; 0 without proof.</summary>
    public double ProvenWaitMs { get; private set; }

    /// <summary>
    /// Duration of the standstill up to the newest counter sample, milliseconds; 0 when there is none. In a standstill, items wait, none
    /// completes, the queue length does not fall, and the number of worker threads does not change.
    /// </summary>
    public double StalledMs => Last is { } last ? last.At.MsSince(stalledSince) : 0;

    /// <summary>Counts the worker threads that were added after each counter sample.</summary>
    public NewWorkerCounter NewWorkerCounter { get; } = new();

    public void Add(CounterSample sample)
    {
        stalledSince = Last is { } before && Stalls(before, sample) ? stalledSince : sample.At;
        samples.Add(sample);
        NewWorkerCounter.Sample();
        ProvenWaitMs = proof.Ms(samples, NewWorkerCounter);
    }

    /// <summary>Forgets all counter samples. Later samples then prove no wait that began before this call.</summary>
    public void Forget()
    {
        NewWorkerCounter.Forget();
        samples.Clear();
        ProvenWaitMs = 0;
        proof.Forget();
    }

    /// <summary>
    /// Returns the estimated wait of an item that is queued at the sample, milliseconds: the queue length divided by the completion rate
    /// (Little's law). Infinite when no item completes.
    /// </summary>
    public static double EstimatedWaitMs(CounterSample sample) => sample switch
    {
        not { QueueLength: > 0 } => 0,
        { QueueLength: { } queueLength, Completed: > 0 and { } completed, IntervalMs: { } interval } => queueLength * interval / completed,
        _ => double.PositiveInfinity,
    };

    /// <summary>
    /// Whether items may have completed in the given time. True if a counter sample in that time counts a completion, false if samples
    /// cover all of that time and count none, otherwise null.
    /// </summary>
    public bool? MayHaveCompleted(EventTime from, EventTime to)
    {
        var covered = from;
        foreach (var sample in samples.From(FirstAfter(from)))
        {
            if (sample.IntervalMs is not { } interval)
            {
                continue;
            }

            var begin = sample.At.PlusMs(-interval);
            if (begin >= to || begin.MsSince(covered) > MarginMs)
            {
                break;
            }

            if (sample.Completed is not { } completed || completed > 0)
            {
                return sample.Completed is null ? null : true;
            }

            covered = sample.At;
        }

        return covered >= to ? false : null;
    }

    /// <summary>
    /// Whether the counter samples prove that no worker thread was idle in the given time: items waited at two samples before it, and no
    /// item has completed since. One sample proves nothing, because its item may have waited only for a moment.
    /// </summary>
    public bool NoWorkerWasIdle(EventTime from, EventTime to) =>
        FirstAfter(from) is > 0 and var next && WaitLowerBound.SettledSince(samples, NewWorkerCounter, next - 1) is not null
        && MayHaveCompleted(samples[next - 1].At, to) == false;

    /// <summary>Returns processor use (0 to 1) at the first counter sample since a given time, else at the last; null if unknown.</summary>
    public double? CpuAt(EventTime at) =>
        samples.From(TimeOrderedSearch.FirstFrom(samples, at, b => b.At)).FirstOrDefault(b => b.Cpu is not null)?.Cpu ?? LastCpu();

    /// <summary>
    /// Returns the upper bound of the processor use that the gate thread read at a given time, 0 to 1; null when no sample reports
    /// processor use. The gate thread reads the use of the last 500 ms, and all use in a longer counter sample may fall into these 500 ms.
    /// A time without a counter sample counts as busy.
    /// </summary>
    public double? CpuAtMost(EventTime at)
    {
        if (CpuAt(at) is null)
        {
            return null;
        }

        var (from, usedMs, coveredMs) = (at.PlusMs(-GateTiming.StarvationMs), 0.0, 0.0);
        foreach (var sample in samples.From(FirstAfter(from)).TakeWhile(b => b.At.PlusMs(-(b.IntervalMs ?? 0)) < at))
        {
            if (sample is { Cpu: { } cpu, IntervalMs: { } interval })
            {
                var inside = EventTime.Min(at, sample.At).MsSince(EventTime.Max(from, sample.At.PlusMs(-interval)));
                (usedMs, coveredMs) = (usedMs + Math.Min(inside, cpu * interval), coveredMs + inside);
            }
        }

        return Math.Clamp((usedMs + GateTiming.StarvationMs - coveredMs) / GateTiming.StarvationMs, 0, 1);
    }

    /// <summary>Returns the larger queue length of the counter samples before and after a given time; null when neither has one.</summary>
    public long? QueueLengthAround(EventTime at)
    {
        var next = FirstAfter(at);
        var before = next > 0 ? samples[next - 1].QueueLength : null;
        var after = next < samples.Count ? samples[next].QueueLength : null;
        return before is null ? after : after is null ? before : Math.Max(before.Value, after.Value);
    }

    static bool Stalls(CounterSample before, CounterSample sample) => sample is { Completed: 0, QueueLength: > 0 and { } waits }
        && before is { QueueLength: > 0 and { } waited } && waited <= waits && before.Workers == sample.Workers;

    /// <summary>
    /// Whether <paramref name="checks"/> or more gate checks since a given time certainly had to add a thread: items waited, the processors
    /// were not busy, and no item was dequeued for more than 500 ms. Counter samples with waiting items and without a completion show this.
    /// </summary>
    public bool HasUnanswered(int checks, EventTime since)
    {
        var (seen, quietMs) = (0, 0.0);
        // The loop starts at the newest sample: a hang of hours needs only its last seconds.
        for (var i = samples.Count - 1; i > 0 && samples[i - 1].At >= since && seen + ChecksWithin(quietMs) < checks; i--)
        {
            var held = samples[i] is { Completed: 0, QueueLength: > 0, Cpu: < GateTiming.BusyCpu } && samples[i - 1].QueueLength > 0;
            seen += held ? 0 : ChecksWithin(quietMs);
            quietMs = held ? quietMs + samples[i].At.MsSince(samples[i - 1].At) : 0;
        }

        return seen + ChecksWithin(quietMs) >= checks;
    }

    /// <summary>
    /// Returns a lower bound of the expected number of gate checks since a given time that had to add a thread. Counts only time in which
    /// items waited, the processors were not busy, and each counter sample has at most one completion. Half a second is subtracted from
    /// each such series of samples and for each dequeue, because in that time the last dequeue is too recent. A small result proves
    /// nothing, because all checks may have run in the subtracted time.
    /// </summary>
    public double OwedChecks(EventTime since)
    {
        var (owedMs, ms, dequeued) = (0.0, 0.0, 0L);
        for (var i = 1; i < samples.Count; i++)
        {
            if (samples[i - 1].At >= since && samples[i - 1].QueueLength > 0 && samples[i].Workers <= samples[i - 1].Workers
                && samples[i] is { Completed: <= MostASample and { } done, QueueLength: > 0, Cpu: < GateTiming.BusyCpu })
            {
                (ms, dequeued) = (ms + samples[i].At.MsSince(samples[i - 1].At), dequeued + done);
                continue;
            }

            owedMs += OwedMs(ms, dequeued);
            (ms, dequeued) = (0, 0);
        }

        return (owedMs + OwedMs(ms, dequeued)) / GateTiming.AfterHold;
    }

    static double OwedMs(double ms, long dequeued) => Math.Max(0, ms - (dequeued + 1) * GateTiming.StarvationMs);

    // Number of checks that had to add a thread in a time without a dequeue: none in the first 500 ms. Allows for early and late samples.
    static int ChecksWithin(double quietMs) =>
        Math.Max(0, (int)((quietMs - GateTiming.StarvationMs + SampleJitterMs) / GateTiming.AfterHold));

    /// <summary>
    /// Returns the number of items completed in the counter samples after a given time; samples without that counter are skipped.
    /// </summary>
    public long CompletedSince(EventTime at) => samples.From(FirstAfter(at)).Sum(b => b.Completed ?? 0);

    int FirstAfter(EventTime at) => TimeOrderedSearch.FirstAfter(samples, at, b => b.At);

    double? LastCpu()
    {
        for (var i = samples.Count - 1; i >= 0; i--)
        {
            if (samples[i].Cpu is { } cpu)
            {
                return cpu;
            }
        }

        return null;
    }
}

/// <summary>
/// Proves a lower bound of the longest wait in the queue. Of the q items queued at an earlier counter sample, at most c + n were dequeued
/// since: c items completed, and n worker threads hold an item. While c + n is less than q, one of the q still waits. If no worker thread
/// was idle at that sample, n counts only the threads added since. The bound fails if a thread that waits for an item runs it inline,
/// because such items leave the queue uncounted. If the newest queue is too short for the bound, this has happened, and nothing is proven.
/// </summary>
sealed class WaitLowerBound
{
    /// <summary>Upper bound of the time from a thread request until an idle thread runs, even on a loaded machine, milliseconds.</summary>
    const double WakesWithinMs = 200;

    /// <summary>
    /// Maximum distance of two counter samples with waiting items that together show that no worker thread was idle, milliseconds: three
    /// and a half sample intervals. In a longer time, a worker thread may have found the queue empty in between.
    /// </summary>
    const double SettlesWithinMs = 3500;

    /// <summary>Time of the last counter sample that showed that items had left the queue uncounted; null when there was none.</summary>
    EventTime? uncounted;

    /// <summary>Largest queue length so far. After that number of completions, no item queued before them still waits.</summary>
    long longest;

    /// <summary>Forgets the samples so far. Later samples then prove no wait that began before this call.</summary>
    public void Forget() => (uncounted, longest) = (null, 0);

    /// <summary>Returns the lower bound of the longest wait at the newest counter sample, milliseconds; 0 when no wait is proven.</summary>
    public double Ms(Recent<CounterSample> samples, NewWorkerCounter newcomers)
    {
        var last = samples[^1];
        longest = Math.Max(longest, last.QueueLength ?? 0);
        if (last.Workers is not { } workers)
        {
            return 0;
        }

        var completed = 0.0;
        var best = 0.0;
        for (var i = samples.Count - 2;
            i >= 0 && completed < longest && !(samples[i].At < uncounted) && samples[i + 1].Completed is { } step; i--)
        {
            completed += step;
            var wait = last.At.MsSince(samples[i].At);
            // Counts new threads from the earlier sample on: a thread that started just before sample i may take its item after sample i.
            var free = SettledSince(samples, newcomers, i) is { } since ? Math.Min(workers, newcomers.Since(since)) : workers;
            if (samples[i].QueueLength is { } queued
                && queued - (completed + free + completed / wait * CounterSampleLog.MarginMs) is > 0 and var left)
            {
                if (last.QueueLength < left)
                {
                    uncounted = last.At;
                    return 0;
                }

                best = wait;
            }
        }

        return best;
    }

    /// <summary>
    /// Returns the index of an earlier counter sample since which no worker thread was idle; null when no sample shows this. Items waited
    /// at the earlier sample and at <paramref name="index"/>, so an idle thread would have taken one. No thread became idle in between. A
    /// thread that takes an item later is new, or has completed an item, which is counted.
    /// </summary>
    public static int? SettledSince(Recent<CounterSample> samples, NewWorkerCounter newcomers, int index)
    {
        for (var i = index - 1; i >= 0 && samples[index].QueueLength > 0 && !newcomers.SleptSince(i)
            && samples[index].At.MsSince(samples[i].At) <= SettlesWithinMs; i--)
        {
            if (samples[i].QueueLength > 0 && samples[index].At.MsSince(samples[i].At) >= WakesWithinMs)
            {
                return i;
            }
        }

        return null;
    }
}

/// <summary>
/// Counts worker threads that may have taken an item without having completed one: threads that started (event 50), and parked ones that a
/// rising target thread count reactivates. Indexes are those of the counter samples in <see cref="CounterSampleLog"/>.
/// </summary>
sealed class NewWorkerCounter
{
    readonly Recent<Mark> marks = new(CounterSampleLog.Capacity);
    long came;
    long slept;

    /// <summary>Records that a worker thread started, or that the target thread count rose by <paramref name="workers"/>.</summary>
    public void Come(int workers) => came += Math.Max(0, workers);

    /// <summary>Records that a worker thread found the queue empty.</summary>
    public void Slept() => slept++;

    /// <summary>Records that a counter sample was taken.</summary>
    public void Sample() => marks.Add(new(came, slept));

    /// <summary>Forgets all counter samples.</summary>
    public void Forget() => marks.Clear();

    /// <summary>Returns the number of worker threads added since a counter sample.</summary>
    public long Since(int sample) => came - marks[sample].Came;

    /// <summary>Whether any worker thread found the queue empty since a counter sample.</summary>
    public bool SleptSince(int sample) => slept != marks[sample].Slept;

    readonly record struct Mark(long Came, long Slept);
}

/// <summary>Keeps the counter samples for the timeline, with processor use as a share of all processors, as in the runtime.</summary>
sealed class CounterTracker
{
    /// <summary>Maximum number of counter samples kept: one hour at one per second.</summary>
    const int Capacity = 3600;

    readonly Recent<CounterSample> kept = new(Capacity);

    public CounterSample? Last => kept.Count > 0 ? kept[^1] : null;

    public CounterSample Take(in CountersRead fact, int? processors)
    {
        kept.Add(Translate(fact, processors));
        return kept[^1];
    }

    public ImmutableArray<CounterSample> Snapshot() => kept.Copy();

    /// <summary>Converts counters from the event stream to a counter sample; <paramref name="processors"/> is null when unknown.</summary>
    public static CounterSample Translate(in CountersRead fact, int? processors)
    {
        var share = fact.Cpu.Share
            ?? (fact is { Cpu.Seconds: { } seconds, IntervalMs: { } interval } && processors is { } p && interval > 0
                ? seconds * 1000 / (interval * p) : null);
        return new(fact.At, fact.IntervalMs, fact.Workers, fact.QueueLength, fact.Completed, share);
    }
}
