using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Keeps the newest counter samples and answers for a given time: whether items completed, how busy the processors were, how many items
/// waited.
/// </summary>
sealed class BeatLog
{
    /// <summary>
    /// The number of counter samples kept: two minutes at one sample per second, longer than any wait that is judged exactly.
    /// </summary>
    public const int Capacity = 128;

    /// <summary>
    /// The uncertainty of a counter sample, milliseconds. Its counters are read about 0.1 ms apart, so at high rates the items of up to
    /// this time may be counted in either of two samples.
    /// </summary>
    public const double MarginMs = 1;

    /// <summary>How early or late a counter sample may arrive, milliseconds.</summary>
    public const double BeatJitterMs = 20;

    /// <summary>
    /// The most completions in a counter sample that is used for owed gate checks: with two dequeues in a second there may be no time in it
    /// at which the last dequeue is half a second ago.
    /// </summary>
    const long MostABeat = 1;

    readonly Recent<Heartbeat> beats = new(Capacity);

    readonly ProvenWait proof = new();
    EventTime stalledSince;

    public Heartbeat? Last => beats.Count > 0 ? beats[^1] : null;
    public IReadOnlyList<Heartbeat> Beats => beats;

    /// <summary>How long some item has waited at least at the newest counter sample, milliseconds (<see cref="ProvenWait"/>).</summary>
    public double ProvenWaitMs { get; private set; }

    /// <summary>
    /// How long items have waited while none completed, none can have been dequeued (the queue length never fell) and no worker thread was
    /// added, by the counter samples. Milliseconds; a hang may last longer than the samples are kept.
    /// </summary>
    public double StalledMs => Last is { } last ? last.At.MsSince(stalledSince) : 0;

    /// <summary>Counts the worker threads that were added after each counter sample.</summary>
    public Newcomers Newcomers { get; } = new();

    public void Add(Heartbeat beat)
    {
        stalledSince = Last is { } before && Stalls(before, beat) ? stalledSince : beat.At;
        beats.Add(beat);
        Newcomers.Beat();
        ProvenWaitMs = proof.Ms(beats, Newcomers);
    }

    /// <summary>Forgets all earlier counter samples. Nothing is proven across this point.</summary>
    public void Forget()
    {
        Newcomers.Forget();
        beats.Clear();
        ProvenWaitMs = 0;
        proof.Forget();
    }

    /// <summary>
    /// How long an item that is queued now would wait by queue length and rate (Little's law), milliseconds; infinite when no item
    /// completes. The estimate can show that a proven wait continues, but not that one begins.
    /// </summary>
    public static double EstimatedWaitMs(Heartbeat beat) => beat switch
    {
        not { Backlog: > 0 } => 0,
        { Backlog: { } backlog, Completed: > 0 and { } completed, IntervalMs: { } interval } => backlog * interval / completed,
        _ => double.PositiveInfinity,
    };

    /// <summary>
    /// Whether items may have completed in the span: false only when counter samples cover the whole span and count no completion; null
    /// when a part is not covered.
    /// </summary>
    public bool? MayHaveCompleted(EventTime from, EventTime to)
    {
        var covered = from;
        foreach (var beat in beats.From(FirstAfter(from)))
        {
            if (beat.IntervalMs is not { } interval)
            {
                continue;
            }

            var begin = beat.At.PlusMs(-interval);
            if (begin >= to || begin.MsSince(covered) > MarginMs)
            {
                break;
            }

            if (beat.Completed is not { } completed || completed > 0)
            {
                return beat.Completed is null ? null : true;
            }

            covered = beat.At;
        }

        return covered >= to ? false : null;
    }

    /// <summary>
    /// Whether all worker threads up to the target thread count were busy in the span, by the counter samples: items waited at two samples
    /// before it and none has completed since, so no thread was free. One sample is not enough, because an item may have waited for a
    /// moment only.
    /// </summary>
    public bool NobodyWasFree(EventTime from, EventTime to) =>
        FirstAfter(from) is > 0 and var next && ProvenWait.SettledSince(beats, Newcomers, next - 1) is not null
        && MayHaveCompleted(beats[next - 1].At, to) == false;

