using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>Memory as the collector reckons it for a process in a control group, bytes.</summary>
/// <param name="Limit">The limit; null where there is none.</param>
/// <param name="Used">What its own group uses; null where that cannot be read.</param>
readonly record struct GroupMemory(double? Limit, double? Used);

/// <summary>What a group's quota of processor time has cost it since it exists.</summary>
/// <param name="ThrottledMs">Time that it was throttled, milliseconds, summed over the processors.</param>
/// <param name="Periods">Periods in which it was; null where that cannot be read.</param>
/// <param name="PeriodMs">Length of a period, milliseconds; null where that cannot be read.</param>
readonly record struct QuotaUse(double? ThrottledMs, double? Periods, double? PeriodMs)
{
    /// <summary>
    /// How long the group was throttled since an earlier reading, milliseconds. The kernel adds up what each processor stood still; longer
    /// than the periods in which any did it cannot have been. One more counts, the period that is not over.
    /// </summary>
    public double? Since(QuotaUse before) => ThrottledMs - before.ThrottledMs is not { } sum ? null
        : Math.Max(0, Math.Min(sum, (Periods - before.Periods + 1) * PeriodMs ?? sum));
}

/// <summary>
/// The control group of the process and those above it: a quota of processor time or a limit of memory may be set at any of them. Reads
/// versions 1 and 2; where the group is not visible it knows nothing.
/// </summary>
sealed class ControlGroup
{
    /// <summary>gc/unix/cgroup.cpp: for "no limit" version 1 says the largest number of pages; what is above this is none.</summary>
    const double NoLimit = 0x7FFFFFFF00000000;

    readonly GroupTree processor;
    readonly GroupTree memory;
    readonly GroupTree freezer;

    ControlGroup(GroupTree processor, GroupTree memory, GroupTree freezer) =>
        (this.processor, this.memory, this.freezer) = (processor, memory, freezer);

    /// <summary>Of a process, as the watcher sees it.</summary>
    public static ControlGroup Of(Machine machine, int pid) => new(
        GroupTree.Of(machine.Tree, pid, "cpu"), GroupTree.Of(machine.Tree, pid, "memory"), GroupTree.Of(machine.Tree, pid, "freezer"));

    /// <summary>The quota's own counters, of each of its levels in the same order at each call.</summary>
    public ImmutableArray<QuotaUse> Quotas() => [.. processor.Levels.Select(level => Quota(level, processor.IsUnified))];

    /// <summary>Whether it is frozen, as a paused container is.</summary>
    public bool IsFrozen() => freezer.Own is { } own && (freezer.IsUnified
        ? GroupFile.Field(GroupFile.Text(own, "cgroup.events"), "frozen") == 1
        : GroupFile.Text(own, "freezer.state") == "FROZEN");

    /// <summary>
    /// Its memory the way the collector reckons it: what its own group uses, of the lowest limit at or above it. Null where its own group
    /// is not visible: a limit may stand there.
    /// </summary>
    public GroupMemory? Memory() => memory.Own is not { } own ? null
        : memory.IsUnified ? new(memory.Levels.Min(level => GroupFile.Number(level, "memory.max")), Used(own, "memory.current", Stat(own)))
        : OfOne(own, Stat(own));

    static GroupMemory? OfOne(string own, string? stat) => GroupFile.Number(own, "memory.limit_in_bytes") is not { } limit ? null
        : Math.Min(limit, GroupFile.Field(stat, "hierarchical_memory_limit") ?? limit) is > 0 and <= NoLimit and { } lowest
            ? new(lowest, Used(own, "memory.usage_in_bytes", stat))
        : new(Limit: null, Used: null);

    static string? Stat(string level) => GroupFile.Text(level, "memory.stat");

    // What the kernel drops without asking anybody is not counted; version 1 has a sum of its own over the groups below.
    static double? Used(string own, string file, string? stat) =>
        GroupFile.Number(own, file) - (GroupFile.Field(stat, "total_inactive_file") ?? GroupFile.Field(stat, "inactive_file") ?? 0);

    static QuotaUse Quota(string level, bool isUnified)
    {
        var stat = GroupFile.Text(level, "cpu.stat");
        var periodMs = (isUnified
            ? GroupFile.Number(GroupFile.Text(level, "cpu.max")?.Split(' ')[^1]) : GroupFile.Number(level, "cpu.cfs_period_us")) / 1e3;
        return new(
            isUnified ? GroupFile.Field(stat, "throttled_usec") / 1e3 : GroupFile.Field(stat, "throttled_time") / 1e6,
            GroupFile.Field(stat, "nr_throttled"), periodMs);
    }
}
