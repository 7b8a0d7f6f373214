namespace Tpwatch.WhatIf;

/// <summary>A run in a few numbers; null means unknown, or never.</summary>
/// <param name="TotalMs">From the first item queued to the last one completed, milliseconds.</param>
/// <param name="StartDelayMs">Queue time of an item, mean of all, milliseconds; an item that did not start counts with the time until the
/// end.</param>
/// <param name="LatencyMs">From queued to completed, mean of all, milliseconds; incomplete items count likewise.</param>
/// <param name="PeakWorkers">Largest number of worker threads.</param>
/// <param name="PeakQueueLength">Largest queue length.</param>
/// <param name="StarvedMs">Total time in which some item's wait was longer than <see cref="LongMs"/>, milliseconds.</param>
sealed record WhatIfFigures(double? TotalMs, double? StartDelayMs, double? LatencyMs, int? PeakWorkers, long? PeakQueueLength,
    double StarvedMs)
{
    /// <summary>
    /// The wait that counts as long, milliseconds: as in the reports, twice the time that the runtime's own starvation detection requires.
    /// </summary>
    public const double LongMs = 1000;

    /// <summary>Number of items that had not started when the run ended.</summary>
    public int NeverStarted { get; init; }

    /// <summary>
    /// The figures of a simulation; with <paramref name="cut"/> only up to that time, and items that still wait then count with their wait
    /// so far.
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
            run.Curve.Select(point => (long)point.QueueLength).DefaultIfEmpty().Max(), Starved(run))
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
