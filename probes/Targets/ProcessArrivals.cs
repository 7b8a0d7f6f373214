namespace Tpwatch.Targets;

/// <summary>
/// Finds new .NET processes, from one search to the next. A process is described once, when it has reached the required age: short-lived
/// processes are never examined, and a search without new processes reads only one folder.
/// </summary>
/// <param name="machine">The machine to search.</param>
/// <param name="oldEnoughMs">The required age of a process, milliseconds.</param>
sealed class ProcessArrivals(Machine machine, double oldEnoughMs)
{
    /// <summary>
    /// Time after which a process is examined again if it was no .NET process or could not be watched, milliseconds. By then, it may have
    /// become a .NET process (a script that ends with exec), or watching may be possible.
    /// </summary>
    const double LookAgainMs = 60_000;

    readonly Dictionary<int, Seen> known = [];

    /// <summary>
    /// The processes that reached the required age since the last search, ordered by pid. A process that cannot be watched is returned once
    /// for each reason. A process for which <see cref="Forget"/> was called is returned again.
    /// </summary>
    public ImmutableArray<ListedProcess> Look()
    {
        var tree = machine.Tree;
        var now = tree.UptimeMs() ?? 0;
        var (self, alive) = (tree.SelfPid(), tree.Pids().ToHashSet());
        foreach (var gone in known.Keys.Where(pid => !alive.Contains(pid)).ToArray())
        {
            known.Remove(gone);
        }

        return [.. alive.Where(pid => pid != self && IsDue(pid, now)).Order().Select(pid => Describe(pid, now)).OfType<ListedProcess>()];
    }

    /// <summary>
    /// Makes a search <paramref name="afterMs"/> milliseconds from now or later return a process again, if the process still runs; for a
    /// process that tpwatch could not attach to, or no longer watches.
    /// </summary>
    public void Forget(int pid, double afterMs) =>
        known[pid] = new((machine.Tree.UptimeMs() ?? 0) + afterMs, known.GetValueOrDefault(pid)?.Refusal);

    bool IsDue(int pid, double now)
    {
        if (known.TryGetValue(pid, out var seen))
        {
            return now >= seen.NextMs;
        }

        if (machine.Tree.Stat(pid) is not { } stat)
        {
            return false;
        }

        var ripe = stat.StartTime * ProcStat.CheckMs + oldEnoughMs;
        known[pid] = new(ripe, null);
        return now >= ripe;
    }

    ListedProcess? Describe(int pid, double now)
    {
        var before = known[pid].Refusal;
        var found = ProcessScan.One(machine, pid);
        known[pid] = new(found is { WhyNot: null } ? double.PositiveInfinity : now + LookAgainMs, found?.WhyNot);
        return found is { WhyNot: { } why } && why == before ? null : found;
    }

    sealed record Seen(double NextMs, string? Refusal);
}
