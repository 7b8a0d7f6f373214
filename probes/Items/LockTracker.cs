using Tpwatch.Events;

namespace Tpwatch.Items;

/// <summary>A thread's wait for a lock; <paramref name="Until"/> is its end, null while it lasts.</summary>
readonly record struct LockWait(LockAwaited Begun, EventTime? Until);

/// <summary>
/// Tracks threads that wait for a lock, and recently ended waits, since a stack burst is evaluated long after it was taken.
/// </summary>
sealed class LockTracker
{
    /// <summary>Maximum number of waiting threads, more than in practice; above it all are dropped, as some ends were missed.</summary>
    const int Most = 4096;

    /// <summary>
    /// Maximum number of ended waits kept. A convoy of threads passes its lock on up to a thousand times a second, and a burst is evaluated
    /// within one or two seconds.
    /// </summary>
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
