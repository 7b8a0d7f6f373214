using Tpwatch.Explain.Forecast;
using Tpwatch.Explain.Items;
using Tpwatch.Timeline.Items;

namespace Tpwatch.Explain;

/// <summary>What is known beside the pool's own decisions and waits.</summary>
sealed record SeenBeside
{
    public PoolForecast? Forecast { get; init; }

    /// <summary>What was switched on.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>Items and locks; null where there was no second session.</summary>
    public DeepSnapshot? Deep { get; init; }

    /// <summary>The report with it.</summary>
    public PoolReport AddTo(PoolReport report) =>
        Deep is { } deep && Depth.HasFlag(CaptureDepth.Items) ? ItemReport.AddTo(report, deep.Items) : report;
}
