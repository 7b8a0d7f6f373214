using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// The workaround that starvation findings share: a larger MinThreads, computed for this case, in all three spellings; or the reason why
/// none helps.
/// </summary>
static class MinThreadsRemedy
{
    /// <summary>The factor above the mean demand, because arrivals and hold times vary.</summary>
    const double Spare = 1.1;

    /// <summary>
    /// How far the computed number must exceed the current one. While items wait and as many arrive as complete, Little's law gives the
    /// existing worker threads; a growing queue needs clearly more.
    /// </summary>
    const double ClearlyMore = 1.25;

    /// <summary>The share of queued items that resume operations from which arrivals may follow completions.</summary>
    const double LeastResumed = 0.25;

    /// <summary>How far back the largest number of running plus queued items still counts, milliseconds.</summary>
    const double LatelyMs = 30_000;

    /// <summary>The condition before stacks or completions give evidence: at a lock, more worker threads wait as well.</summary>
    public const string Doubt = "only once you know the blocking call";

    /// <summary>The refusal when processors are short.</summary>
    public static Remedy Refused { get; } = No(": more threads would share the same processors and slow every item down.");

    /// <summary>The refusal when processors were short for a part of the time only, so a larger MinThreads may help in the rest.</summary>
    public static Remedy NotWhileBusy { get; } = new("While the processors are busy, a larger MinThreads does not help.");

    static Remedy No(string why) => Remedy.Refusal($"raise MinThreads{why}");

    public static Remedy Of(PoolEvidence report)
    {
        var (count, why) = Wanted(report);
        if (Refusal(report, count) is { } no)
        {
            return no;
        }

        var wanted = Bounded(count, report);
        var shown = IsShown(report);
        var condition = Condition(report);
        var ifFree = ProcessorLack.Of(report).IsDoubtful ? "if processors are free" : "";
        return Remedy.Workaround(
            !shown ? Doubt : condition ?? ifFree, $"set MinThreads to {wanted} ({Why(wanted, count, why)}).",
            (shown ? " More threads use memory and do not fix the blocking."
                    : " More threads use memory, do not fix the blocking, and are useless if all items wait for one lock.")
                + (report.Timeline.Target.MaxWorkers.Value is null ? $" {Max(report, wanted)}" : "")
                + LimitSetting.InForce("Min", report.Timeline.Target),
            LimitSetting.Min(wanted, report.Timeline.Target)) with
        { IsDoubtedMin = !shown };
    }

    // The runtime refuses a call above MaxThreads, and a MaxThreads that was set before the capture is not visible.
    static string Max(PoolEvidence report, int wanted) => Growth.StandsAt(report) is { } most
        ? $"Check first whether code or configuration sets MaxThreads: the pool never had more than {Format.Count(most)} threads."
        : $"MaxThreads must be at least {Format.Count(wanted)}.";

    // Stacks would name a lock, completions that grow with the worker threads exclude one, and a task wait is not a lock.
    static bool IsShown(PoolEvidence report) => DeepEvidence.HasStacks(report) || report.Verdict == Verdict.Compensated
        || ThreadScaling.Of(report) == Yield.Grows;

    // Completions that grow with the worker threads answer the question that stacks leave open.
    static string? Condition(PoolEvidence report) => ThreadScaling.Of(report) != Yield.Grows && DeepEvidence.Main(report) is { } main
        ? KnownResource.Of(main, report.Bursts?.WaitsFor).If : null;

    /// <summary>The recommended MinThreads; null when there is none.</summary>
    public static int? Advised(PoolEvidence report) =>
        Wanted(report).Count is var count && Refusal(report, count) is null ? Bounded(count, report) : null;

    // The runtime refuses a call above MaxThreads, and a value already in force changes nothing.
    static Remedy? Refusal(PoolEvidence report, long count) =>
        ProcessorLack.Of(report).Explains(report) || DeepEvidence.Main(report) is { Kind: BlockKind.Cpu } ? Refused
        : report.Verdict == Verdict.Wedged ? No(": the pool does not use the worker threads that it already has.")
        : report.Verdict == Verdict.Held ? No(": nothing waits in the queue, and more threads would hang as well.")
        : AtMax.Reached(report) is { } max
            ? No($" alone: MaxThreads ({(report.Timeline.Target.MaxWorkers.Value is null ? "probably " : "")}{Format.Count(max)}) "
                + "is reached, and the runtime refuses a MinThreads above MaxThreads.")
        : Bottleneck.Of(report) is { } one ? No($": {one.OnlyWait}"
            + (one.Route is { } route ? $" Until the code is changed, let fewer {route} requests in." : ""))
        : report.IsNow && report.Timeline.Levels.Workers is { } has && has >= Allowed(count, report) && count > has
            ? No($": the pool has {Format.Count(has)} threads already, and items still wait. Let fewer items in at a time.")
        : Allowed(count, report) <= report.Timeline.Target.MinWorkers.Value
            ? No($": it is {Format.Count(report.Timeline.Target.MinWorkers.Value.Value)} already. Let fewer items in at a time.")
        : null;

