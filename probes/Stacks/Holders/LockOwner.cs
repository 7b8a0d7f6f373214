namespace Tpwatch.Stacks.Holders;

/// <summary>Who holds the lock that threads wait for, and what he does with it.</summary>
static class LockOwner
{
    /// <summary>In words, by the newest burst that knows; null where none does.</summary>
    public static string? Of(IEnumerable<(BurstSamples Burst, int ThreadId)> waiting)
    {
        var known = waiting.SelectMany(w =>
            w.Burst.Locks.Where(l => l.ThreadId == w.ThreadId && l.OwnerThreadId != 0).Select(l => (w.Burst, l.OwnerThreadId)))
            .OrderByDescending(l => l.Burst.At).ToArray();
        return known.Length == 0
            ? null
            : Words(known[0].Burst,
                known.Where(k => k.Burst == known[0].Burst).GroupBy(k => k.OwnerThreadId).OrderByDescending(g => g.Count()).First().Key);
    }

    static string Words(BurstSamples burst, int owner)
    {
        var stack = burst.Stacks.Where(s => s.ThreadId == owner).MaxBy(s => s.Samples);
        if (stack is null)
        {
            return FormattableString.Invariant($"thread {owner}");
        }

        var shape = StackShape.Of(stack);
        var does = shape.Call is { } call ? $"{call} in {shape.Frame}" : shape.Frame;
        return FormattableString.Invariant($"thread {owner}{(shape.IsWorker ? ", a worker," : "")} in {does}");
    }
}
