using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>Determines which thread holds a lock that others wait for, and what that thread does.</summary>
static class LockOwner
{
    /// <summary>The owner in the newest burst that shows an owner; null if no burst shows one.</summary>
    public static OwnerSeen? Of(
        IEnumerable<(BurstSamples Burst, int ThreadId)> waiting, ImmutableHashSet<string>? own)
    {
        var known = waiting.SelectMany(w =>
            w.Burst.Locks.Where(l => l.ThreadId == w.ThreadId && l.OwnerThreadId != 0).Select(l => (w.Burst, l.OwnerThreadId)))
            .OrderByDescending(l => l.Burst.At).ToArray();
        return known.Length == 0
            ? null
            : Seen(known[0].Burst, own,
                known.Where(k => k.Burst == known[0].Burst).GroupBy(k => k.OwnerThreadId).OrderByDescending(g => g.Count()).First().Key);
    }

    static OwnerSeen Seen(BurstSamples burst, ImmutableHashSet<string>? own, int owner)
    {
        var stack = burst.Stacks.Where(s => s.ThreadId == owner).MaxBy(s => s.Samples);
        if (stack is null)
        {
            return new(FormattableString.Invariant($"thread {owner}"), null, null, false);
        }

        var shape = StackClassifier.Of(stack, own);
        var does = shape.Path;
        var kind = shape.IsWorker ? ", a worker thread," : shape.IsOutside ? ", not a worker thread," : "";
        return new(FormattableString.Invariant($"thread {owner}{kind} in {does}"), does, shape.Kind, shape.IsOutside);
    }
}

/// <summary>The owner of a lock: the thread as text, its call chain, its state, and whether it is outside the pool.</summary>
sealed record OwnerSeen(string Words, CallPath? Does, BlockKind? Waits, bool IsOutside);
