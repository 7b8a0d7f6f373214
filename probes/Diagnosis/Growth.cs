using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>The effect of the injections for starvation: the pool grew, or only regained threads that hill climbing had removed.</summary>
/// <param name="GivenBack">Injections that only returned threads that hill climbing had removed in the same episode.</param>
/// <param name="Grew">Whether the pool came to have more threads than at the beginning of an episode.</param>
readonly record struct Growth(int GivenBack, bool Grew)
{
    /// <summary>
    /// How long without growth until a pool may be at an unknown MaxThreads, milliseconds. While items wait, the gate thread or hill
    /// climbing normally raises a pool below its MaxThreads every few seconds.
    /// </summary>
    const double StandsMs = 20_000;

    /// <summary>
    /// Whether all of the <paramref name="injections"/> injections only returned threads: the pool has added threads, but has no more than
    /// before.
    /// </summary>
    public bool IsNone(int injections) => GivenBack == injections && !Grew;

    /// <summary>Computes the growth in one pass over adjustments, counter samples and episodes, each in time order.</summary>
    /// <param name="report">The report.</param>
    /// <param name="counts">Selects the injections to count.</param>
    public static Growth Of(PoolEvidence report, Func<InjectionDelay, bool> counts)
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
    /// The number of threads that a starving pool has not exceeded for a long time, when MaxThreads is unknown and not proven to be
    /// reached; null when the pool grows, or is known to be able to.
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

    /// <summary>Tracks the number of threads, and how many of them hill climbing has removed since the episode began.</summary>
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

        /// <summary>Whether an injection only returns a removed thread.</summary>
        public bool Gives(InjectionDelay delay) => taken > 0 && delay.TargetThreadsAfter <= highest;

        /// <summary>Takes an adjustment; returns whether it raises the pool above its size in the episode.</summary>
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

/// <summary>
/// A pool that adds threads for task waits without an end: the waiting threads end more slowly than new waits begin, or not at all.
/// </summary>
/// <param name="From">Worker threads when the growth was first observed.</param>
/// <param name="To">Worker threads now.</param>
/// <param name="Ms">How long it has grown, milliseconds.</param>
/// <param name="PerSecond">Threads added per second recently.</param>
readonly record struct EndlessGrowth(int From, int To, double Ms, double PerSecond)
{
    /// <summary>
    /// How long a growth must last to be reported, milliseconds. A pool adds a thread for a task wait every 25 to 250 ms
    /// (PortableThreadPool), so a pool with too few threads has enough after some seconds, if the waits take some seconds. A pool that
    /// still grows then has longer waits.
    /// </summary>
    const double LongMs = 10_000;

    /// <summary>The slowest growth reported: one thread per second. A slower growth needs no action on that day.</summary>
    const double LeastPerSecond = 1;

    /// <summary>
    /// How long without another thread until the growth has ended, milliseconds: three counter samples, which come each second.
    /// </summary>
    const double StandsMs = 3_000;

    /// <summary>The current growth; null when threads were removed within that time, or the growth is slow or over.</summary>
    public static EndlessGrowth? Of(PoolEvidence report)
    {
        var samples = report.Timeline.CounterSamples;
        if (report.Verdict != Verdict.Compensated || samples is not [.., { Workers: { } now } last])
        {
            return null;
        }

        var (first, workers, grownAt) = (samples.Length - 1, now, (EventTime?)null);
        while (first > 0 && samples[first - 1].Workers is { } before && before <= workers)
        {
            grownAt ??= before < workers ? samples[first].At : null;
            (first, workers) = (first - 1, before);
        }

        var ms = last.At.MsSince(samples[first].At);
        var ago = samples.First(b => last.At.MsSince(b.At) <= LongMs);
        var perSecond = (now - ago.Workers) * 1000.0 / last.At.MsSince(ago.At);
        return ms >= LongMs && perSecond >= LeastPerSecond && grownAt is { } at && last.At.MsSince(at) <= StandsMs
            ? new(workers, now, ms, perSecond.Value)
            : null;
    }

    /// <summary>The growth as part of a cause: <c>, and their number grows by 4 a second</c>.</summary>
    public string Words => string.Create(CultureInfo.InvariantCulture, $", and their number grows by {Math.Round(PerSecond)} a second");
}

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
