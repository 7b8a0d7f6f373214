using Tpwatch.Events;

namespace Tpwatch.Items;

/// <summary>A thread's wait for a lock; <paramref name="Until"/> is the end of the wait, null while the wait lasts.</summary>
readonly record struct LockWait(LockAwaited Begun, EventTime? Until);

/// <summary>
/// Tracks threads that wait for a lock. Also keeps ended waits, because a stack burst is evaluated a second or two after it was taken.
/// </summary>
sealed class LockTracker
{
    /// <summary>Maximum number of waiting threads; a process has fewer. At this number, ends were missed; all are dropped.</summary>
    const int Most = 4096;

    /// <summary>
    /// Maximum number of ended waits kept. A convoy of threads passes its lock on up to a thousand times a second, and a burst is evaluated
    /// within one or two seconds.
    /// </summary>
    const int MostOver = 2048;

    readonly Dictionary<int, LockAwaited> waiting = [];
    readonly Recent<LockWait> over = new(MostOver);

    public void Awaited(in LockAwaited fact)
    {
        if (waiting.Count >= Most)
        {
            waiting.Clear();
        }

        waiting[fact.ThreadId] = fact;
    }

    public void Taken(in LockTaken fact)
    {
        if (waiting.Remove(fact.ThreadId, out var begun))
        {
            over.Add(new(begun, fact.At));
        }
    }

    public void Lost()
    {
        waiting.Clear();
        over.Clear();
    }

    public ImmutableArray<LockWait> Snapshot() => [.. over, .. waiting.Values.Select(w => new LockWait(w, null))];
}

/// <summary>Determines which threads waited for which lock at a moment, and which thread held the lock then.</summary>
static class LocksAt
{
    /// <summary>Returns the waits in progress at a moment, each with the lock's owner at that moment as far as known.</summary>
    public static ImmutableArray<LockAwaited> Of(ImmutableArray<LockWait> waits, EventTime moment) =>
        [.. waits.Where(w => w.Begun.At <= moment && (w.Until is null || w.Until > moment))
            .Select(w => w.Begun with { OwnerThreadId = Owner(waits, w.Begun, moment) })];

    // OS id of the owner by the newest event, 0 if unknown: a thread took the lock after a wait, or the start of a wait named the owner.
    static int Owner(ImmutableArray<LockWait> waits, LockAwaited begun, EventTime moment)
    {
        var newest = (begun.At, Owner: begun.OwnerThreadId);
        foreach (var wait in begun.LockId == 0 ? [] : waits.Where(w => w.Begun.LockId == begun.LockId))
        {
            newest = wait.Until is { } until && until <= moment && until > newest.At ? (until, wait.Begun.ThreadId)
                : wait.Begun.At <= moment && wait.Begun.At > newest.At
                    && wait.Begun.OwnerThreadId != 0 ? (wait.Begun.At, wait.Begun.OwnerThreadId)
                : newest;
        }

        return newest.Owner;
    }
}