    static int Bounded(long count, PoolEvidence report) => Allowed(LimitSetting.Round(count), report);

    static int Allowed(long count, PoolEvidence report) =>
        (int)Math.Min(count, Math.Min(LimitSetting.MostWorkers, report.Timeline.Target.MaxWorkers.Value ?? int.MaxValue));

    static string Why(int wanted, long count, string why) =>
        wanted == count ? why
        : wanted > count ? $"{why}, rounded up"
        : wanted == LimitSetting.MostWorkers ? "a first step; the items may need more"
        : "helps in part; MaxThreads allows no more";

    static (long Count, string Why) Wanted(PoolEvidence report)
    {
        var had = report.Timeline.Target.MinWorkers.Value ?? report.Timeline.Target.Processors.Value ?? 0;
        var grown = Math.Max(report.MaxWorkers ?? 0, report.Timeline.Levels.TargetThreads ?? 0);
        if (Largest(Burst.In(report)) is { } burst)
        {
            return (burst.Wanted, burst.Before == 0 ? "one per item of the burst" : "the burst plus the threads that existed before");
        }

        // While items still wait, the number of threads that the pool has grown to is not enough.
        var now = report.Timeline.Levels.QueueLength is > 0 and { } waiting && (report.IsNow || waiting > report.Timeline.Levels.Workers)
            ? Math.Max((report.Timeline.Levels.Workers ?? grown) + waiting, MostLately(report))
            : (long?)null;
        if (Burst.MetLate(report) is { } late && late.Items > Math.Max(grown, now ?? 0))
        {
            return (late.Items, "running plus queued items at attach");
        }

        // Steady work needs the number of worker threads that it keeps busy, independent of the existing number.
        var demand = Demand.Of(report);
        if (demand is { Needed: { } needed } && needed > ClearlyMore * Math.Max(had, grown))
        {
            return InProgress(report) is { } begun && Math.Max(begun, now ?? 0) is var all && all > WithSpare(needed)
                ? (all, all > begun ? "running plus queued items, because the end of one may admit the next"
                    : "one per operation in progress, because its end may admit the next")
                : (WithSpare(needed), "arrival rate × time per item + 10%");
        }

        if (now is { } wanted)
        {
            return (wanted, wanted > report.Timeline.Levels.Workers + report.Timeline.Levels.QueueLength
                ? "peak of running plus queued items" : "running plus queued items");
        }

        // A pool that did not grow does not show how many worker threads it needs: twice as many is a first try.
        return grown > had ? (grown, "what the pool grew to") : (2 * grown, "twice as many as now, as a first try");
    }

    // A queue inside the process, such as a limit on concurrent messages, admits an operation only when another one ends. Then arrivals
    // follow completions, and the arrival rate does not show the demand. Each operation in progress runs or waits to be resumed; what it
    // has queued for itself counts as well.
    static long? InProgress(PoolEvidence report) =>
        report.Inside is { Limits: { } limits, Queue: { } queue }
            && queue.Kinds.Where(k => k.Resumes).Sum(k => k.Items) is > 0 and var resumed
            && resumed >= LeastResumed * queue.Named ? limits.Working + resumed : null;

    // The current number varies with each counter sample, so the recent maximum is used.
    static long MostLately(PoolEvidence report) => report.Episodes is not [.., { } last] ? 0 : report.Timeline.CounterSamples
        .Where(b => b.QueueLength > 0 && b.At >= last.Span.From && report.Timeline.Now.MsSince(b.At) <= LatelyMs)
        .Select(b => (b.Workers + b.QueueLength) ?? 0).DefaultIfEmpty().Max();

    static long WithSpare(int needed) => (long)Math.Ceiling(needed * Spare);

    static Burst? Largest(ImmutableArray<Burst> bursts) => bursts.Where(b => b.Decided).MaxBy(b => b.Items);
}
