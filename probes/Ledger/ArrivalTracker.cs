using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// How workers come: on demand below the goal (G0), after a thread that took long to start (G13), or not at all after a rise of the goal
/// (G10), and whether they replace some that had ended for idleness (G15).
/// </summary>
sealed class ArrivalTracker(GateTracker gate, WaitLedger waits, Func<int> number)
{
    /// <summary>A worker follows its rise within a millisecond; a thread that has not come after so long was not asked for.</summary>
    const double PatienceMs = 500;

    /// <summary>Rises that are waited for at once; in half a second the steps for task waits make twenty.</summary>
    const int Most = 64;

    readonly RampTracker ramp = new();
    readonly TimeoutTracker timeouts = new();
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
            waits.Judgements.Put(Slow(created, fact.At));
        }
    }

    /// <summary>The goal rose, and a gap ended with it.</summary>
    public void Rose(Gap gap, int? existing)
    {
        Replaced(gap, 1);
        if (existing >= gap.GoalAfter)
        {
            waits.Judgements.Note(gap.Number, Mechanism.G10GoalOnly,
                $"No new thread was needed: {existing} worker threads existed already.");
            return;
        }

        awaited.Enqueue((gap.Number, gap.End));
        if (awaited.Count > Most)
        {
            awaited.Dequeue();
        }
    }

    public void Ended(EventTime at) => timeouts.Ended(at);

    /// <summary>Time has passed: a burst may be over, and a rise is told to which nobody came.</summary>
    public void See(EventTime now, PoolState state)
    {
        while (awaited.TryPeek(out var first) && now.MsSince(first.At) > PatienceMs)
        {
            awaited.Dequeue();
            waits.Judgements.Note(
                first.Number, Mechanism.G10GoalOnly,
                $"No new thread started within {Format.Duration(PatienceMs)}: idle threads took the items, or the pool requested none.");
        }

        if (ramp.IsOver(now))
        {
            CloseRamp(state);
        }
    }

    public void CloseRamp(PoolState state)
    {
        var workers = ramp.Count;
        if (ramp.Close(number, state, waits.Beats) is { } gap)
        {
            waits.Judgements.Put(gap);
            Replaced(gap, workers);
        }
    }

    /// <summary>A start may be among what was lost.</summary>
    public void Lose() => awaited.Clear();

    void Replaced(Gap gap, int workers)
    {
        if (timeouts.Replaced(gap.Reason is null ? gap.Start ?? gap.End : gap.End, workers) is { } sentence)
        {
            waits.Judgements.Note(gap.Number, Mechanism.G15TimeoutChurn, sentence);
        }
    }

    Gap Slow(EventTime created, EventTime at) => new()
    {
        Number = number(),
        Start = created,
        StartBasis = Basis.Observed,
        End = at,
        EndBasis = Basis.Observed,
        Windows = [new(0, RampTracker.StartMs)],
        Verdict = GapVerdict.Late,
        Mechanism = Mechanism.G13SlowThread,
        Because =
            $"The pool had created the thread. The operating system took {Format.Duration(at.MsSince(created))} to start it.",
    };
}

/// <summary>
/// Workers that ended for idleness and are needed again soon (G15): each one created anew pays for one that was given up.
/// </summary>
sealed class TimeoutTracker
{
    /// <summary>Three times the 20 s that an idle worker lives: work that comes back later than that is another burst's.</summary>
    const double SoonMs = 60_000;

    /// <summary>More workers than a pool gives up within that time.</summary>
    const int Most = 1024;

    readonly Queue<EventTime> ended = new();

    /// <summary>A worker ended.</summary>
    public void Ended(EventTime at)
    {
        ended.Enqueue(at);
        if (ended.Count > Most)
        {
            ended.Dequeue();
        }
    }

    /// <summary>
    /// So many workers were created at a moment; the sentence for those that replace one that ended, or null when none does.
    /// </summary>
    public string? Replaced(EventTime at, int created)
    {
        while (ended.TryPeek(out var first) && at.MsSince(first) > SoonMs)
        {
            ended.Dequeue();
        }

        // A burst is told when it is over; who ended since was no part of what it replaced.
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

        return $"{(count == 1 ? "An idle worker thread" : "Idle worker threads")} had ended in the "
            + $"{Format.Duration(at.MsSince(oldest))} before, so the pool had to add threads again.";
    }
}

/// <summary>
/// Workers created on demand below the goal (G0): no gate, no delay but the thread's own start. Starts close together are one gap.
/// </summary>
sealed class RampTracker
{
    /// <summary>Starts that lie closer than this belong to one burst of work.</summary>
    const double SameBurstMs = 50;

    /// <summary>A new thread takes up its first item within this on a machine that is not overcommitted.</summary>
    public const double StartMs = 20;

    EventTime? begin;
    EventTime lastCreated;
    EventTime lastStarted;
    double slowestMs;
    int count;
    bool unseen;

    /// <summary>Workers of the burst that is under way.</summary>
    public int Count => count;

    public void Add(EventTime at, EventTime? created)
    {
        begin ??= created ?? at;
        lastCreated = created ?? at;
        // In a damaged stream a start may be older than the one before it.
        lastStarted = EventTime.Max(begin.Value, at);
        slowestMs = Math.Max(slowestMs, at.MsSince(lastCreated));
        unseen |= created is null;
        count++;
    }

    /// <summary>Whether a burst is under way that lies so far back that no further start belongs to it.</summary>
    public bool IsOver(EventTime now) => begin is not null && now.MsSince(lastStarted) > SameBurstMs;

    public Gap? Close(Func<int> number, PoolState state, BeatLog beats)
    {
        if (begin is not { } start)
        {
            return null;
        }

        var gap = new Gap
        {
            Number = number(),
            Start = start,
            StartBasis = Basis.Observed,
            End = lastStarted,
            EndBasis = Basis.Observed,
            GoalBefore = state.Goal,
            GoalAfter = state.Goal,
            Windows = unseen ? [] : [new(lastCreated.MsSince(start), lastCreated.MsSince(start) + StartMs)],
            Verdict = unseen ? GapVerdict.NotTimed : slowestMs <= StartMs ? GapVerdict.Fits : GapVerdict.Late,
            Mechanism = !unseen && slowestMs > StartMs ? Mechanism.G13SlowThread : Mechanism.G0Ramp,
            Because = Sentence(start),
            Cpu = beats.CpuAt(lastStarted),
            Backlog = beats.BacklogAround(lastStarted),
        };
        (begin, slowestMs, count, unseen) = (null, 0, 0, false);
        return gap;
    }

    string Sentence(EventTime start) =>
        $"The pool created {Format.Plural(count, "worker thread")} on demand "
        + $"within {Format.Duration(lastStarted.MsSince(start))}: fewer existed than the target thread count allows."
        + (unseen || (count == 1 && Format.Duration(slowestMs) == Format.Duration(lastStarted.MsSince(start))) ? ""
            : $" The {(count == 1 ? "" : "slowest ")}thread took {Format.Duration(slowestMs)} to start"
            + $"{(slowestMs > StartMs ? ", longer than usual" : "")}.");
}
