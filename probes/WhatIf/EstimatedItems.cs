using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.WhatIf;

/// <summary>
/// Estimates the items of a capture from counter samples, adjustments and worker thread events. The number of items that wait, hold a
/// thread or have completed grows by the arrivals. All items are assumed to hold their thread equally long: by Little's law, the total held
/// time divided by the number of completed items. If the pool added most threads for task waits, items are assumed to wait for tasks.
/// </summary>
sealed class EstimatedItems : IItemSource
{
    /// <summary>Maximum number of items; the simulation of more would take too long for a user.</summary>
    public const int MostItems = 50_000;

    /// <summary>
    /// Minimum share of computing in an item's time that is mentioned to the user. A smaller share may be other work of the process.
    /// </summary>
    const double LeastTold = 0.001;

    public ItemsSeen Look(PoolReport report)
    {
        if (report.Timeline.CounterSamples.Count(sample => sample.QueueLength is not null) < 2)
        {
            return ItemsSeen.None("without counter samples it is not known how many items arrived");
        }

        var use = new WorkerOccupancy(report);
        var blocking = ObservedPool.WaitsForTasks(report) ? Blocking.PoolTask : Blocking.Unseen;
        var counted = CumulativeArrivals.Of(report, use, blocking == Blocking.PoolTask);
        return counted.Total < 1 ? ItemsSeen.None("no work item ran on the pool in this capture")
            : counted.Total > MostItems ? ItemsSeen.None(
                $"{Format.Count((long)counted.Total)} items are too many for the model (at most {Format.Count(MostItems)})")
            : Items(report, use, counted, blocking);
    }

    static ItemsSeen Items(PoolReport report, WorkerOccupancy use, CumulativeArrivals counted, Blocking blocking)
    {
        var hold = counted.HoldMs(use);
        var run = Math.Min(WorkerOccupancy.ComputedMs(report) / counted.Total, hold);
        var arrivals = counted.Arrivals();
        var items = arrivals.Select(at => new SimulatedItem(at, run, hold - run, blocking)).ToImmutableArray();
        var estimate = new ItemsSeen(items, "")
        {
            Ended = counted.Drained ? use.LastLetGo : null,
            Existing = report.Timeline.CounterSamples[0] is { QueueLength: > 0, Workers: { } workers } ? workers : 0,
        };
        var fitted = blocking == Blocking.PoolTask ? ItemBurstTail.WhereSeen(report, estimate)
            : StaggeredItems.WhereBetter(report, estimate);
        return fitted with { Basis = Basis(report, fitted) };
    }

    static string Basis(PoolReport report, ItemsSeen seen)
    {
        var item = seen.Items[^1];
        var hold = item.RunMs + item.BlockMs;
        return WhatIfRemarks.Basis(new(seen.Items.Length, hold)
        {
            ComputeMs = item.RunMs < LeastTold * hold ? null : item.RunMs,
            NeedWorkers = item.Blocking == Blocking.PoolTask,
            Compute = item.RunMs > item.BlockMs,
            HoldIsUnknown = Demand.Of(report).LongRunMs is not null,
            OneAfterAnother = seen.Items[0] != item with { Queued = seen.Items[0].Queued },
            EveryMs = report.Timeline.CounterSamples[^1].IntervalMs,
        });
    }
}

/// <summary>
/// Assumes that the first items complete one after another, if this explains the growth of the pool better. Items that begin together and
/// run equally long also complete together, and starvation detection adds threads before that. If items complete one after another, it adds
/// none. Only the growth of the pool shows this difference; the counters do not.
/// </summary>
static class StaggeredItems
{
    /// <summary>Maximum error of the simulation, as a share, at which equal run times are good enough.</summary>
    const double WellExplained = 0.1;

    public static ItemsSeen WhereBetter(PoolReport report, ItemsSeen alike)
    {
        var error = double.IsPositiveInfinity(alike.Items[0].BlockMs) ? null : WhatIfStudy.Of(report, alike).ErrorShare;
        if (error is not > WellExplained)
        {
            return alike;
        }

        var staggered = Staggered(alike, Math.Min(alike.Items.Length, ObservedPool.Settings(report).Min));
        return WhatIfStudy.Of(report, staggered).ErrorShare < error ? staggered : alike;
    }

