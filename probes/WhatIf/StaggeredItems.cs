using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Items that begin together and take alike also end together, and leave the detector awake in between; those that end in turn keep it
/// asleep. Counters show no difference, the pool's growth does: where like items do not explain it, the first of each worker is taken to
/// end in turn.
/// </summary>
static class StaggeredItems
{
    /// <summary>Below this the items may be alike.</summary>
    const double WellExplained = 0.1;

    public static ItemsSeen WhereBetter(PoolReport report, ItemsSeen alike)
    {
        var error = double.IsPositiveInfinity(alike.Items[0].BlockMs) ? null : WhatIfStudy.Of(report, alike).ErrorShare;
        if (error is not > WellExplained)
        {
            return alike;
        }

        var staggered = Staggered(alike, Math.Min(alike.Items.Length, SeenPool.Settings(report).Min));
        return WhatIfStudy.Of(report, staggered).ErrorShare < error ? staggered : alike;
    }

    // The same time in all: what the first ones take less the others take more.
    static ItemsSeen Staggered(ItemsSeen alike, int first)
    {
        var count = alike.Items.Length;
        var less = Enumerable.Range(1, first).Sum(n => 1 - (double)n / first);
        var stretch = count / (count - less);
        return alike with
        {
            Items = [.. alike.Items.Select((item, index) => item with
            {
                BlockMs = item.BlockMs * stretch * (index < first ? (index + 1.0) / first : 1),
            })],
        };
    }
}
