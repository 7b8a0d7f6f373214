using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The effect of starvation injections: the pool grew, or only regained threads that hill climbing had removed.</summary>
/// <param name="GivenBack">Number of injections that only restored threads that hill climbing had removed in the same episode.</param>
/// <param name="Grew">Whether the pool exceeded the number of threads that it had at the beginning of an episode.</param>
readonly record struct InjectionEffect(int GivenBack, bool Grew)
{
    /// <summary>
    /// Minimum time without growth for a pool that may be at an unknown MaxThreads, milliseconds. Below MaxThreads, the gate thread or hill
    /// climbing normally adds a thread every few seconds while items wait.
    /// </summary>
    const double StandsMs = 20_000;

    /// <summary>
    /// Whether all <paramref name="injections"/> injections only restored removed threads, so that the pool did not grow.
    /// </summary>
    public bool IsNone(int injections) => GivenBack == injections && !Grew;

    /// <summary>Computes the growth in one pass over adjustments, counter samples and episodes, each in time order.</summary>
    /// <param name="report">The adjustments, counter samples and episodes.</param>
    /// <param name="counts">Selects the injections that may count in <see cref="GivenBack"/>.</param>
    public static InjectionEffect Of(PoolEvidence report, Func<InjectionDelay, bool> counts)
    {
        var walk = new Walk(report);
        var (given, grew) = (0, false);
        foreach (var delay in report.InjectionDelays.Where(delay => delay.Reason is not null))
        {
            walk.To(delay.End);
            given += delay.Reason == AdjustmentReason.Starvation && counts(delay) && walk.Gives(delay) ? 1 : 0;
            grew |= walk.Adjusts(delay);
        }

        return new(given, grew);
    }

    /// <summary>
    /// Returns the number of threads that a starving pool has not exceeded for a long time, if MaxThreads is unknown. Null when the pool
    /// grows, or when another cause is known.
    /// </summary>
    public static int? StandsAt(PoolEvidence report)
    {
        if (report is not { Verdict: Verdict.Starved or Verdict.SilentlyStarved, IsNow: true, Timeline.Target.MaxWorkers.Value: null }
            || report.Episodes is not [.., var last] || report.MaxWorkers is not { } most || report.Timeline.Levels.Workers < most
            || PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null)
        {
            return null;
        }

        var fewer = report.Timeline.CounterSamples.LastOrDefault(sample => sample.Workers < most)?.At ?? report.Timeline.Start;
        return last.Span.To.MsSince(EventTime.Max(fewer, last.Span.From)) >= StandsMs ? most : null;
    }

    /// <summary>Tracks the number of threads, and how many threads hill climbing has removed since the episode began.</summary>
    sealed class Walk(PoolEvidence report)
    {
        int sample;
        int episode;
        int workers;
        int highest;
        int taken;

        public void To(EventTime at)
        {
            var samples = report.Timeline.CounterSamples;
            for (; sample < samples.Length && samples[sample].At < at; sample++)
            {
                Begin(samples[sample].At);
                workers = samples[sample].Workers ?? workers;
                highest = Math.Max(highest, workers);
            }

            Begin(at);
        }

        /// <summary>Whether an injection only restores a thread that hill climbing removed.</summary>
        public bool Gives(InjectionDelay delay) => taken > 0 && delay.TargetThreadsAfter <= highest;

        /// <summary>Records an adjustment. Returns whether the adjustment raises the pool above its largest size in the episode.</summary>
        public bool Adjusts(InjectionDelay delay)
        {
            var (before, after) = (delay.TargetThreadsBefore ?? highest, delay.TargetThreadsAfter ?? 0);
            taken = Math.Max(0, taken + (delay.IsClimbing || after > before ? before - after : 0));
            var grows = highest > 0 && after > highest;
            highest = Math.Max(highest, after);
            return grows;
        }

        void Begin(EventTime at)
        {
            for (; episode < report.Episodes.Length && report.Episodes[episode].Span.From <= at; episode++)
            {
                (highest, taken) = (workers, 0);
            }
        }
    }
}

