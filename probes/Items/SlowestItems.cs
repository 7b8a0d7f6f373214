using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>The items that waited longest.</summary>
sealed class SlowestItems
{
    /// <summary>More than a screen shows.</summary>
    const int Most = 20;

    readonly List<MeasuredItem> kept = [];

    public void Add(in MeasuredItem item)
    {
        if (kept.Count == Most && item.WaitMs <= kept[^1].WaitMs)
        {
            return;
        }

        var wait = item.WaitMs;
        var place = kept.FindIndex(k => k.WaitMs < wait);
        kept.Insert(place < 0 ? kept.Count : place, item);
        if (kept.Count > Most)
        {
            kept.RemoveAt(Most);
        }
    }

    /// <summary>Those that ended and those that still run.</summary>
    public ImmutableArray<MeasuredItem> Snapshot(IEnumerable<MeasuredItem> running) =>
        [.. kept.Concat(running).OrderByDescending(i => i.WaitMs).ThenBy(i => i.Taken).Take(Most)];
}
