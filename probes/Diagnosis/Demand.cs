using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// The demand of the waiting work, by Little's law over the counter samples between which items waited: every worker thread was busy then,
/// so thread time divided by completions is how long an item holds its worker thread, and arrival rate times that is the number of worker
/// threads needed.
/// </summary>
/// <param name="SpanMs">The observed time, milliseconds.</param>
/// <param name="BusyMs">Total time of all worker threads in it, milliseconds.</param>
/// <param name="Completed">Items completed in it.</param>
/// <param name="Arrived">Items that arrived in it until the queue was longest; after that the pool only works it off.</param>
sealed record Demand(double SpanMs, double BusyMs, long Completed, long Arrived)
{
    /// <summary>
    /// How much later than its interval a counter sample may arrive until another one counts as missing before it, milliseconds.
    /// </summary>
    const double MissingReadingMs = 500;

    /// <summary>Mean time that an item holds its worker thread, milliseconds; null when none completed.</summary>
    public double? RunMs => Completed > 0 ? BusyMs / Completed : null;

    /// <summary>
    /// The mean time from which items count as long, milliseconds: twice the time after which the runtime's own starvation detection
    /// triggers.
    /// </summary>
    public const double LongMs = 1000;

    /// <summary>
    /// The mean time if it is well founded and long enough for a finding, milliseconds; a report shows no other mean with it.
    /// </summary>
    public double? LongRunMs => IsFounded && RunMs is >= LongMs and var ms ? ms : null;

    /// <summary>Mean number of worker threads.</summary>
    public double Workers => SpanMs > 0 ? BusyMs / SpanMs : 0;

    /// <summary>Number of items that arrived per second.</summary>
    public double ArrivedPerSecond => GrowingMs > 0 ? Arrived * 1000 / GrowingMs : 0;

    /// <summary>
    /// Whether each worker thread completed two items on average: with fewer, the items that ran at both ends outweigh the counted ones.
    /// </summary>
    public bool IsFounded => Completed > 0 && Completed >= 2 * Workers;

    /// <summary>Number of worker threads that keep up with the arrivals; null when unknown.</summary>
    public int? Needed => IsFounded && RunMs is { } run ? (int)Math.Ceiling(Math.Min(ArrivedPerSecond * run / 1000, short.MaxValue)) : null;

    double GrowingMs { get; init; }

    public static Demand Of(PoolEvidence report)
    {
        var (samples, waits) = (report.Timeline.CounterSamples, new Stretches(Waits.ForWorkers(report)));
        var sum = new Demand(0, 0, 0, 0);
        var largest = samples.Select(b => b.QueueLength).Max();
        var growing = true;
        for (var i = 1; i < samples.Length; i++)
        {
            growing &= samples[i - 1].QueueLength != largest || sum.GrowingMs <= 0;
            if (waits.Touch(samples[i - 1].At, samples[i].At))
            {
                sum = sum.And(samples[i - 1], samples[i], growing);
            }
        }

        return sum;
    }

    /// <summary>
    /// Number of items that arrived between two counter samples with waiting items, so that all worker threads were busy; null when
    /// unknown.
    /// </summary>
    public static long? Arrivals(CounterSample from, CounterSample to) =>
        to.QueueLength - from.QueueLength + to.Completed + (to.Workers - from.Workers);

    Demand And(CounterSample from, CounterSample to, bool growing)
    {
        if (from is not { QueueLength: > 0, Workers: { } before }
            || to is not { QueueLength: > 0, Workers: { } after, Completed: { } done, IntervalMs: { } interval }
            || to.At.MsSince(from.At) - interval > MissingReadingMs)
        {
            return this;
        }

        return new(SpanMs + interval, BusyMs + (before + after) / 2.0 * interval,
            Completed + done, Arrived + (growing ? Math.Max(0, Arrivals(from, to) ?? 0) : 0))
        {
            GrowingMs = GrowingMs + (growing ? interval : 0),
        };
    }
}
