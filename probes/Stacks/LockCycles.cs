using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>Threads that wait for each other's locks, by what is known at one moment of waits and owners. Pure.</summary>
static class LockCycles
{
    const string NoPlace = "a lock";

    /// <summary>The cycle that blocks most threads; null where there is none.</summary>
    /// <param name="owners">Of each thread that waits for a lock, who holds it: OS ids. A thread waits for one lock at a time.</param>
    /// <param name="shapes">The stacks of threads, by OS id, as far as they are known.</param>
    public static LockCycle? Of(IReadOnlyDictionary<int, int> owners, IReadOnlyDictionary<int, StackShape> shapes)
    {
        var all = owners.Keys.Select(thread => From(thread, owners)).OfType<ImmutableArray<int>>()
            .GroupBy(cycle => cycle.Min(), (first, same) => same.First(cycle => cycle[0] == first));
        return all.Select(cycle => Told(cycle, owners, shapes)).MaxBy(cycle => cycle.Blocked);
    }

    // Null where the thread waits for the locks of a cycle without being part of it.
    static ImmutableArray<int>? From(int thread, IReadOnlyDictionary<int, int> owners)
    {
        var path = Path(thread, owners).ToArray();
        return path.Length > 1 && owners.TryGetValue(path[^1], out var next) && next == thread ? [.. path] : null;
    }

    static LockCycle Told(
        ImmutableArray<int> cycle, IReadOnlyDictionary<int, int> owners, IReadOnlyDictionary<int, StackShape> shapes)
    {
        var blocked = owners.Keys.Where(thread => Path(thread, owners).Any(cycle.Contains)).ToArray();
        return new(
            cycle, [.. cycle.Select(thread => Place(shapes.GetValueOrDefault(thread)))],
            blocked.Length, blocked.Count(thread => shapes.GetValueOrDefault(thread)?.IsWorker == true));
    }

    // Before .NET 10 the wait for a lock has no frame.
    static string Place(StackShape? shape) => shape switch
    {
        null => NoPlace,
        { Call: null } => $"{shape.Chain} > {NoPlace}",
        _ => shape.Chain,
    };

    // Whom a thread waits for, and whom that one waits for, each once.
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
