using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Ledger;

/// <summary>
/// Finds the rule (<see cref="Mechanism"/>) by which worker threads arrive: on demand below the target thread count (G0), with a slow start
/// (G13), or not at all after a rise of that count (G10). Also finds threads that replace those that ended after their idle timeout (G15).
/// </summary>
sealed class WorkerArrivalTracker(GateTracker gate, CounterSampleLedger waits, Func<int> number)
{
    /// <summary>
    /// Maximum time from a rise of the target thread count to the start of the worker thread that the pool then requests, milliseconds.
    /// This start normally takes a millisecond. If no thread starts within this time, the pool requested none.
    /// </summary>
    const double PatienceMs = 500;

    /// <summary>Maximum number of rises that await a thread start; task waits cause about twenty rises in 500 ms.</summary>
    const int Most = 64;

    readonly RampTracker ramp = new();
    readonly IdleTimeoutTracker timeouts = new();
    readonly Queue<(int Number, EventTime At)> awaited = new();

    public void Started(in WorkerStarted fact)
    {
        var (birth, byGate) = gate.Started(fact);
        awaited.Clear();
        if (!byGate)
        {
            ramp.Add(fact.At, birth.Created);
        }
        else if (birth.Created is { } created && fact.At.MsSince(created) > RampTracker.StartMs)
        {
            waits.DelayJudgements.Put(Slow(created, fact.At));
        }
    }

    /// <summary>Records a rise of the target thread count, which ended <paramref name="delay"/>.</summary>
    public void Rose(InjectionDelay delay, int? existing)
    {
        Replaced(delay, 1);
        if (existing >= delay.TargetThreadsAfter)
        {
            waits.DelayJudgements.Note(delay.Number, Mechanism.G10GoalOnly, DelayReasons.NotNeeded(existing.Value));
            return;
        }

        awaited.Enqueue((delay.Number, delay.End));
        if (awaited.Count > Most)
        {
            awaited.Dequeue();
        }
    }

    public void Ended(EventTime at) => timeouts.Ended(at);

    /// <summary>Advances the time. Closes a burst of thread starts that is over. Notes each rise that no start followed.</summary>
    public void See(EventTime now, PoolState state)
    {
        while (awaited.TryPeek(out var first) && now.MsSince(first.At) > PatienceMs)
        {
            awaited.Dequeue();
            waits.DelayJudgements.Note(first.Number, Mechanism.G10GoalOnly, DelayReasons.NoneStarted(PatienceMs));
        }

        if (ramp.IsOver(now))
        {
            CloseRamp(state);
        }
    }

    public void CloseRamp(PoolState state)
    {
        var workers = ramp.Count;
        if (ramp.Close(number, state, waits.CounterSamples) is { } delay)
        {
            waits.DelayJudgements.Put(delay);
            Replaced(delay, workers);
        }
    }

    /// <summary>Forgets the awaited starts of worker threads, because the lost events may include such a start.</summary>
    public void Lose() => awaited.Clear();

    void Replaced(InjectionDelay delay, int workers)
    {
        if (timeouts.Replaced(delay.Reason is null ? delay.Start ?? delay.End : delay.End, workers) is { } sentence)
        {
            waits.DelayJudgements.Note(delay.Number, Mechanism.G15TimeoutChurn, sentence);
        }
    }

    InjectionDelay Slow(EventTime created, EventTime at) => new()
    {
        Number = number(),
        Start = created,
        StartBasis = Basis.Observed,
        End = at,
        EndBasis = Basis.Observed,
        Windows = [new(0, RampTracker.StartMs)],
        Verdict = DelayVerdict.Late,
        Mechanism = Mechanism.G13SlowThread,
        Because = DelayReasons.Slow(at.MsSince(created)),
    };
}

/// <summary>
/// Tracks worker threads that ended after their idle timeout, shortly before the pool needed threads again (G15). Each new worker thread
/// counts as the replacement of one ended thread.
/// </summary>
sealed class IdleTimeoutTracker
{
    /// <summary>
    /// Maximum time from the end of a worker thread to its replacement, milliseconds: three times the 20 s idle timeout. A thread that
    /// starts later replaces none.
    /// </summary>
    const double SoonMs = 60_000;

