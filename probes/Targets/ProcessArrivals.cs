namespace Tpwatch.Targets;

/// <summary>
/// Finds .NET processes as they come, look after look. A process is described once, when it is old enough: short-lived ones are never
/// touched, and a look at a machine where nobody came reads one folder.
/// </summary>
/// <param name="machine">Where to look.</param>
/// <param name="oldEnoughMs">The age from which a process counts, milliseconds.</param>
sealed class ProcessArrivals(Machine machine, double oldEnoughMs)
{
    /// <summary>
    /// A process that was no .NET process may have become one (a script that ends with exec), or may let itself be watched by now:
    /// it is looked at again after so long, milliseconds.
    /// </summary>
    const double LookAgainMs = 60_000;

    readonly Dictionary<int, Seen> known = [];

    /// <summary>
    /// Those that have come of age since the last look, ordered by pid; those that cannot be watched say why, once. One that came before
    /// is told again when <see cref="Forget"/> was asked to.
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

    /// <summary>A process that could not be attached to, or was left, is told again at a later look if it still lives.</summary>
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

        var ripe = stat.StartTime * ProcStat.TickMs + oldEnoughMs;
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
