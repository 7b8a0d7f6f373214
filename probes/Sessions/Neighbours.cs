using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// Finds the processes that use the machine's processors, by comparing two reads of /proc. /proc is read only on request, while threads of
/// a target wait for processors. Not thread-safe.
/// </summary>
sealed class Neighbours(Machine machine)
{
    const double BetweenMs = 3000;

    // Minimum pause between reads per process of the machine, milliseconds. A read costs some 20 µs per process: with thousands of
    // processes, reads are rarer, so that they take 2 % of a processor or less.
    const double BetweenMsEach = 1;

    // Maximum age of the earlier read, milliseconds; an older read may date from before the processors were overloaded.
    const double StaleMs = 30_000;

    // Minimum number of processors that a reported process uses; a lower use does not explain waiting.
    const double Worth = 0.1;

    const int Most = 3;

    Dictionary<(int Pid, ulong Start), double> before = [];
    ImmutableArray<Neighbour> users = [];
    EventTime? looked;
    double pauseMs = BetweenMs;

    /// <summary>
    /// The processes that use the processors most, without <paramref name="asks"/>, as of the newest read; empty before the second read.
    /// </summary>
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
                // A process that started since the last read has used all of its time since then.
                var share = (used - before.GetValueOrDefault((pid, stat.StartTime))) / (sinceMs ?? double.PositiveInfinity) / processors;
                if (share * processors >= Worth)
                {
                    busy.Add(new(UntrustedText.Line(stat.Name), pid, Math.Min(1, share)));
                }
            }
        }

        (before, users) = (now, [.. busy.OrderByDescending(user => user.Share)]);
    }

    int Processors() => Math.Max(1, ProcTree.ReadFile(Path.Combine(machine.Proc, "stat")).Text?.Split('\n')
        .Count(line => line.StartsWith("cpu", StringComparison.Ordinal) && line.Length > 3 && char.IsAsciiDigit(line[3])) ?? 0);
}
