namespace Tpwatch.WhatIf;

/// <summary>A run in a few numbers; null is not known, or never.</summary>
/// <param name="TotalMs">From the first item queued to the last one ended, milliseconds.</param>
/// <param name="StartDelayMs">How long an item waited for a worker, mean of all, milliseconds; one that did not start had waited until the
/// end at least.</param>
/// <param name="LatencyMs">From queued to ended, mean of all, milliseconds; likewise.</param>
/// <param name="PeakWorkers">Most workers that existed.</param>
/// <param name="PeakBacklog">Most items that waited.</param>
/// <param name="StarvedMs">Time in which an item waited that waited for long, milliseconds.</param>
sealed record WhatIfFigures(double? TotalMs, double? StartDelayMs, double? LatencyMs, int? PeakWorkers, long? PeakBacklog, double StarvedMs)
{
    /// <summary>So long an item has waited for long: as the reports have it, twice what the runtime's own detector asks for.</summary>
    public const double LongMs = 1000;

    /// <summary>Items that had not started when it ended.</summary>
    public int NeverStarted { get; init; }

    /// <summary>
    /// The figures of an imagined run; with <paramref name="cut"/> as far as it got until then,
    /// where whoever still waits has waited so long.
    /// </summary>
    public static WhatIfFigures Of(WhatIfResult run, EventTime? cut = null) =>
        cut is { } end ? Figures(Cut(run, end), end) : Figures(run, End(run));

    static WhatIfResult Cut(WhatIfResult run, EventTime end) => run with
    {
        Items = [.. run.Items.Select(item =>
            item with { Started = item.Started <= end ? item.Started : null, Ended = item.Ended <= end ? item.Ended : null })],
        Curve = [.. run.Curve.TakeWhile(point => point.At <= end)],
    };

    static EventTime End(WhatIfResult run) =>
        run.Items.SelectMany(item => new[] { item.Queued, item.Started, item.Ended }.OfType<EventTime>())
            .Concat(run.Curve.Select(point => point.At)).DefaultIfEmpty().Max();

    static WhatIfFigures Figures(WhatIfResult run, EventTime end)
    {
        var delays = run.Items.Select(item => Math.Max(0, (item.Started ?? end).MsSince(item.Queued))).ToArray();
        var latencies = run.Items.Select(item => Math.Max(0, (item.Ended ?? end).MsSince(item.Queued))).ToArray();
        return new(
            run.TotalMs, delays.Length == 0 ? null : delays.Average(), latencies.Length == 0 ? null : latencies.Average(),
            run.Curve.Select(point => point.Workers).DefaultIfEmpty().Max(),
            run.Curve.Select(point => (long)point.Backlog).DefaultIfEmpty().Max(), Starved(run))
        {
            NeverStarted = run.Items.Count(item => item.Started is null),
        };
    }

    // Overlapping waits count once.
    static double Starved(WhatIfResult run)
    {
        var end = run.Curve.IsEmpty ? default : run.Curve[^1].At;
        var waits = run.Items.Select(item => new EventSpan(item.Queued, EventTime.Max(item.Started ?? end, item.Queued)))
            .Where(wait => wait.Ms > LongMs).OrderBy(wait => wait.From);
        var (sum, until) = (0.0, default(EventTime));
        foreach (var wait in waits)
        {
            var from = EventTime.Max(wait.From, until);
            sum += Math.Max(0, wait.To.MsSince(from));
            until = EventTime.Max(until, wait.To);
        }

        return sum;
    }
}
