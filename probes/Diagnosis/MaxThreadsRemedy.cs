using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The workaround at MaxThreads: a larger MaxThreads, computed as far as possible, in all three spellings.</summary>
static class MaxThreadsRemedy
{
    public static Remedy Of(PoolEvidence report, int max)
    {
        if (Bottleneck.Of(report) is { } one)
        {
            return new($"Leave MaxThreads as it is: {one.OnlyWait}");
        }

        if (OnlyJoins(report, max))
        {
            return Remedy.Refusal("count on a larger MaxThreads: what the threads wait for needs a worker thread itself. "
                + "Added threads may wait in the same way.");
        }

        var (count, why, _) = Wanted(report, max);
        return Advised(report, max) is { } wanted
            ? Remedy.Workaround(
                Doubt(report),
                $"set MaxThreads to {wanted} ({(wanted < count ? $"helps in part: {Format.Count(count)} would be needed" : why)}).",
                " Also raise MinThreads to the same number. Otherwise the pool adds the threads one by one."
                    + (report.Timeline.Target.MaxWorkers.Value is null ? $" This helps only if MaxThreads is {Format.Count(max)}." : "")
                    + LimitSetting.InForce("Max", report.Timeline.Target) + LimitSetting.InForce("Min", report.Timeline.Target),
                LimitSetting.Max(wanted, report.Timeline.Target))
            : new($"Raising MaxThreads above {Format.Count(max)} does not help. Let fewer items in at a time.");
    }

    // If it is unknown what the threads wait for, more threads may only increase the pressure on that resource.
    static string Doubt(PoolEvidence report) => DeepEvidence.HasStacks(report) ? "" : MinThreadsRemedy.Doubt;

    /// <summary>The recommended MaxThreads; null when there is none.</summary>
    public static int? Advised(PoolEvidence report, int max)
    {
        var wanted = (int)Math.Min(Wanted(report, max).Count, Math.Max(LimitSetting.MostWorkers, max));
        return wanted > max && Bottleneck.Of(report) is null && !OnlyJoins(report, max) ? wanted : null;
    }

    // Measured on a service whose worker threads all wait for timers: twice the MaxThreads led to twice as many waiting threads.
    static bool OnlyJoins(PoolEvidence report, int max) =>
        report.Bursts?.WaitsFor == WaitsFor.QueuedItems && Wanted(report, max).IsFirstTry;

    static (long Count, string Why, bool IsFirstTry) Wanted(PoolEvidence report, int max)
    {
        var demand = Demand.Of(report);
        return Burst.In(report) is [_, ..] bursts && bursts.Max(b => b.Wanted) is var items && items > max
            ? Rounded(items, "one per item of the burst")
            // Callers that wait for answers send no more requests than are answered. Their real demand shows only if it is far larger.
            : demand.Needed > 2 * max
                ? Rounded(demand.Needed.Value, $"enough for items that arrive at {Format.Rate(demand.ArrivedPerSecond)}")
            : (2L * Math.Max(max, report.Timeline.Levels.Workers ?? 0), "twice as many as now", true);
    }

    static (long Count, string Why, bool IsFirstTry) Rounded(long count, string why) =>
        LimitSetting.Round(count) is var round && round > count ? (round, $"{why}, rounded up", false) : (count, why, false);
}