    // Shortens the first items, so that they complete one after another. Lengthens all items, so that their total time stays the same.
    static ItemsSeen Staggered(ItemsSeen alike, int first)
    {
        var count = alike.Items.Length;
        var less = Enumerable.Range(1, first).Sum(n => 1 - (double)n / first);
        var stretch = count / (count - less);
        return alike with
        {
            Items = [.. alike.Items.Select((item, index) => item with
            {
                BlockMs = item.BlockMs * stretch * (index < first ? (index + 1.0) / first : 1),
            })],
        };
    }
}

/// <summary>
/// Determines from the end of a burst how long items hold their worker threads. There, task waits end without the pool's delay, because
/// worker threads are free. A worker thread becomes idle only when no item is left. So the last item started at most one compensation delay
/// before the first thread became idle, and completed when the last thread became idle. Within these bounds, the run time is the most
/// frequent time from the addition of a thread to an idle event.
/// </summary>
static class ItemBurstTail
{
    /// <summary>Maximum difference of two times that count as equal, milliseconds.</summary>
    const double SameMs = 6;

    /// <summary>Minimum number of thread additions that are followed by an idle event after the run time; fewer may be chance.</summary>
    const int Enough = 3;

    /// <summary>Returns the items with the run time that the end of a burst shows; unchanged if the capture has no such end.</summary>
    public static ItemsSeen WhereSeen(PoolReport report, ItemsSeen seen) =>
        double.IsPositiveInfinity(seen.Items[0].BlockMs) || HoldMs(report, seen) is not { } ms ? seen
            : seen with { Items = [.. seen.Items.Select(item => item with { BlockMs = ms })] };

    /// <summary>
    /// Returns how long an item holds its worker thread, milliseconds; null without a clear run time or the end of a burst.
    /// </summary>
    static double? HoldMs(PoolReport report, ItemsSeen seen)
    {
        var waited = report.Timeline.CounterSamples.LastOrDefault(sample => sample.QueueLength > 0)?.At;
        var slept = report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerAction.Slept && m.At > waited).Select(m => m.At).ToArray();
        if (seen.Ended is not { } end || slept is not [var first, ..] || first >= end)
        {
            return null;
        }

        var least = end.MsSince(first) - SameMs;
        var added = Added(report).ToArray();
        var times = slept.SelectMany(at => added.Select(start => at.MsSince(start)))
            .Where(ms => ms >= least && ms < least + CompensationSchedule.MaxMs).ToArray();
        var best = times.Select(ms => (Ms: ms, Follow: Follow(slept, added, ms))).OrderByDescending(t => t.Follow).FirstOrDefault();
        return best.Follow < Enough ? null : times.Where(ms => Math.Abs(ms - best.Ms) <= SameMs).Average();
    }

    static IEnumerable<EventTime> Added(PoolReport report) =>
        report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerAction.Started).Select(m => m.At)
            .Concat(report.InjectionDelays.Where(g => g.IsCompensation).Select(g => g.End));

    // Counts the thread additions that are followed by an idle event after this run time.
    static int Follow(EventTime[] slept, EventTime[] added, double ms) =>
        added.Count(start => slept.Any(at => Math.Abs(at.MsSince(start) - ms) <= SameMs));
}

/// <summary>Counts how many items had arrived by each counter sample: those that wait, hold a worker thread or have completed.</summary>
sealed class CumulativeArrivals
{
    /// <summary>A neighbouring interval with more than this share of an interval's new items is in the same series of arrivals.</summary>
    const double BurstShare = 0.25;

    /// <summary>Number of completions per item that waits for a task: the item itself, and the end of its task.</summary>
    const double EndAndItem = 2;

    readonly PoolReport report;
    readonly CounterSample[] samples;
    readonly double[] arrived;
    double ended;
    readonly int heldAtEnd;

