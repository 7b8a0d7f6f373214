using Tpwatch.Forecast;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Diagnosis;

/// <summary>What is known beside the pool's own decisions and waits.</summary>
sealed record SeenBeside
{
    /// <summary>What comes next.</summary>
    public PoolForecast? Forecast { get; init; }

    /// <summary>What the backlog drains by; null when nothing waits.</summary>
    public DrainCase? Drains { get; init; }

    /// <summary>What was switched on.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>Items and locks; null where there was no second session.</summary>
    public DeepSnapshot? Deep { get; init; }

    /// <summary>Requests; null where none were watched, or none came.</summary>
    public RequestSnapshot? Requests { get; init; }

    /// <summary>Whether requests are watched, though none may have come yet.</summary>
    public bool WatchesRequests { get; init; }

    /// <summary>
    /// How often a live target was asked for counter samples, milliseconds; null where nobody knows, or none are asked for.
    /// </summary>
    public double? HeartbeatMs { get; init; }

    /// <summary>Bursts of stacks; null where none were allowed.</summary>
    public StacksSeen? Stacks { get; init; }

    /// <summary>A process that has ended has no future; what was predicted is still scored.</summary>
    public SeenBeside OfThePast() => this with
    {
        Forecast = Forecast is null ? null : Forecast with { NextInjection = null, BacklogGone = null, StartDelayOfNewItem = null },
        Drains = null,
    };

    public PoolReport AddTo(PoolReport report)
    {
        var items = Deep is { } deep && Depth.HasFlag(CaptureDepth.Items) ? ItemReport.AddTo(report, deep.Items, Drains) : report;
        var served = Requests is { } requests ? RequestReport.AddTo(items, requests) : items;
        return Stacks is { } stacks ? HolderReport.AddTo(served, stacks, Requests) : served;
    }
}
