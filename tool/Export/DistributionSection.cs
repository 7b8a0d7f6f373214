using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for the queue times or run times of work items; percentiles are null if nothing was measured.</summary>
sealed record DistributionSection(
    long Count, long Unmatched, double? P50Ms, double? P90Ms, double? P95Ms, double? P99Ms, double? P999Ms, double? MaxMs,
    long Unfinished, IReadOnlyList<string> AtLeast, IReadOnlyList<DistributionBucketSection> Buckets,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? Healthy,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? Starved)
{
    /// <summary>Converts distributions of a report; null if items were not measured.</summary>
    public static DistributionSection? Of(Distribution? all, Distribution? healthy = null, Distribution? starved = null) =>
        all is null ? null : new(
            all.Count, all.Unmatched, Ms(all, all.P50Ms), Ms(all, all.P90Ms),
            Ms(all, all.P95Ms), Ms(all, all.P99Ms), Ms(all, all.P999Ms), Ms(all, all.MaxMs),
            all.Unfinished, [.. Bounds(all)],
            [.. all.Buckets.Select(b => new DistributionBucketSection(Digits(b.FromMs), Digits(b.ToMs), b.Count))],
            Of(healthy), Of(starved));

    static IEnumerable<string> Bounds(Distribution all) =>
        Enum.GetValues<LowerBounds>().Where(b => b != LowerBounds.None && all.AtLeast.HasFlag(b))
            .Select(b => b.ToString().ToLowerInvariant());

    static double? Ms(Distribution all, double milliseconds) => !all.IsKnown ? null : Numbers.Ms(milliseconds);

    // Bounds of buckets start at single nanoseconds, which are six decimals of a millisecond.
    static double Digits(double milliseconds) => Math.Round(milliseconds, 6);
}

/// <summary>Number of items whose duration is not below <paramref name="FromMs"/> and is below <paramref name="ToMs"/>.</summary>
sealed record DistributionBucketSection(double FromMs, double ToMs, long Count);

/// <summary>JSON object for measurements of single work items, in addition to their distribution.</summary>
sealed record ItemsSection(
    double From, double To, int Waiting, double? OldestWaitMs,
    IReadOnlyList<DelayPointSection> OverTime, IReadOnlyList<SlowItemSection> Slowest)
{
    /// <summary>Converts the item measurements of a report; null if items were not measured.</summary>
    public static ItemsSection? Of(ItemTimes? items, TimelineSnapshot timeline) => items is null ? null : new(
        Numbers.At(timeline, items.Watched.From), Numbers.At(timeline, items.Watched.To), items.Waiting, Numbers.Ms(items.OldestWaitMs),
        [.. items.OverTime.Select(p => new DelayPointSection(
            Numbers.At(timeline, p.Span.From), Numbers.At(timeline, p.Span.To),
            p.Count, Numbers.Ms(p.P50Ms), Numbers.Ms(p.P99Ms), Numbers.Ms(p.MaxMs)))],
        [.. items.Slowest.Select(s => new SlowItemSection(
            Numbers.At(timeline, s.Queued), Numbers.Ms(s.WaitMs), Numbers.Ms(s.RunMs), s.ThreadId, s.Id, s.FreedBy))]);
}

/// <summary>Queue times of the items dequeued between <paramref name="From"/> and <paramref name="To"/>; all in milliseconds.</summary>
sealed record DelayPointSection(double From, double To, long Count, double? P50Ms, double? P99Ms, double? MaxMs);

/// <summary>
/// An item that waited long. <paramref name="FreedBy"/> is the number of the injection delay whose added thread ran the item; null if an
/// existing worker thread ran the item.
/// </summary>
sealed record SlowItemSection(double Queued, double? WaitMs, double? RunMs, int ThreadId, long Id, int? FreedBy);