    CumulativeArrivals(PoolReport report, WorkerOccupancy use, double completionsPerItem)
    {
        this.report = report;
        samples = [.. report.Timeline.CounterSamples.Where(sample => sample.QueueLength is not null)];
        arrived = new double[samples.Length];
        double completed = 0;
        for (var i = 0; i < samples.Length; i++)
        {
            completed += i == 0 ? 0 : samples[i].Completed ?? 0;
            arrived[i] = samples[i].QueueLength!.Value + use.At(samples[i].At) + completed / completionsPerItem;
        }

        // The counts are upper bounds: some worker threads may not be held yet, and the end of a task wait is queued like an item. So a
        // later smaller count also bounds the earlier ones.
        for (var i = samples.Length - 2; i >= 0; i--)
        {
            arrived[i] = Math.Min(arrived[i], arrived[i + 1]);
        }

        heldAtEnd = use.At(report.Timeline.Now);
        Drained = heldAtEnd == 0;
        ended = Drained ? Total : completed / completionsPerItem;
    }

    public double Total => Math.Round(arrived[^1]);

    /// <summary>Whether every item had completed by the end of the capture.</summary>
    public bool Drained { get; }

    public static CumulativeArrivals Of(PoolReport report, WorkerOccupancy use, bool endsAreItems) =>
        endsAreItems ? new CumulativeArrivals(report, use, EndAndItem).AsBurst() : new(report, use, 1);

    // If the first count already contains most items, they arrived in a burst. Later completions are then ends of task waits, or timers
    // that no item waited for.
    CumulativeArrivals AsBurst()
    {
        var first = Array.FindIndex(arrived, items => items >= 1);
        if (first >= 0 && Drained && arrived[first] > Total * (1 - BurstShare))
        {
            Array.Fill(arrived, arrived[first], first, arrived.Length - first);
            ended = Total;
        }

        return this;
    }

    /// <summary>
    /// Returns for how long an item holds its worker thread, milliseconds; infinite if no item completed. Items that run at the first
    /// sample or at the end of the capture count half.
    /// </summary>
    public double HoldMs(WorkerOccupancy use)
    {
        var count = ended + (Drained ? 0 : heldAtEnd / 2.0) - use.At(samples[0].At) / 2.0;
        return ended < 1 ? double.PositiveInfinity : use.HeldMs(samples[0].At, report.Timeline.Now) / Math.Max(1, count);
    }

    /// <summary>Returns when each item arrived: all at once at the start of a burst, otherwise evenly over an interval.</summary>
    public ImmutableArray<EventTime> Arrivals()
    {
        var arrivals = ImmutableArray.CreateBuilder<EventTime>();
        arrivals.AddRange(Enumerable.Repeat(samples[0].At, Math.Max(0, (int)Math.Round(arrived[0]))));
        for (var i = 1; i < samples.Length; i++)
        {
            var count = Math.Max(0, New(i));
            var (from, to) = count > 0 ? Span(i) : default;
            arrivals.AddRange(Enumerable.Range(0, count).Select(n => from.PlusMs(to.MsSince(from) * n / count)));
        }

        return arrivals.ToImmutable();
    }

    int New(int index) => index <= 0 || index >= samples.Length ? 0 : (int)(Math.Round(arrived[index]) - Math.Round(arrived[index - 1]));

    double Rate(int index) => New(index) / Math.Max(1, samples[index].At.MsSince(samples[index - 1].At));

    (EventTime From, EventTime To) Span(int i)
    {
        var (begin, end) = (samples[i - 1].At, samples[i].At);
        var (before, now, after) = (New(i - 1), New(i), New(i + 1));
        if (before > now * BurstShare)
        {
            // The last interval of a series of arrivals has the arrival rate of the interval before it.
            return after > now * BurstShare ? (begin, end) : (begin, EventTime.Min(end, begin.PlusMs(now / Rate(i - 1))));
        }

        var onset = WorkerOccupancy.StartObserved(report, begin, end);
        return after <= now * BurstShare ? (onset.At, onset.At)
            : onset.Seen ? (onset.At, end)
            : (EventTime.Max(begin, end.PlusMs(-now / Rate(i + 1))), end);
    }
}

