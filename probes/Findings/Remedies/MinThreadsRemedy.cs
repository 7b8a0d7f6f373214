using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Reports;

namespace Tpwatch.Findings.Remedies;

/// <summary>The stopgap that starvation findings share: more min workers, as many as this case takes, in all three spellings.</summary>
static class MinThreadsRemedy
{
    /// <summary>What is said in its place where processors are short.</summary>
    public static Remedy Refused { get; } = new("Do not raise min: more workers would share the same processors and make every item slower.");

    public static Remedy Of(PoolReport report)
    {
        var lack = ProcessorLack.Of(report);
        if (lack.IsProven)
        {
            return Refused;
        }

        var target = report.Timeline.Target;
        var (count, why) = Wanted(report);
        var wanted = Bounded(count, report);
        if (wanted <= target.MinWorkers.Value)
        {
            return new($"A min above the {Format.Count(target.MinWorkers.Value.Value)} workers of now helps nobody: let less in at a time.");
        }

        return new(
            $"Stopgap until then{(lack.IsDoubtful ? ", if the processors are free" : "")}: let the pool start with {wanted} workers, {Why(wanted, count, why)} "
            + "(more of them hold more memory and only move the wall).",
            LimitSetting.Min(wanted, target));
    }

    /// <summary>The min that is advised; null where none is.</summary>
    public static int? Advised(PoolReport report)
    {
        var wanted = Bounded(Wanted(report).Count, report);
        return ProcessorLack.Of(report).IsProven || wanted <= report.Timeline.Target.MinWorkers.Value ? null : wanted;
    }

    static int Bounded(long count, PoolReport report) =>
        (int)Math.Min(count, Math.Min(LimitSetting.MostWorkers, report.Timeline.Target.MaxWorkers.Value ?? int.MaxValue));

    static string Why(int wanted, long count, string why) =>
        wanted == count ? why
        : $"not the {Format.Count(count)} that it would take, {(wanted == LimitSetting.MostWorkers ? "for so many hold one another up" : "since max allows no more")}";

    static (long Count, string Why) Wanted(PoolReport report)
    {
        var had = report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 0;
        var grown = Math.Max(report.MaxWorkers ?? 0, report.Timeline.Levels.Goal ?? 0);
        if (Largest(Burst.In(report)) is { } burst)
        {
            return (burst.Items, "as many as items came at once");
        }

        // Work that comes steadily takes as many workers as it keeps busy, however many there happened to be.
        var demand = Demand.Of(report);
        if (demand is { Needed: { } needed, RunMs: { } run } && needed > Math.Max(had, grown))
        {
            return (needed, $"as many as {Format.Rate(demand.ArrivedPerSecond)} items keep busy that hold one for {Format.Duration(run)} each");
        }

        // Where nothing ends and work still waits, everything that came would be at work.
        if (report.IsNow && demand.Completed == 0 && report.Timeline.Levels.Backlog is > 0 and { } waiting)
        {
            return (grown + waiting, "as many as items are under way and wait now");
        }

        // A pool that did not grow does not show how many workers it would take: twice as many is a first try.
        return grown > had ? (grown, "to which it grew") : (2 * grown, "twice as many as now, as a first try");
    }

    static Burst? Largest(ImmutableArray<Burst> bursts) => bursts.Where(b => b.Decided).MaxBy(b => b.Items);
}