/// <summary>Many items that arrived at once at a quiet pool and had to wait for worker threads.</summary>
/// <param name="From">Time of the last counter sample before the burst, at which no item waited.</param>
/// <param name="To">Time of the first later counter sample at which no item waited; the newest counter sample if items still wait.</param>
/// <param name="Over">Whether no item waited at <paramref name="To"/>.</param>
/// <param name="Arrived">Time of the counter sample by which all items of the burst had arrived.</param>
/// <param name="Items">
/// Approximate number of items that arrived at once. Items on worker threads that existed before the burst do not count, because they may
/// be older.
/// </param>
/// <param name="Wanted">Number of worker threads needed for the items of the burst plus the items that ran before.</param>
/// <param name="Before">Number of worker threads before the burst.</param>
/// <param name="AtOnce">Number of worker threads at the first counter sample after the start of the burst.</param>
/// <param name="Decided">Whether few items arrived after the burst; false while the burst may still be the start of a lasting load.</param>
sealed record ItemBurst(
    EventTime From, EventTime To, bool Over, EventTime Arrived, long Items, long Wanted, int Before, int AtOnce, bool Decided)
{
    /// <summary>
    /// Maximum number of items that a quiet pool completed just before the burst (for example, timers), as a share of the burst's items.
    /// </summary>
    const double IdleShare = 0.1;

    /// <summary>
    /// Maximum number of items that arrive while the pool processes the burst, as a share of the burst; more items mean a lasting load.
    /// </summary>
    const double AfterShare = 0.5;

    /// <summary>Number of counter samples that must follow the burst's first one, to show whether more items arrive.</summary>
    const int SamplesAfter = 2;

    /// <summary>
    /// Factor by which a burst must exceed both MinThreads and the existing worker threads. Smaller bursts get threads at once, or wait
    /// only because the existing threads are held. The margin covers an error of one or two items.
    /// </summary>
    const double AboveMin = 1.25;

    /// <summary>All bursts that made items wait for worker threads, oldest first.</summary>
    public static ImmutableArray<ItemBurst> In(PoolEvidence report)
    {
        var samples = report.Timeline.CounterSamples;
        var all = Enumerable.Range(1, Math.Max(0, samples.Length - 1)).Select(i => At(samples, i)).OfType<ItemBurst>();
        var min = report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 0;
        return
        [
            .. all.Where(b => b.Items > Math.Max(min, b.Before) * AboveMin
                && WaitingEpisodes.ForWorkers(report).Any(e => e.Span.Touches(new(b.From, b.To)))),
        ];
    }

    /// <summary>
    /// A burst that began before the capture: items waited at the first counter sample, and few have arrived since. The items that ran or
    /// waited at that sample are a lower bound of the burst. Null if no item waited at that sample, or if items keep arriving.
    /// </summary>
    public static ItemBurst? MetLate(PoolEvidence report)
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
    /// Returns the index of the first counter sample without a queue, or of the newest sample if items still wait. Also returns the number
    /// of items that arrived between sample <paramref name="from"/> and the returned one.
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

    static ItemBurst? At(ImmutableArray<CounterSample> samples, int first)
    {
        var (idle, sample) = (samples[first - 1], samples[first]);
        if (idle is not { QueueLength: 0 } || sample is not { QueueLength: > 0 and { } waiting, Workers: { } workers, Completed: { } done })
        {
            return null;
        }

        // Number of items that arrived between the burst's first and second counter sample; the burst may include these items.
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

    // Whether the pool was quiet at a counter sample. The first sample counts no completions, but a pool without worker threads was idle.
    static bool IsQuiet(CounterSample sample, long items) => sample.Completed is { } done ? done <= items * IdleShare : sample.Workers == 0;
}

/// <summary>
/// The demand for worker threads by Little's law, over the counter samples between which items waited. All worker threads were busy then,
/// so thread time divided by completions is the hold time of an item. Arrival rate times hold time is the number of worker threads needed.
/// </summary>
/// <param name="SpanMs">Total observed time with waiting items, milliseconds.</param>
/// <param name="BusyMs">Total time of all worker threads in the observed time, milliseconds.</param>
/// <param name="Completed">Number of items completed in the observed time.</param>
/// <param name="Arrived">Number of items that arrived in the observed time until the queue was longest.</param>
sealed record Demand(double SpanMs, double BusyMs, long Completed, long Arrived)
{
    /// <summary>
    /// Maximum excess of the time between two counter samples over the interval of the later one, milliseconds. A larger excess means that
    /// a sample is missing.
    /// </summary>
    const double MissingReadingMs = 500;

    /// <summary>Mean time that an item holds its worker thread, milliseconds; null when none completed.</summary>
    public double? RunMs => Completed > 0 ? BusyMs / Completed : null;

    /// <summary>Minimum mean time of long items, milliseconds: twice the time after which starvation detection triggers.</summary>
    public const double LongMs = 1000;

    /// <summary>
    /// Mean time that an item holds its worker thread, milliseconds; null when not well founded or below <see cref="LongMs"/>.
    /// </summary>
    public double? LongRunMs => IsFounded && RunMs is >= LongMs and var ms ? ms : null;

    /// <summary>Mean number of worker threads.</summary>
    public double Workers => SpanMs > 0 ? BusyMs / SpanMs : 0;

    /// <summary>Number of items that arrived per second until the queue was longest.</summary>
    public double ArrivedPerSecond => GrowingMs > 0 ? Arrived * 1000 / GrowingMs : 0;

    /// <summary>
    /// Whether the mean is well founded: each worker thread completed two items on average. With fewer, partly observed items outweigh
    /// fully observed ones.
    /// </summary>
    public bool IsFounded => Completed > 0 && Completed >= 2 * Workers;

    /// <summary>Number of worker threads needed for items to complete as fast as they arrive; null when unknown.</summary>
    public int? Needed => IsFounded && RunMs is { } run ? (int)Math.Ceiling(Math.Min(ArrivedPerSecond * run / 1000, short.MaxValue)) : null;

    double GrowingMs { get; init; }

    public static Demand Of(PoolEvidence report)
    {
        var (samples, waits) = (report.Timeline.CounterSamples, new EpisodeIntervals(WaitingEpisodes.ForWorkers(report)));
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
    /// Number of items that arrived between two counter samples; null when unknown. Valid only if items wait at both samples, so that all
    /// worker threads are busy.
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