/// <summary>Supplies the items of a capture for a simulation: estimated from counters, or measured one by one.</summary>
interface IItemSource
{
    /// <summary>Returns the items that ran or waited in a capture.</summary>
    ItemsSeen Look(PoolReport report);
}

/// <summary>The items of a capture, as a simulation needs them.</summary>
/// <param name="Items">The items in queue order; empty if they are not known.</param>
/// <param name="Basis">How the items were determined, in words for users.</param>
sealed record ItemsSeen(ImmutableArray<SimulatedItem> Items, string Basis)
{
    /// <summary>Why the items are not known, one sentence; null if they are.</summary>
    public string? Missing { get; init; }

    /// <summary>Time at which the last item completed; null if an item had not completed by the end of the capture.</summary>
    public EventTime? Ended { get; init; }

    /// <summary>Time between the starts of two worker threads that are created together, milliseconds.</summary>
    public double RampMs { get; init; } = WorkerOccupancy.UsualRampMs;

    /// <summary>Number of worker threads at the start of the capture if items waited then; otherwise 0.</summary>
    public int Existing { get; init; }

    /// <summary>Whether each item was measured individually.</summary>
    public bool OneByOne { get; init; }

    /// <summary>Returns a result without items; <paramref name="sentence"/> says why.</summary>
    public static ItemsSeen None(string sentence) => new([], "") { Missing = sentence };
}

/// <summary>
/// Uses items that were measured one by one: when each was queued and for how long it held its worker thread. The measured processor use is
/// divided among the items. If some items were not measured, or items wait for tasks, <paramref name="otherwise"/> supplies the items.
/// </summary>
sealed class MeasuredItems(IItemSource otherwise) : IItemSource
{
    // If items wait for tasks, the measured items include those of timers and continuations, which the simulation itself creates.
    public ItemsSeen Look(PoolReport report) =>
        report is { Measured: { KeptAll: true, Unmatched: 0 } items, RunTime.Count: > 0 } && !ObservedPool.WaitsForTasks(report)
            && items.Ended.Length + items.Running.Length + items.WaitingSince.Length <= EstimatedItems.MostItems
            ? Of(report, items)
            : otherwise.Look(report);

    static ItemsSeen Of(PoolReport report, ItemSnapshot seen)
    {
        var (ended, usual) = (seen.Ended.ToArray(), report.RunTime!.P50Ms);
        var share = Computing(report, ended);
        var now = report.Timeline.Now;
        var items = ended.Select(i => (i.Queued, HoldMs: i.Ended!.Value.MsSince(i.Taken)))
            .Concat(seen.Running.Select(i => (i.Queued, HoldMs: Math.Max(usual, now.MsSince(i.Taken)))))
            .Concat(seen.WaitingSince.Select(at => (Queued: at, HoldMs: usual)))
            .OrderBy(i => i.Queued).Select(i => new SimulatedItem(i.Queued, i.HoldMs * share, i.HoldMs * (1 - share))).ToImmutableArray();
        return new(items, Basis(ended.Length, items.Length))
        {
            OneByOne = true,
            Ended = seen.Running.IsEmpty && seen.WaitingSince.IsEmpty ? ended.Max(i => i.Ended) : null,
        };
    }

    static double Computing(PoolReport report, MeasuredItem[] ended)
    {
        var held = ended.Sum(i => i.Ended!.Value.MsSince(i.Taken));
        return held > 0 ? Math.Min(1, WorkerOccupancy.ComputedMs(report) / held) : 0;
    }

    static string Basis(int ended, int all)
    {
        var unfinished = all == ended
            ? ""
            : $". {Format.Plural(all - ended, "item")} had not completed. Each of these items is assumed to hold a thread as "
                + "long as the median item. A running item that has held a thread longer is assumed to complete at the end of the capture";
        return $"{Format.Plural(all, "item")} measured one by one, assumed to block in calls that the pool cannot detect{unfinished}";
    }
}