    /// <summary>Processor use at a given time, 0 to 1: from the counter sample that covers it, else from the last one before it.</summary>
    public double? CpuAt(EventTime at) =>
        beats.From(TimeOrder.FirstFrom(beats, at, b => b.At)).FirstOrDefault(b => b.Cpu is not null)?.Cpu ?? LastCpu();

    /// <summary>
    /// The highest processor use that the gate thread can have read at a given time, 0 to 1. Its reading covers one period, and the use
    /// that a counter sample reports for a longer time may all belong to that period. A time without a counter sample may have been busy.
    /// Null when no sample reports processor use.
    /// </summary>
    public double? CpuAtMost(EventTime at)
    {
        if (CpuAt(at) is null)
        {
            return null;
        }

        var (from, usedMs, coveredMs) = (at.PlusMs(-GateTiming.StarvationMs), 0.0, 0.0);
        foreach (var beat in beats.From(FirstAfter(from)).TakeWhile(b => b.At.PlusMs(-(b.IntervalMs ?? 0)) < at))
        {
            if (beat is { Cpu: { } cpu, IntervalMs: { } interval })
            {
                var inside = EventTime.Min(at, beat.At).MsSince(EventTime.Max(from, beat.At.PlusMs(-interval)));
                (usedMs, coveredMs) = (usedMs + Math.Min(inside, cpu * interval), coveredMs + inside);
            }
        }

        return Math.Clamp((usedMs + GateTiming.StarvationMs - coveredMs) / GateTiming.StarvationMs, 0, 1);
    }

    /// <summary>
    /// The queue length around a given time: the larger value of the counter samples before and after it; null when neither has one.
    /// </summary>
    public long? BacklogAround(EventTime at)
    {
        var next = FirstAfter(at);
        var before = next > 0 ? beats[next - 1].Backlog : null;
        var after = next < beats.Count ? beats[next].Backlog : null;
        return before is null ? after : after is null ? before : Math.Max(before.Value, after.Value);
    }

    static bool Stalls(Heartbeat before, Heartbeat beat) => beat is { Completed: 0, Backlog: > 0 and { } waits }
        && before is { Backlog: > 0 and { } waited } && waited <= waits && before.Workers == beat.Workers;

    /// <summary>
    /// Whether the condition of the gate thread certainly held at <paramref name="ticks"/> or more gate checks since a given time: no
    /// dequeue for more than 500 ms, items waited and the processors were idle, by counter samples without a completion. A gate check runs
    /// every 500 ms.
    /// </summary>
    public bool HasUnanswered(int ticks, EventTime since)
    {
        var (seen, quietMs) = (0, 0.0);
        // The loop starts at the newest sample: a hang of hours needs only its last seconds.
        for (var i = beats.Count - 1; i > 0 && beats[i - 1].At >= since && seen + TicksWithin(quietMs) < ticks; i--)
        {
            var held = beats[i] is { Completed: 0, Backlog: > 0, Cpu: < GateTiming.BusyCpu } && beats[i - 1].Backlog > 0;
            seen += held ? 0 : TicksWithin(quietMs);
            quietMs = held ? quietMs + beats[i].At.MsSince(beats[i - 1].At) : 0;
        }

        return seen + TicksWithin(quietMs) >= ticks;
    }

    /// <summary>
    /// The number of gate checks since a given time that must have met the condition of the gate thread although items were dequeued, at
    /// most one per counter sample: the rest of a stretch after subtracting half a second, which the condition requires, for each dequeue.
    /// This is a lower bound of the mean, whenever the dequeues happened. A small number proves nothing, because checks may fall outside
    /// that rest.
    /// </summary>
    public double OwedTicks(EventTime since)
    {
        var (owedMs, ms, dequeued) = (0.0, 0.0, 0L);
        for (var i = 1; i < beats.Count; i++)
        {
            if (beats[i - 1].At >= since && beats[i - 1].Backlog > 0 && beats[i].Workers <= beats[i - 1].Workers
                && beats[i] is { Completed: <= MostABeat and { } done, Backlog: > 0, Cpu: < GateTiming.BusyCpu })
            {
                (ms, dequeued) = (ms + beats[i].At.MsSince(beats[i - 1].At), dequeued + done);
                continue;
            }

            owedMs += OwedMs(ms, dequeued);
            (ms, dequeued) = (0, 0);
        }

        return (owedMs + OwedMs(ms, dequeued)) / GateTiming.AfterHold;
    }

