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