/// <summary>Reads the pool's settings and changes from a capture, and simulates the pool with the observed target thread counts.</summary>
static class ObservedPool
{
    /// <summary>
    /// Time for which a simulation continues after the last item was queued, milliseconds: one hour. Items that are still queued then count
    /// as never started.
    /// </summary>
    const double LongestMs = 3_600_000;

    /// <summary>
    /// Minimum clock step that indicates Windows, milliseconds. Linux clocks step by 10 ms or less, the Windows clock by 15.6 ms.
    /// </summary>
    const double ShortestOfWindowsMs = 15;

    /// <summary>Returns the settings as far as known. If MinThreads is unknown, it is the number of processors.</summary>
    public static PoolSettings Settings(PoolReport report) => new PoolSettingsTracker(report.Timeline.Target).Current;

    /// <summary>
    /// Whether the items wait for tasks: the pool added threads for task waits more often than for starvation. The pool detects no other
    /// kind of blocking.
    /// </summary>
    public static bool WaitsForTasks(PoolReport report) =>
        report.Compensations > report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);

    /// <summary>
    /// Whether the target's gate thread uses the clock of Windows. If the operating system is not known, the clock's steps decide.
    /// </summary>
    public static bool IsByWindowsClock(PoolReport report) => report.Timeline.Target.Os is { } os
        ? os.StartsWith("Windows", StringComparison.OrdinalIgnoreCase)
        : report.Timeline.Clock is { StepMs: >= ShortestOfWindowsMs };

    /// <summary>Simulates the items with every observed change of the target thread count.</summary>
    public static SimulationResult Run(PoolReport report, ItemsSeen seen) =>
        PoolSimulator.Of(new TargetThreadsAsSeen(), Options(report, seen, Settings(report))
            with
        { Moves = Moves(report, _ => true) }, seen.Items);

    /// <summary>Returns options to simulate other settings. Observed changes for starvation or task waits are left out.</summary>
    public static SimulationOptions Options(PoolReport report, ItemsSeen seen, PoolSettings settings) => new(settings, Until(report, seen))
    {
        RampMs = seen.RampMs,
        Existing = seen.Existing,
        Moves = Moves(report, reason => reason is not (AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking)),
    };

    // Returns when the simulation ends: with the capture if an item never completes, because later times cannot be simulated.
    static EventTime Until(PoolReport report, ItemsSeen seen) => seen.Items.Any(item => double.IsPositiveInfinity(item.BlockMs))
        ? report.Timeline.Now
        : seen.Items[^1].Queued.PlusMs(LongestMs);

    static ImmutableArray<ReplayedAdjustment> Moves(PoolReport report, Func<AdjustmentReason, bool> whose)
    {
        var min = Settings(report).Min;
        return
        [
            .. from delay in report.InjectionDelays
               where delay is { Reason: { } reason, TargetThreadsAfter: not null } && whose(reason)
               let before = delay.TargetThreadsBefore ?? min
               where delay.TargetThreadsAfter != before
               select new ReplayedAdjustment(delay.End, delay.TargetThreadsAfter!.Value - before, delay.Reason!.Value),
        ];
    }

    /// <summary>A policy that never adds a thread, because all changes of the target thread count are inputs.</summary>
    sealed class TargetThreadsAsSeen : IInjectionPolicy
    {
        readonly PortablePolicy memory = new();

        public PoolState Start(PoolSettings settings) => memory.Start(settings);

        public PoolState Apply(PoolState state, PoolInput input) => memory.Apply(state, input);

        public InjectionCheck? NextCheck(PoolState state) => null;

        public Decision Decide(PoolState state, InjectionCheck check) =>
            new(DecisionKind.Hold, Mechanism.None, new DecidingFact.NoRequest());
    }
}

/// <summary>
/// Reconstructs how many worker threads were held by items at each time, from worker thread events and counter samples. A thread that wakes
/// up writes no event. But while items wait, all worker threads up to the target thread count are held.
/// </summary>
sealed class WorkerOccupancy
{
    /// <summary>
    /// Usual time between the starts of two worker threads that are created together, milliseconds; 0.1 to 0.3 on a quiet machine.
    /// </summary>
    public const double UsualRampMs = 0.25;

