using Tpwatch.Events;

namespace Tpwatch.Items;

/// <summary>Determines which threads waited for which lock at a moment, and which thread held the lock then.</summary>
static class LocksAt
{
    /// <summary>The waits at that moment, each with the lock's owner at that moment as far as known.</summary>
    public static ImmutableArray<LockAwaited> Of(ImmutableArray<LockWait> waits, EventTime moment) =>
        [.. waits.Where(w => w.Begun.At <= moment && (w.Until is null || w.Until > moment))
            .Select(w => w.Begun with { OwnerThreadId = Owner(waits, w.Begun, moment) })];

    // OS id of the thread that last acquired the lock after a wait, or of the owner reported when another wait began: the newer of both.
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
