using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Many items that arrived at once at a quiet pool and had to wait for worker threads.</summary>
/// <param name="From">The last counter sample at which no item waited.</param>
/// <param name="To">When no item waited any more, or the newest counter sample.</param>
/// <param name="Over">Whether the end was observed.</param>
/// <param name="Arrived">The counter sample by which all of its items had arrived.</param>
/// <param name="Items">
/// Approximate number of items that arrived at once. Worker threads that existed before may have been idle and taken one, or may have held
/// one all the time: they count as none, because a pool whose worker threads are held is not idle.
/// </param>
/// <param name="Wanted">Number of worker threads for all of these items plus those that ran before.</param>
/// <param name="Before">Number of worker threads before.</param>
/// <param name="AtOnce">Number of worker threads at the first counter sample after it.</param>
/// <param name="Decided">Whether few items arrived after it; false while it may still be the beginning of a lasting load.</param>
sealed record Burst(
    EventTime From, EventTime To, bool Over, EventTime Arrived, long Items, long Wanted, int Before, int AtOnce, bool Decided)
{
    /// <summary>
    /// The share of the burst that the pool may have completed just before and still count as quiet: timers and health checks, for example.
    /// </summary>
    const double IdleShare = 0.1;

    /// <summary>
    /// The share of the burst that may arrive while the pool works it off; with a larger share it is a lasting load and not a burst.
    /// </summary>
    const double AfterShare = 0.5;

    /// <summary>Number of counter samples after the one that the burst may span; they show whether more items arrive.</summary>
    const int SamplesAfter = 2;

    /// <summary>
    /// How far the burst must exceed MinThreads, as a factor: its size is known to within one or two worker threads, and a number of items
    /// that MinThreads covers is not a burst. It must also exceed the existing worker threads: fewer waiting items show that those threads
    /// were held, not that many items arrived.
    /// </summary>
    const double AboveMin = 1.25;

    /// <summary>All bursts that made items wait for worker threads, oldest first.</summary>
    public static ImmutableArray<Burst> In(PoolEvidence report)
    {
        var samples = report.Timeline.CounterSamples;
        var all = Enumerable.Range(1, Math.Max(0, samples.Length - 1)).Select(i => At(samples, i)).OfType<Burst>();
        var min = report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 0;
        return
        [
            .. all.Where(b => b.Items > Math.Max(min, b.Before) * AboveMin
                && Waits.ForWorkers(report).Any(e => e.Span.Touches(new(b.From, b.To)))),
        ];
    }

    /// <summary>
    /// The rest of a burst when the capture began in the middle of it: items waited at the first counter sample already, and few have
    /// arrived since. Its items are those that ran or waited then; there may have been more. Null when there is none, or items keep
    /// arriving.
    /// </summary>
    public static Burst? MetLate(PoolEvidence report)
    {
        var samples = report.Timeline.CounterSamples;
        if (samples.IsEmpty || samples[0] is not { QueueLength: > 0 and { } waiting, Workers: { } workers })
        {
            return null;
        }

        var (last, after) = Follow(samples, 0, from: 0);
        var (items, over) = (waiting + workers, samples[last].QueueLength == 0);
        return after <= items * AfterShare && (over || last > SamplesAfter)
            ? new(samples[0].At, samples[last].At, over, samples[0].At, items, items, workers, workers, Decided: true)
            : null;
    }

    /// <summary>
    /// The counter sample at which no item waited any more, or the newest one, and the items that arrived after <paramref name="from"/>.
    /// </summary>
    static (int Last, long Arrived) Follow(ImmutableArray<CounterSample> samples, int first, int from)
    {
        var last = first;
        long arrived = 0;
        while (last + 1 < samples.Length && samples[last].QueueLength > 0)
        {
            last++;
            arrived += last > from ? Math.Max(0, Demand.Arrivals(samples[last - 1], samples[last]) ?? 0) : 0;
        }

        return (last, arrived);
    }

    static Burst? At(ImmutableArray<CounterSample> samples, int first)
    {
        var (idle, sample) = (samples[first - 1], samples[first]);
        if (idle is not { QueueLength: 0 } || sample is not { QueueLength: > 0 and { } waiting, Workers: { } workers, Completed: { } done })
        {
            return null;
        }

        // The burst may span the counter sample.
        var astride = first + 1 < samples.Length ? Math.Max(0, Demand.Arrivals(sample, samples[first + 1]) ?? 0) : 0;
        var before = Math.Min(idle.Workers ?? 0, workers);
        var wanted = waiting + workers + done + astride;
        var items = wanted - before;
        var (last, after) = Follow(samples, first, from: first + 1);
        var over = samples[last].QueueLength == 0;
        var arrived = astride > items * IdleShare ? samples[first + 1].At : sample.At;
        return IsQuiet(idle, items) && after <= items * AfterShare
            ? new(idle.At, samples[last].At, over, arrived, items, wanted, before, workers, over || last - first > SamplesAfter) : null;
    }

    // The first reading counts no completions, but a pool without a worker thread was idle.
    static bool IsQuiet(CounterSample sample, long items) => sample.Completed is { } done ? done <= items * IdleShare : sample.Workers == 0;
}