    static double OwedMs(double ms, long dequeued) => Math.Max(0, ms - (dequeued + 1) * GateTiming.StarvationMs);

    // The condition requires the first half second without a dequeue. Counter samples arrive a few milliseconds early or late.
    static int TicksWithin(double quietMs) => Math.Max(0, (int)((quietMs - GateTiming.StarvationMs + BeatJitterMs) / GateTiming.AfterHold));

    /// <summary>
    /// The number of items completed in the counter samples after a given time; samples without that counter are skipped.
    /// </summary>
    public long CompletedSince(EventTime at) => beats.From(FirstAfter(at)).Sum(b => b.Completed ?? 0);

    int FirstAfter(EventTime at) => TimeOrder.FirstAfter(beats, at, b => b.At);

    double? LastCpu()
    {
        for (var i = beats.Count - 1; i >= 0; i--)
        {
            if (beats[i].Cpu is { } cpu)
            {
                return cpu;
            }
        }

        return null;
    }
}

/// <summary>
/// Proves how long some item has waited at least. Of the q items queued at an earlier counter sample, at most c completed + n worker
/// threads have been dequeued since, so while c + n is less than q, one of them still waits. If no worker thread was idle at that sample, n
/// counts only the threads added since. The bound holds as long as every item that leaves the queue is counted. Items that a waiting worker
/// thread runs inline are not counted; when the newest queue length shows this, nothing is proven across it.
/// </summary>
sealed class ProvenWait
{
    /// <summary>The time within which a requested idle worker thread certainly runs, also with loaded processors, milliseconds.</summary>
    const double WakesWithinMs = 200;

    /// <summary>
    /// How far back a counter sample with waiting items can show that no worker thread was idle, milliseconds: three and a half counter
    /// samples. After a longer time another worker thread may have found the queue empty.
    /// </summary>
    const double SettlesWithinMs = 3500;

    /// <summary>The time of the counter sample at which items were missing from the queue without having been counted.</summary>
    EventTime? uncounted;

    /// <summary>The largest queue length so far. Once that number of items has completed, no earlier item still waits.</summary>
    long longest;

    /// <summary>Forgets everything before. Nothing is proven across this point.</summary>
    public void Forget() => (uncounted, longest) = (null, 0);

    /// <summary>The lower bound at the newest counter sample, which was just added; milliseconds.</summary>
    public double Ms(Recent<Heartbeat> beats, Newcomers newcomers)
    {
        var last = beats[^1];
        longest = Math.Max(longest, last.Backlog ?? 0);
        if (last.Workers is not { } workers)
        {
            return 0;
        }

        var completed = 0.0;
        var best = 0.0;
        for (var i = beats.Count - 2;
            i >= 0 && completed < longest && !(beats[i].At < uncounted) && beats[i + 1].Completed is { } step; i--)
        {
            completed += step;
            var wait = last.At.MsSince(beats[i].At);
            // A worker thread that started just before a counter sample takes its item just after it.
            var free = SettledSince(beats, newcomers, i) is { } since ? Math.Min(workers, newcomers.Since(since)) : workers;
            if (beats[i].Backlog is { } queued && queued - (completed + free + completed / wait * BeatLog.MarginMs) is > 0 and var left)
            {
                if (last.Backlog < left)
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
    /// The index of the counter sample since which no worker thread was idle, for a sample at which items wait: items waited at the earlier
    /// sample too, an idle worker thread would have taken one between the two, and no worker thread became idle since. A worker thread that
    /// takes an item later has completed one, which is counted, or is new. Null when no sample shows it.
    /// </summary>
    public static int? SettledSince(Recent<Heartbeat> beats, Newcomers newcomers, int index)
    {
        for (var i = index - 1; i >= 0 && beats[index].Backlog > 0 && !newcomers.SleptSince(i)
            && beats[index].At.MsSince(beats[i].At) <= SettlesWithinMs; i--)
        {
            if (beats[i].Backlog > 0 && beats[index].At.MsSince(beats[i].At) >= WakesWithinMs)
            {
                return i;
            }
        }

        return null;
    }
}
