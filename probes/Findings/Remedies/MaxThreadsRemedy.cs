using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Reports;

namespace Tpwatch.Findings.Remedies;

/// <summary>The stopgap at the ceiling: a larger max, as far as can be computed, in all three spellings.</summary>
static class MaxThreadsRemedy
{
    const string FirstTry = "twice as many as now, as a first try";

    public static Remedy Of(PoolReport report, int max)
    {
        if (Bottleneck.Of(report) is { } one)
        {
            return new($"Leave MaxThreads as it is: more threads would only wait for {one.Words}.");
        }

        if (OnlyJoins(report, max))
        {
            return new("How large MaxThreads must be is not known: what the threads wait for needs a thread itself. "
                + "While all of them wait, further threads wait too.");
        }

        var (count, why) = Wanted(report, max);
        return Advised(report, max) is { } wanted
            ? new(
                $"Workaround: set MaxThreads to {wanted} "
                    + $"({(wanted < count ? $"not the {Format.Count(count)} that it would take" : why)}). "
                    + "The pool still adds only one thread per 500 ms, unless MinThreads is raised with it.",
                LimitSetting.Max(wanted, report.Timeline.Target))
            : new($"A MaxThreads above {Format.Count(max)} helps nothing; let fewer items in at a time.");
    }

    /// <summary>The max that is advised; null where none is.</summary>
    public static int? Advised(PoolReport report, int max)
    {
        var wanted = (int)Math.Min(Wanted(report, max).Count, Math.Max(LimitSetting.MostWorkers, max));
        return wanted > max && Bottleneck.Of(report) is null && !OnlyJoins(report, max) ? wanted : null;
    }

    // Tried on a service whose workers all wait for timers: with twice the max twice as many wait.
    static bool OnlyJoins(PoolReport report, int max) =>
        report.Bursts?.WaitsFor == WaitsFor.QueuedItems && Wanted(report, max).Why == FirstTry;

    static (long Count, string Why) Wanted(PoolReport report, int max)
    {
        var demand = Demand.Of(report);
        return Burst.In(report) is [_, ..] bursts && bursts.Max(b => b.Items) is var items && items > max
            ? Rounded(items, "as many as items came at once")
            : demand.Needed > max ? Rounded(demand.Needed.Value, $"as many as {Format.Rate(demand.ArrivedPerSecond)} items keep busy")
            : (2L * max, FirstTry);
    }

    static (long Count, string Why) Rounded(long count, string why) =>
        LimitSetting.Round(count) is var round && round > count ? (round, $"{why}, rounded up") : (count, why);
}
