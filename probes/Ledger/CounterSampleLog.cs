using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Keeps the newest counter samples and answers for a given time whether items completed, how busy the processors were, and how many items
/// waited.
/// </summary>
sealed class CounterSampleLog
{
    /// <summary>
    /// Number of counter samples kept: two minutes at one sample per second, longer than any wait that is judged exactly.
    /// </summary>
    public const int Capacity = 128;

    /// <summary>
    /// Uncertainty of the counters in a sample, milliseconds. The counters are read about 0.1 ms apart, so at high rates the items of up to
    /// this time may be counted in either of two samples.
    /// </summary>
    public const double MarginMs = 1;

    /// <summary>Maximum time by which a counter sample may arrive early or late, milliseconds.</summary>
    public const double SampleJitterMs = 20;

    /// <summary>
    /// Maximum number of completions in a counter sample that is used for owed gate checks. With two dequeues in a second, that second may
    /// contain no time at which the last dequeue is half a second ago.
    /// </summary>
    const long MostASample = 1;

    readonly Recent<CounterSample> samples = new(Capacity);

    readonly ProvenWait proof = new();
    EventTime stalledSince;

    public CounterSample? Last => samples.Count > 0 ? samples[^1] : null;
    public IReadOnlyList<CounterSample> CounterSamples => samples;

    /// <summary>Lower bound of the time that some item has waited at the newest counter sample, milliseconds.</summary>
    public double ProvenWaitMs { get; private set; }

    /// <summary>
    /// Time for which items have waited while none completed, none was dequeued (the queue length never fell) and no worker thread was
    /// added, by the counter samples. Milliseconds; a hang may last longer than the samples are kept.
    /// </summary>
    public double StalledMs => Last is { } last ? last.At.MsSince(stalledSince) : 0;

    /// <summary>Counts the worker threads that were added after each counter sample.</summary>
    public NewWorkerLog NewWorkerLog { get; } = new();

    public void Add(CounterSample sample)
    {
        stalledSince = Last is { } before && Stalls(before, sample) ? stalledSince : sample.At;
        samples.Add(sample);
        NewWorkerLog.Sample();
        ProvenWaitMs = proof.Ms(samples, NewWorkerLog);
    }

    /// <summary>Forgets all earlier counter samples; no wait is proven across this time.</summary>
    public void Forget()
    {
        NewWorkerLog.Forget();
        samples.Clear();
        ProvenWaitMs = 0;
        proof.Forget();
    }

    /// <summary>
    /// Returns how long an item queued now would wait, by queue length and completion rate (Little's law), milliseconds; infinite when no
    /// item completes. The estimate can show that a proven wait continues, but not that a wait begins.
    /// </summary>
    public static double EstimatedWaitMs(CounterSample sample) => sample switch
    {
        not { QueueLength: > 0 } => 0,
        { QueueLength: { } queueLength, Completed: > 0 and { } completed, IntervalMs: { } interval } => queueLength * interval / completed,
        _ => double.PositiveInfinity,
    };

    /// <summary>
    /// Whether items may have completed in the span. False only when counter samples cover the whole span and count no completion; null
    /// when a part is not covered.
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
    /// Whether all worker threads up to the target thread count were busy in the span, by the counter samples. No thread was free if items
    /// waited at two samples before the span and none has completed since. One sample is not enough, because an item may have waited for a
    /// moment only.
    /// </summary>
    public bool NobodyWasFree(EventTime from, EventTime to) =>
        FirstAfter(from) is > 0 and var next && ProvenWait.SettledSince(samples, NewWorkerLog, next - 1) is not null
        && MayHaveCompleted(samples[next - 1].At, to) == false;

    /// <summary>Returns processor use at a given time, 0 to 1: from the counter sample that covers it, else from the last one.</summary>
    public double? CpuAt(EventTime at) =>
        samples.From(TimeOrder.FirstFrom(samples, at, b => b.At)).FirstOrDefault(b => b.Cpu is not null)?.Cpu ?? LastCpu();

    /// <summary>
    /// Returns the highest processor use that the gate thread can have read at a given time, 0 to 1; null when no sample reports processor
    /// use. The gate thread reads the use in one period, and all use in a longer counter sample may belong to that period. A time without a
    /// counter sample may have been busy.
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

