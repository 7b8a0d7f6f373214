using Tpwatch.Events;

namespace Tpwatch.Items;

/// <summary>A thread's wait for a lock; <paramref name="Until"/> is null while it lasts.</summary>
readonly record struct LockWait(LockAwaited Begun, EventTime? Until);

/// <summary>
/// Which threads wait for a lock, and the waits that ended lately: a burst of stacks is read when its moment is long past.
/// </summary>
sealed class LockTracker
{
    /// <summary>More threads at once wait nowhere; who ended without a word is forgotten with them.</summary>
    const int Most = 4096;

    /// <summary>A convoy passes its lock on some thousand times a second at most; a burst is read within one or two.</summary>
    const int MostOver = 2048;

    readonly Dictionary<int, LockAwaited> waiting = [];
    readonly Queue<LockWait> over = new();

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
        if (!waiting.Remove(fact.ThreadId, out var begun))
        {
            return;
        }

        if (over.Count == MostOver)
        {
            over.Dequeue();
        }

        over.Enqueue(new(begun, fact.At));
    }

    public void Lost()
    {
        waiting.Clear();
        over.Clear();
    }

    public ImmutableArray<LockWait> Snapshot() => [.. over, .. waiting.Values.Select(w => new LockWait(w, null))];
}
