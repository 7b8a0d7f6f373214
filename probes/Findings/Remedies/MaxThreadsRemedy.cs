using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Reports;

namespace Tpwatch.Findings.Remedies;

/// <summary>The stopgap at the ceiling: a larger max, as far as can be computed, in all three spellings.</summary>
static class MaxThreadsRemedy
{
    public static Remedy Of(PoolReport report, int max)
    {
        var demand = Demand.Of(report);
        var (count, why) = Burst.In(report) is [_, ..] bursts && bursts.Max(b => b.Items) is var items && items > max
            ? (items, "as many as items came at once")
            : demand.Needed > max ? (demand.Needed.Value, $"as many as {Format.Rate(demand.ArrivedPerSecond)} items keep busy")
            : (2L * max, "twice as many as now, as a first try");
        var wanted = (int)Math.Min(count, Math.Max(LimitSetting.MostWorkers, max));
        return new(
            wanted > max
                ? $"Stopgap until then: raise max to {wanted}, {(wanted < count ? $"not the {Format.Count(count)} that it would take" : why)}; "
                    + "the gate still adds only one worker a tick up to there, unless min is raised with it."
                : $"A max above {Format.Count(max)} workers helps nobody; let less in at a time.",
            wanted > max ? LimitSetting.Max(wanted, report.Timeline.Target) : null);
    }
}
