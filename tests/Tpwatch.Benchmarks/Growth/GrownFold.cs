using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Watch;
using Tpwatch.Wording;

namespace Tpwatch.Benchmarks.Growth;

/// <summary>What the engine holds after a stream: the fold of the pool, and that of the items where they were watched.</summary>
sealed record GrownFold(PoolFold Pool, SideStreamTracker? Items)
{
    /// <summary>What somebody who looks now makes it compute: snapshots and the report of them.</summary>
    public PoolReport Look() => Items is null
        ? Pool.Report(SessionEnd.StillOpen)
        : ReportBuilder.Build(Pool.Timeline.Snapshot(), Pool.Ledger.Snapshot(), SessionEnd.StillOpen, new ExtraEvidence
        {
            Forecast = Pool.Forecast.Snapshot(),
            Depth = CaptureDepth.Items,
            Deep = Items.Snapshot(),
        });
}
