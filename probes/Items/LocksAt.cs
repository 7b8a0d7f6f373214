using Tpwatch.Events;

namespace Tpwatch.Items;

/// <summary>Who waited for which lock at a moment, and who had it then.</summary>
static class LocksAt
{
    /// <summary>The waits of that moment, each with the lock's owner of that moment as far as known.</summary>
    public static ImmutableArray<LockAwaited> Of(ImmutableArray<LockWait> waits, EventTime moment) =>
        [.. waits.Where(w => w.Begun.At <= moment && (w.Until is null || w.Until > moment))
            .Select(w => w.Begun with { OwnerThreadId = Owner(waits, w.Begun, moment) })];

    // Whoever took it last after a wait, or was told to have it when another's wait began, whichever is newer.
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
