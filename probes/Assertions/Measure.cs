using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>A value of a report that can be compared with a limit.</summary>
/// <param name="Name">The name in a condition.</param>
/// <param name="Words">The beginning of a sentence about the value, including the verb.</param>
/// <param name="Missing">The reason why the value is unknown.</param>
/// <param name="Of">Callback that returns the value, milliseconds or a count; null when unknown.</param>
sealed record Measure(string Name, string Words, string Missing, Func<PoolReport, double?> Of)
{
    const string NoItems = "tpwatch did not measure single items: use --depth items";
    const string NoCounterSample = "no counter sample came, so it is not known whether items waited";

    /// <summary>All measures.</summary>
    public static ImmutableArray<Measure> All { get; } =
    [
        new("gap", "the longest wait for a worker thread was", "", LongestDelay) { ForgetsOldOnes = true },
        new("starved", "items waited for", NoCounterSample, Starved),
        new("backlog", "the largest queue length was", NoCounterSample, r => r.MaxQueueLength) { IsCount = true },
        new("workers", "the largest number of worker threads was",
            "neither an event nor a counter sample shows how many worker threads there were", r => r.MaxWorkers) { IsCount = true },
        .. Points("queue-delay", "of the queue time", r => r.QueueDelay),
        .. Points("run-time", "of the run time", r => r.RunTime),
    ];

    /// <summary>Whether the value is a count; otherwise it is a duration.</summary>
    public bool IsCount { get; init; }

    /// <summary>Whether entries that were discarded to limit memory use may have had a larger value.</summary>
    public bool ForgetsOldOnes { get; init; }

    /// <summary>Callback that returns whether the value is only a lower bound, which cannot prove that a limit was kept.</summary>
    public Func<PoolReport, bool> IsLeast { get; init; } = _ => false;

    public string Written(double value) => IsCount ? Format.Count((long)value) : Format.Duration(value);

    /// <summary>The sentence with a value and its limit, with enough digits to see which is larger.</summary>
    /// <param name="value">The value.</param>
    /// <param name="relation">The relation, such as <c>more than</c>.</param>
    /// <param name="limit">The limit.</param>
    public string Compared(double value, string relation, double limit)
    {
        Func<double, string> written = value == limit || Written(value) != Written(limit) ? Written : Exactly;
        return $"{Words} {written(value)}, {relation} {written(limit)}";
    }

    static string Exactly(double ms) => FormattableString.Invariant($"{ms:0.###} ms");

    static IEnumerable<Measure> Points(string name, string words, Func<PoolReport, Distribution?> from)
    {
        (string Name, LowerBounds Bound, Func<Distribution, double> Of)[] points =
        [
            ("p50", LowerBounds.P50, d => d.P50Ms), ("p90", LowerBounds.P90, d => d.P90Ms), ("p99", LowerBounds.P99, d => d.P99Ms),
            ("p999", LowerBounds.P999, d => d.P999Ms), ("max", LowerBounds.Max, d => d.MaxMs),
        ];
        return points.Select(p => new Measure(
            $"{name}-{p.Name}", $"{p.Name} {words} was", NoItems, r => from(r) is { IsKnown: true } d ? p.Of(d) : null)
        {
            IsLeast = r => from(r)?.AtLeast.HasFlag(p.Bound) == true,
        });
    }

    static double? LongestDelay(PoolReport report) => report.InjectionDelays.Where(g => g.IsWait).Max(g => g.ObservedMs) ?? 0;

    static double? Starved(PoolReport report) =>
        report.StarvedMs > 0 || !report.Timeline.CounterSamples.IsEmpty || report.Verdict != Verdict.Undecided ? report.StarvedMs : null;
}
