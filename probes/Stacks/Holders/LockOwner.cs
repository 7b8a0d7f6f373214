namespace Tpwatch.Stacks.Holders;

/// <summary>Who holds the lock that threads wait for, and what he does with it.</summary>
static class LockOwner
{
    /// <summary>
    /// In words, what he does alone, and whether he is none of the pool, by the newest burst that knows; null where none does.
    /// </summary>
    public static (string? Words, string? Does, bool IsOutside) Of(
        IEnumerable<(BurstSamples Burst, int ThreadId)> waiting, ImmutableHashSet<string>? own)
    {
        var known = waiting.SelectMany(w =>
            w.Burst.Locks.Where(l => l.ThreadId == w.ThreadId && l.OwnerThreadId != 0).Select(l => (w.Burst, l.OwnerThreadId)))
            .OrderByDescending(l => l.Burst.At).ToArray();
        return known.Length == 0
            ? default
            : Words(known[0].Burst, own,
                known.Where(k => k.Burst == known[0].Burst).GroupBy(k => k.OwnerThreadId).OrderByDescending(g => g.Count()).First().Key);
    }

    static (string Words, string? Does, bool IsOutside) Words(BurstSamples burst, ImmutableHashSet<string>? own, int owner)
    {
        var stack = burst.Stacks.Where(s => s.ThreadId == owner).MaxBy(s => s.Samples);
        if (stack is null)
        {
            return (FormattableString.Invariant($"thread {owner}"), null, false);
        }

        var shape = StackShape.Of(stack, own);
        var does = shape.Chain;
        var kind = shape.IsWorker ? ", a worker thread," : shape.IsOutside ? ", not a worker thread," : "";
        return (FormattableString.Invariant($"thread {owner}{kind} in {does}"), does, shape.IsOutside);
    }
}
