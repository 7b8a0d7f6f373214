using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>Finds threads that wait for each other's locks, from the waits and owners known at one moment. Pure.</summary>
static class LockCycles
{
    const string NoPlace = "a lock";

    /// <summary>The cycle that blocks the largest number of threads; null if there is none.</summary>
    /// <param name="owners">For each thread that waits for a lock, the thread that holds this lock, as OS ids. A thread waits for one lock
    /// at a time.</param>
    /// <param name="shapes">The stacks of threads by OS id, as far as known.</param>
    public static LockCycle? Of(IReadOnlyDictionary<int, int> owners, IReadOnlyDictionary<int, StackClassifier> shapes)
    {
        var all = owners.Keys.Select(thread => From(thread, owners)).OfType<ImmutableArray<int>>()
            .GroupBy(cycle => cycle.Min(), (first, same) => same.First(cycle => cycle[0] == first));
        return all.Select(cycle => Told(cycle, owners, shapes)).MaxBy(cycle => cycle.Blocked);
    }

    // Null if the thread is not part of a cycle, even if it waits for a lock of a cycle.
    static ImmutableArray<int>? From(int thread, IReadOnlyDictionary<int, int> owners)
    {
        var path = Path(thread, owners).ToArray();
        return path.Length > 1 && owners.TryGetValue(path[^1], out var next) && next == thread ? [.. path] : null;
    }

    static LockCycle Told(
        ImmutableArray<int> cycle, IReadOnlyDictionary<int, int> owners, IReadOnlyDictionary<int, StackClassifier> shapes)
    {
        var blocked = owners.Keys.Where(thread => Path(thread, owners).Any(cycle.Contains)).ToArray();
        return new(
            cycle, [.. cycle.Select(thread => Place(shapes.GetValueOrDefault(thread)))],
            blocked.Length, blocked.Count(thread => shapes.GetValueOrDefault(thread)?.IsWorker == true));
    }

    // Before .NET 10 a lock wait has no frame.
    static string Place(StackClassifier? shape) => shape switch
    {
        null => NoPlace,
        { Call: null } => $"{shape.Chain} > {NoPlace}",
        _ => shape.Chain,
    };

    // The chain of threads that begins with one thread: each thread waits for a lock of the next. A thread appears once.
    static IEnumerable<int> Path(int thread, IReadOnlyDictionary<int, int> owners)
    {
        var seen = new HashSet<int>();
        for (var at = thread; seen.Add(at); at = owners[at])
        {
            yield return at;
            if (!owners.ContainsKey(at))
            {
                break;
            }
        }
    }
}
