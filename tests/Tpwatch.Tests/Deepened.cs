using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Watch;

namespace Tpwatch.Tests;

/// <summary>A report with what the deep probes add to its evidence; verdict and findings stay.</summary>
static class Deepened
{
    public static PoolReport WithItems(PoolReport report, ItemSnapshot items) => report with
    {
        Measured = items,
        QueueDelay = ItemAndRequestTimes.QueueDelay(items),
        RunTime = ItemAndRequestTimes.RunTime(items),
        Items = new ItemAndRequestTimes(report.Episodes).Of(items, report.InjectionDelays),
    };

    public static PoolReport WithRequests(PoolReport report, RequestSnapshot requests) =>
        report with { Requests = new ItemAndRequestTimes(report.Episodes).Of(requests) };

    public static PoolReport WithStacks(PoolReport report, StacksSeen seen, RequestSnapshot? requests = null)
    {
        var stacks = BlockerAnalysis.Of(report.Timeline, seen, requests);
        return report with { Blockers = stacks.Blockers, Bursts = stacks.Bursts, Inside = stacks.Inside };
    }
}
