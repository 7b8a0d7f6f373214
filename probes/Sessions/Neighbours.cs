using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// Which processes use the machine's processors, from two looks at /proc. It looks only when it is asked, which is while threads of a
/// target wait for processors. For one thread.
/// </summary>
sealed class Neighbours(Machine machine)
{
    const double BetweenMs = 3000;

    // A look reads a small file a process, some 20 µs each: where there are thousands it is rarer, and takes 2 % of a processor at most.
    const double BetweenMsEach = 1;

    // What lies longer ago may have been before the machine was crowded.
    const double StaleMs = 30_000;

    // In processors; who uses less is not what the others wait for.
    const double Worth = 0.1;

    const int Most = 3;

    Dictionary<(int Pid, ulong Start), double> before = [];
    ImmutableArray<Neighbour> users = [];
    EventTime? looked;
    double pauseMs = BetweenMs;

    /// <summary>Those that use most, without the one that asks, newest of what is known; empty until there were two looks.</summary>
    public ImmutableArray<Neighbour> Look(EventTime at, int asks)
    {
        if (looked is not { } last || at.MsSince(last) >= pauseMs)
        {
            Take(looked is { } earlier && at.MsSince(earlier) <= StaleMs ? at.MsSince(earlier) : null);
            looked = at;
            pauseMs = Math.Max(BetweenMs, BetweenMsEach * before.Count);
        }

        return [.. users.Where(user => user.Pid != asks).Take(Most)];
    }

    void Take(double? sinceMs)
    {
        Dictionary<(int Pid, ulong Start), double> now = [];
        List<Neighbour> busy = [];
        var processors = Processors();
        foreach (var pid in machine.Tree.Pids())
        {
            if (machine.Tree.Stat(pid) is { ProcessorMs: { } used } stat)
            {
                now[(pid, stat.StartTime)] = used;
                // One that was born since the last look has used all of it since.
                var share = (used - before.GetValueOrDefault((pid, stat.StartTime))) / (sinceMs ?? double.PositiveInfinity) / processors;
                if (share * processors >= Worth)
                {
                    busy.Add(new(ForeignText.Line(stat.Name), pid, Math.Min(1, share)));
                }
            }
        }

        (before, users) = (now, [.. busy.OrderByDescending(user => user.Share)]);
    }

    int Processors() => Math.Max(1, ProcTree.ReadFile(Path.Combine(machine.Proc, "stat")).Text?.Split('\n')
        .Count(line => line.StartsWith("cpu", StringComparison.Ordinal) && line.Length > 3 && char.IsAsciiDigit(line[3])) ?? 0);
}
