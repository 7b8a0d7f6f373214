using System.Collections.Immutable;
using Tpwatch.Events.Facts;

namespace Tpwatch.Timeline.Items;

/// <summary>Which threads wait for a lock at the moment, and who had it when they began to.</summary>
sealed class LockTracker
{
    /// <summary>More threads at once wait nowhere; who ended without a word is forgotten with them.</summary>
    const int Most = 4096;

    readonly Dictionary<int, LockAwaited> waiting = [];

    public void Awaited(in LockAwaited fact)
    {
        if (waiting.Count >= Most)
        {
            waiting.Clear();
        }

        waiting[fact.ThreadId] = fact;
    }

    public void Taken(in LockTaken fact) => waiting.Remove(fact.ThreadId);

    public void Lost() => waiting.Clear();

    public ImmutableArray<LockAwaited> Snapshot() => [.. waiting.Values];
}
