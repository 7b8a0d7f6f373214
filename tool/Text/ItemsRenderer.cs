namespace Tpwatch.Text;

/// <summary>The report's section on work items: percentiles of queue time and run time, and the items that waited longest.</summary>
static class ItemsRenderer
{
    /// <summary>Most slow items listed.</summary>
    const int Told = 5;

    const int Column = 10;

    static readonly string[] Heads = ["p50", "p90", "p95", "p99", "p99.9", "max", "items"];

    /// <summary>The lines of the section; none if items were not watched.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time) =>
        report is { Items: { } items, QueueDelay: { } delay, RunTime: { } run }
            ? [
                .. TextLayout.Title("Work items"),
                .. TextLayout.Fact("measured", Measured(delay, items)),
                $"  {"",-16}{string.Concat(Heads.Select(h => h.PadLeft(Column)))}".TrimEnd(),
                .. Row("queue time", delay), .. Row("  healthy", items.HealthyDelay),
                .. Row("  starved", items.StarvedDelay), .. Row("run time", run),
                .. delay.AtLeast == LowerBounds.None && run.AtLeast == LowerBounds.None ? []
                    : TextLayout.Fact(">=", "a lower bound, since some items still wait or run"),
                .. items.Slowest.Where(s => s.WaitMs >= 1).Take(Told).SelectMany(s => TextLayout.Fact("waited", Slow(s, report, time))),
            ]
            : [];

    static string Measured(Distribution delay, ItemTimes items)
    {
        var waiting = items.Waiting == 0 ? "" : $"; {Format.Plural(items.Waiting, "item")} still wait{(items.Waiting == 1 ? "s" : "")}"
            + (items.OldestWaitMs is { } oldest ? $", the oldest for {Format.Duration(oldest)}" : "");
        var partly = delay.Unmatched == 0 ? "" : $"; {Format.Count(delay.Unmatched)} more with start or end missing "
            + "(queued before the capture, or run by the waiting thread itself)";
        return $"{Format.Plural(delay.Count, "item")}{(items.Waiting > 0 ? " started" : "")}{partly}{waiting}";
    }

    static IEnumerable<string> Row(string name, Distribution? part) => part is not { IsKnown: true }
        ? []
        : [$"  {name,-16}{string.Concat(Quantiles.Of(part).Select(q => q.Text.PadLeft(Column)))}{Format.Count(part.Count),Column}"];

    static string Slow(SlowItem item, PoolReport report, TimeStyle time)
    {
        var ran = item.RunMs is { } ms ? $"then ran for {Format.Duration(ms)}" : "and still runs";
        var freed = item.FreedBy is { } injectionDelay ? $"started by thread injection #{injectionDelay} ({item.Reason})"
            : "started by an existing thread";
        return $"{Format.Duration(item.WaitMs)}, queued {time.Spoken(report.Timeline, item.Queued)}, {freed}, {ran}";
    }
}