    /// <summary>
    /// Processor use that belongs to no item, as a share of one processor: JIT compilation and the cost of watching. In programs whose
    /// items only slept, it was 0.01 to 0.03.
    /// </summary>
    const double OtherShare = 0.03;

    readonly PoolReport report;
    readonly List<(EventTime At, int By)> steps = [];
    readonly HashSet<int> awake = [];
    int woken;

    public WorkerOccupancy(PoolReport report)
    {
        this.report = report;
        var moments = report.Timeline.WorkerMoments;
        var next = 0;
        CounterSample? before = null;
        foreach (var sample in report.Timeline.CounterSamples)
        {
            for (; next < moments.Length && moments[next].At <= sample.At; next++)
            {
                Take(moments[next]);
            }

            if (sample.QueueLength > 0)
            {
                AllHeld(sample, before);
            }

            before = sample;
        }

        for (; next < moments.Length; next++)
        {
            Take(moments[next]);
        }

        steps.Sort((one, other) => one.At.CompareTo(other.At));
    }

    int Now => awake.Count + woken;

    /// <summary>Returns the number of worker threads that items held at a given time.</summary>
    public int At(EventTime at) => steps.Where(step => step.At <= at).Sum(step => step.By);

    /// <summary>Returns the time for which items held worker threads between two times, summed over the threads, milliseconds.</summary>
    public double HeldMs(EventTime from, EventTime to)
    {
        var (sum, held, last) = (0.0, At(from), from);
        foreach (var step in steps.Where(step => step.At > from && step.At <= to))
        {
            sum += held * step.At.MsSince(last);
            (held, last) = (held + step.By, step.At);
        }

        return sum + held * to.MsSince(last);
    }

    /// <summary>Time at which an item last released a worker thread; null if none did.</summary>
    public EventTime? LastLetGo => steps.FindLastIndex(step => step.By < 0) is >= 0 and var index ? steps[index].At : null;

    /// <summary>
    /// Returns when items began to arrive between two counter samples, and whether that was seen. The time is the first start of a worker
    /// thread or of an injection delay, or else the middle of the interval.
    /// </summary>
    public static (EventTime At, bool Seen) StartObserved(PoolReport report, EventTime from, EventTime to)
    {
        var starts = report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerAction.Started && m.At > from && m.At <= to)
            .Select(m => m.At);
        var waits = report.InjectionDelays.Where(g => g.Start > from && g.Start <= to).Select(g => g.Start!.Value);
        return starts.Concat(waits).Order().Cast<EventTime?>().FirstOrDefault() is { } first
            ? (first, true)
            : (from.PlusMs(to.MsSince(from) / 2), false);
    }

    /// <summary>Returns the processor time that items used in the whole capture, milliseconds.</summary>
    public static double ComputedMs(PoolReport report)
    {
        var processors = report.Timeline.Target.Processors.Value ?? 1;
        return report.Timeline.CounterSamples.Where(sample => sample.Cpu is { } cpu && double.IsFinite(cpu))
            .Sum(sample => Math.Max(0, sample.Cpu!.Value * processors - OtherShare) * (sample.IntervalMs ?? 0));
    }

    void Take(WorkerStateChange moment)
    {
        if (moment.Deed == WorkerAction.Started)
        {
            steps.AddRange(awake.Add(moment.ThreadId) ? [(moment.At, 1)] : []);
        }
        else if (awake.Remove(moment.ThreadId))
        {
            steps.Add((moment.At, -1));
        }
        else if (woken > 0)
        {
            woken--;
            steps.Add((moment.At, -1));
        }
    }

    void AllHeld(CounterSample sample, CounterSample? before)
    {
        var adjusted = report.InjectionDelays.LastOrDefault(g => g.TargetThreadsAfter is not null && g.End <= sample.At);
        var more = Math.Min(sample.Workers ?? 0, adjusted?.TargetThreadsAfter ?? int.MaxValue) - Now;
        if (more > 0)
        {
            var since = before is null ? sample.At : before.QueueLength > 0 ? before.At : StartObserved(report, before.At, sample.At).At;
            woken += more;
            steps.Add((since, more));
        }
    }
}
