using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

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