    /// <summary>Maximum number of ended worker threads kept, more than a pool ends within <see cref="SoonMs"/>.</summary>
    const int Most = 1024;

    readonly Queue<EventTime> ended = new();

    /// <summary>Records that a worker thread ended.</summary>
    public void Ended(EventTime at)
    {
        ended.Enqueue(at);
        if (ended.Count > Most)
        {
            ended.Dequeue();
        }
    }

    /// <summary>
    /// Returns a sentence on how many of <paramref name="created"/> new worker threads replace ended ones; null when none does.
    /// </summary>
    public string? Replaced(EventTime at, int created)
    {
        while (ended.TryPeek(out var first) && at.MsSince(first) > SoonMs)
        {
            ended.Dequeue();
        }

        // A burst of new threads is reported after its end. It cannot replace a thread that ended after the start of the burst.
        var count = ended.TakeWhile(e => e < at).Take(created).Count();
        if (count == 0)
        {
            return null;
        }

        var oldest = ended.Peek();
        for (var i = 0; i < count; i++)
        {
            ended.Dequeue();
        }

        return DelayReasons.Replaced(count, at.MsSince(oldest));
    }
}

/// <summary>
/// Tracks worker threads that the pool creates on demand below the target thread count (G0), without the gate thread. The only delay is the
/// start of the thread itself. Thread starts within <see cref="SameBurstMs"/> of each other form one injection delay.
/// </summary>
sealed class RampTracker
{
    /// <summary>Maximum time between two consecutive thread starts that belong to one burst, milliseconds.</summary>
    const double SameBurstMs = 50;

    /// <summary>Maximum time from the creation of a thread to its start on a machine that is not overcommitted, milliseconds.</summary>
    public const double StartMs = 20;

    EventTime? begin;
    EventTime lastCreated;
    EventTime lastStarted;
    double slowestMs;
    int count;
    bool unseen;

    /// <summary>Number of worker threads in the current burst.</summary>
    public int Count => count;

    public void Add(EventTime at, EventTime? created)
    {
        begin ??= created ?? at;
        lastCreated = created ?? at;
        // In a damaged stream a start may be older than the previous one.
        lastStarted = EventTime.Max(begin.Value, at);
        slowestMs = Math.Max(slowestMs, at.MsSince(lastCreated));
        unseen |= created is null;
        count++;
    }

    /// <summary>Whether a burst is open and its last thread start is more than <see cref="SameBurstMs"/> ago.</summary>
    public bool IsOver(EventTime now) => begin is not null && now.MsSince(lastStarted) > SameBurstMs;

    public InjectionDelay? Close(Func<int> number, PoolState state, CounterSampleLog samples)
    {
        if (begin is not { } start)
        {
            return null;
        }

        var delay = new InjectionDelay
        {
            Number = number(),
            Start = start,
            StartBasis = Basis.Observed,
            End = lastStarted,
            EndBasis = Basis.Observed,
            TargetThreadsBefore = state.TargetThreads,
            TargetThreadsAfter = state.TargetThreads,
            Windows = unseen ? [] : [new(lastCreated.MsSince(start), lastCreated.MsSince(start) + StartMs)],
            Verdict = unseen ? DelayVerdict.NotTimed : slowestMs <= StartMs ? DelayVerdict.AsExpected : DelayVerdict.Late,
            Mechanism = !unseen && slowestMs > StartMs ? Mechanism.G13SlowThread : Mechanism.G0Ramp,
            Because = DelayReasons.Ramp(count, lastStarted.MsSince(start), unseen ? null : slowestMs, isUnusual: slowestMs > StartMs),
            Cpu = samples.CpuAt(lastStarted),
            QueueLength = samples.QueueLengthAround(lastStarted),
        };
        (begin, slowestMs, count, unseen) = (null, 0, 0, false);
        return delay;
    }
}
