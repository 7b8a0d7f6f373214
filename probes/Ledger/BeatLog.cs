using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>The newest heartbeats, asked by moment: did anything complete, how busy were the processors, how much waited.</summary>
sealed class BeatLog
{
    /// <summary>Two minutes at one a second: longer than any wait that is judged sharply.</summary>
    public const int Capacity = 128;

    /// <summary>
    /// The counters of one heartbeat are read about 0.1 ms apart; at high rates so much of a
    /// millisecond's items may be counted on either side.
    /// </summary>
    public const double MarginMs = 1;

    /// <summary>So early or late a heartbeat may come.</summary>
    public const double BeatJitterMs = 20;

    /// <summary>Two dequeues in a second may leave no moment in it at which the last one was half a second ago.</summary>
    const long MostABeat = 1;

    readonly Recent<Heartbeat> beats = new(Capacity);

    readonly ProvenWait proof = new();
    EventTime stalledSince;

    public Heartbeat? Last => beats.Count > 0 ? beats[^1] : null;
    public IReadOnlyList<Heartbeat> Beats => beats;

    /// <summary>How long some item has waited at least at the newest heartbeat, milliseconds (<see cref="ProvenWait"/>).</summary>
    public double ProvenWaitMs { get; private set; }

    /// <summary>
    /// For how long items have waited while none completed, none can have been dequeued and no worker came, as far as heartbeats tell:
    /// the backlog never fell. Milliseconds; a hang may last longer than heartbeats are kept.
    /// </summary>
    public double StalledMs => Last is { } last ? last.At.MsSince(stalledSince) : 0;

    /// <summary>Workers that have come since a heartbeat.</summary>
    public Newcomers Newcomers { get; } = new();

    public void Add(Heartbeat beat)
    {
        stalledSince = Last is { } before && Stalls(before, beat) ? stalledSince : beat.At;
        beats.Add(beat);
        Newcomers.Beat();
        ProvenWaitMs = proof.Ms(beats, Newcomers);
    }

    /// <summary>Forgets what came before; nothing is proven across it any more.</summary>
    public void Forget()
    {
        Newcomers.Forget();
        beats.Clear();
        ProvenWaitMs = 0;
        proof.Forget();
    }

    /// <summary>
    /// How long an item queued now would wait by backlog and rate (Little's law), milliseconds; infinite when nothing completes. An
    /// estimate, good enough to say that a proven wait goes on, not to begin one.
    /// </summary>
    public static double EstimatedWaitMs(Heartbeat beat) => beat switch
    {
        not { Backlog: > 0 } => 0,
        { Backlog: { } backlog, Completed: > 0 and { } completed, IntervalMs: { } interval } => backlog * interval / completed,
        _ => double.PositiveInfinity,
    };

    /// <summary>
    /// Whether items may have completed in the span: false only when heartbeats cover all of it and
    /// counted none; null when some of it is not covered.
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
    /// Whether every worker up to the goal was busy in the span, as far as heartbeats tell: items waited at two heartbeats before it, and
    /// none has completed since, so that nobody was free to take one. At one of them an item may have waited for a moment only.
    /// </summary>
    public bool NobodyWasFree(EventTime from, EventTime to) =>
        FirstAfter(from) is > 0 and var next && ProvenWait.SettledSince(beats, Newcomers, next - 1) is not null
        && MayHaveCompleted(beats[next - 1].At, to) == false;

    /// <summary>Processor use around a moment, 0 to 1: of the heartbeat that covers it, else of the last one before it.</summary>
    public double? CpuAt(EventTime at) =>
        beats.From(TimeOrder.FirstFrom(beats, at, b => b.At)).FirstOrDefault(b => b.Cpu is not null)?.Cpu ?? LastCpu();

    /// <summary>
    /// The most that the gate can have read of the processors at a moment, 0 to 1: its reading covers one period, and what a heartbeat
    /// counts over a longer time may all have been used in that one. What no heartbeat covers may have been busy. Null where none tells.
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
    /// Items that waited around a moment: the more of what the heartbeats before and after it counted; null when neither did.
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
    /// Whether the gate's condition held since a moment at so many of its ticks, beyond doubt: nothing had been dequeued for more than
    /// 500 ms, items waited and the processors were idle, as heartbeats tell that count no completion. A tick comes every 500 ms.
    /// </summary>
    public bool HasUnanswered(int ticks, EventTime since)
    {
        var (seen, quietMs) = (0, 0.0);
        // From the newest on, since a hang of hours needs no more than its last seconds.
        for (var i = beats.Count - 1; i > 0 && beats[i - 1].At >= since && seen + TicksWithin(quietMs) < ticks; i--)
        {
            var held = beats[i] is { Completed: 0, Backlog: > 0, Cpu: < GateTiming.BusyCpu } && beats[i - 1].Backlog > 0;
            seen += held ? 0 : TicksWithin(quietMs);
            quietMs = held ? quietMs + beats[i].At.MsSince(beats[i - 1].At) : 0;
        }

        return seen + TicksWithin(quietMs) >= ticks;
    }

    /// <summary>
    /// Ticks of the gate since a moment that must have met its condition although items were dequeued, at most one a heartbeat: what is
    /// left of a stretch when each dequeue in it has kept the gate quiet for the half second that its condition asks for. A lower bound of
    /// their mean, whatever the moments of the dequeues; few of them prove nothing, for ticks may fall beside the rest.
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

    // The first half second without a dequeue is what the condition asks for; heartbeats come a few milliseconds early or late.
    static int TicksWithin(double quietMs) => Math.Max(0, (int)((quietMs - GateTiming.StarvationMs + BeatJitterMs) / GateTiming.AfterHold));

    /// <summary>Items completed over the heartbeats since a moment; those that count less are left out.</summary>
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
/// How long some item has waited at least: of the q items queued at an earlier heartbeat at most c completed + n workers have been dequeued
/// since, so while c + n is less than q one of them still waits. Where nobody was idle at that heartbeat, n are only the workers that came
/// since. A proven lower bound as long as nothing leaves the queue uncounted, as items do that a waiting worker runs inline; where the
/// newest backlog shows that some did, nothing is proven across it.
/// </summary>
sealed class ProvenWait
{
    /// <summary>An idle worker that is asked for runs long before that, on loaded processors too.</summary>
    const double WakesWithinMs = 200;

    /// <summary>
    /// Three heartbeats of a second and a half: of what an item shows that waited longer ago, another may have found the queue empty.
    /// </summary>
    const double SettlesWithinMs = 3500;

    /// <summary>The heartbeat at which items were missing from the queue that nothing counted had taken.</summary>
    EventTime? uncounted;

    /// <summary>The longest queue so far: once as many have completed, none that waited before is left.</summary>
    long longest;

    /// <summary>Nothing is proven any more across what came before.</summary>
    public void Forget() => (uncounted, longest) = (null, 0);

    /// <summary>The bound at the newest heartbeat, which has just been added; milliseconds.</summary>
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
            // A newcomer that started just before a heartbeat takes its item just after it.
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
    /// Since which heartbeat nobody was idle, as one shows at which items wait: at that earlier one items waited too, an idle worker would
    /// have taken one between the two, and none went to sleep since. Who takes an item later has completed one, which is counted, or is a
    /// newcomer. Null where nothing shows it.
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
