using Tpwatch.Explain.Forecast;
using Tpwatch.Explain.Holders;
using Tpwatch.Explain.Items;
using Tpwatch.Stacks;
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

    /// <summary>Bursts of stacks; null where none were allowed.</summary>
    public StacksSeen? Stacks { get; init; }

    /// <summary>The report with it.</summary>
    public PoolReport AddTo(PoolReport report)
    {
        var items = Deep is { } deep && Depth.HasFlag(CaptureDepth.Items) ? ItemReport.AddTo(report, deep.Items) : report;
        return Stacks is { } stacks ? HolderReport.AddTo(items, stacks) : items;
    }
}