    /// <summary>
    /// Returns the queue length around a given time: the larger one of the counter samples before and after; null when neither has one.
    /// </summary>
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
    /// Whether the condition of the gate thread certainly held at <paramref name="checks"/> or more gate checks since a given time. The
    /// condition is that items waited, the processors were idle and no item was dequeued for more than 500 ms. Counter samples without a
    /// completion show it. A gate check runs every 500 ms.
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
    /// Returns the mean number of gate checks since a given time that must have met the condition of the gate thread although items were
    /// dequeued. Series of counter samples with at most one dequeue each count. Half a second is subtracted from each series, and another
    /// half for each dequeue, because the condition requires that time. The result is a lower bound, whenever the dequeues happened. A
    /// small number proves nothing, because checks may fall outside the rest.
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

    // The condition requires the first half second without a dequeue. Counter samples arrive a few milliseconds early or late.
    static int ChecksWithin(double quietMs) =>
        Math.Max(0, (int)((quietMs - GateTiming.StarvationMs + SampleJitterMs) / GateTiming.AfterHold));

    /// <summary>
    /// Returns the number of items completed in the counter samples after a given time; samples without that counter are skipped.
    /// </summary>
    public long CompletedSince(EventTime at) => samples.From(FirstAfter(at)).Sum(b => b.Completed ?? 0);

    int FirstAfter(EventTime at) => TimeOrder.FirstAfter(samples, at, b => b.At);

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
/// Proves a lower bound of the time that some item has waited. Of the q items queued at an earlier counter sample, at most c + n were
/// dequeued since: c items completed, and n worker threads hold one. While c + n is less than q, one of the q still waits. If no worker
/// thread was idle at that sample, n counts only the threads added since. The bound holds if every item that leaves the queue is counted.
/// Items that a waiting thread runs inline are not; when the newest queue length shows this, nothing is proven.
/// </summary>
sealed class ProvenWait
{
    /// <summary>Upper bound of the time in which a requested idle thread runs, also with loaded processors, milliseconds.</summary>
    const double WakesWithinMs = 200;

    /// <summary>
    /// Maximum age of a counter sample with waiting items that can show that no worker thread was idle, milliseconds: three and a half
    /// counter samples. After a longer time another worker thread may have found the queue empty.
    /// </summary>
    const double SettlesWithinMs = 3500;

    /// <summary>Time of the counter sample at which items had left the queue without being counted.</summary>
    EventTime? uncounted;

    /// <summary>Largest queue length so far. Once that number of items has completed, no earlier item still waits.</summary>
    long longest;

    /// <summary>Forgets everything so far; no wait is proven across this time.</summary>
    public void Forget() => (uncounted, longest) = (null, 0);

    /// <summary>Returns the lower bound at the newest counter sample, which was just added, milliseconds.</summary>
    public double Ms(Recent<CounterSample> samples, NewWorkerLog newcomers)
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
            // A worker thread that started just before a counter sample takes its item just after that sample.
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
    /// Returns the index of the counter sample since which no worker thread was idle, for a sample at which items wait; null when none
    /// shows it. Items waited at the earlier sample too, an idle thread would have taken one in between, and no thread became idle since. A
    /// thread that takes an item later has completed one, which is counted, or is new.
    /// </summary>
    public static int? SettledSince(Recent<CounterSample> samples, NewWorkerLog newcomers, int index)
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
/// rising target thread count reactivates. Each count belongs to an index in <see cref="CounterSampleLog.CounterSamples"/>.
/// </summary>
sealed class NewWorkerLog
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

/// <summary>Keeps the counter samples; converts processor use to a share of all processors, as the runtime's own rule counts it.</summary>
sealed class CounterTracker
{
    /// <summary>
    /// Number of counter samples kept: one hour at one per second. Injection delays and episodes have already used the older ones.
    /// </summary>
    const int Capacity = 3600;

    readonly Queue<CounterSample> kept = new();

    public CounterSample? Last { get; private set; }

    public CounterSample Take(in CountersRead fact, int? processors)
    {
        Last = Translate(fact, processors);
        kept.Enqueue(Last);
        if (kept.Count > Capacity)
        {
            kept.Dequeue();
        }

        return Last;
    }

    public ImmutableArray<CounterSample> Snapshot() => [.. kept];

    /// <summary>Returns the counter sample as the timeline keeps it.</summary>
    public static CounterSample Translate(in CountersRead fact, int? processors)
    {
        var share = fact.Cpu.Share
            ?? (fact is { Cpu.Seconds: { } seconds, IntervalMs: { } interval } && processors is { } p && interval > 0
                ? seconds * 1000 / (interval * p) : null);
        return new(fact.At, fact.IntervalMs, fact.Workers, fact.QueueLength, fact.Completed, share);
    }
}
