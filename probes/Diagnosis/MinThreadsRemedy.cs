using Tpwatch.Reports;
using Tpwatch.Targets;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Creates the workaround that all starvation findings share: a larger MinThreads, computed for this report, in all three spellings of the
/// setting. If a larger MinThreads does not help, the remedy says why.
/// </summary>
static class MinThreadsRemedy
{
    /// <summary>Factor by which the recommended MinThreads exceeds the mean demand, because arrivals and hold times vary.</summary>
    const double Spare = 1.1;

    /// <summary>
    /// Factor by which the computed demand must exceed the existing number of worker threads. If items complete as fast as they arrive and
    /// the queue is never empty, Little's law only gives the existing number. A growing queue shows a clearly higher demand.
    /// </summary>
    const double ClearlyMore = 1.25;

    /// <summary>If at least this share of queued items (0 to 1) resumes async methods, arrivals may depend on completions.</summary>
    const double LeastResumed = 0.25;

    /// <summary>Maximum age of the counter samples that give the peak of running plus queued items, milliseconds.</summary>
    const double LatelyMs = 30_000;

    /// <summary>The condition of the workaround while the blocking call is unknown: at a lock, added threads would wait as well.</summary>
    public const string Doubt = "only once you know the blocking call";

    /// <summary>The refusal when processors are short.</summary>
    public static Remedy Refused { get; } = No(": more threads would share the same processors and slow every item down.");

    /// <summary>The advice when processors were short for only a part of the time. A larger MinThreads may help at other times.</summary>
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

    // A sentence about an unknown MaxThreads, because the runtime refuses a MinThreads above MaxThreads.
    static string Max(PoolEvidence report, int wanted) => InjectionEffect.StandsAt(report) is { } most
        ? $"Check first whether code or configuration sets MaxThreads: the pool never had more than {Format.Count(most)} threads."
        : $"MaxThreads must be at least {Format.Count(wanted)}.";

    // Whether it is known if the items wait for a lock. Stacks show a lock; task waits or growing completions exclude one.
    static bool IsShown(PoolEvidence report) => report.HasStacks || report.Verdict == Verdict.Compensated
        || ThreadScaling.Of(report) == ScalingEffect.Grows;

    // The condition, according to stacks, under which more threads help. Null if completions grow with the threads, or without stacks.
    static string? Condition(PoolEvidence report) =>
        ThreadScaling.Of(report) != ScalingEffect.Grows && report.MainBlocker() is { } main
        ? KnownResource.Of(main, report.Bursts?.WaitsFor).If : null;

    /// <summary>The recommended MinThreads; null when a larger MinThreads is refused.</summary>
    public static int? Advised(PoolEvidence report) =>
        Wanted(report).Count is var count && Refusal(report, count) is null ? Bounded(count, report) : null;

    // The refusal, or null. The runtime refuses a MinThreads above MaxThreads, and a value already in force changes nothing.
    static Remedy? Refusal(PoolEvidence report, long count) =>
        ProcessorLack.Of(report).Explains(report) || report.MainBlocker() is { Kind: BlockKind.Cpu } ? Refused
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
        if (ItemBurst.In(report).Where(b => b.Decided).MaxBy(b => b.Items) is { } burst)
        {
            return (burst.Wanted, burst.Before == 0 ? "one per item of the burst" : "the burst plus the threads that existed before");
        }

        // While items still wait, the number of threads that the pool has grown to is not enough.
        var now = report.Timeline.Levels.QueueLength is > 0 and { } waiting && (report.IsNow || waiting > report.Timeline.Levels.Workers)
            ? Math.Max((report.Timeline.Levels.Workers ?? grown) + waiting, MostLately(report))
            : (long?)null;
        if (ItemBurst.MetLate(report) is { } late && late.Items > Math.Max(grown, now ?? 0))
        {
            return (late.Items, "running plus queued items at attach");
        }

        // A steady load needs the number of worker threads that the load keeps busy, whatever the existing number.
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

        // A pool that did not grow does not show how many worker threads are needed, so twice the present number is a first try.
        return grown > had ? (grown, "what the pool grew to") : (2 * grown, "twice the present worker threads, as a first step");
    }

    // Number of operations in progress if arrivals depend on completions; otherwise null. A queue inside the process, such as a limit on
    // concurrent messages, then admits an operation only when another one ends. So the arrival rate does not show the demand. Each
    // operation in progress runs on a thread or waits in the queue to be resumed.
    static long? InProgress(PoolEvidence report) =>
        report.Inside is { Limits: { } limits, Queue: { } queue }
            && queue.Kinds.Where(k => k.Resumes).Sum(k => k.Items) is > 0 and var resumed
            && resumed >= LeastResumed * queue.Named ? limits.Working + resumed : null;

    // Peak of running plus queued items in recent counter samples of the last episode; the current number varies with each sample.
    static long MostLately(PoolEvidence report) => report.Episodes is not [.., { } last] ? 0 : report.Timeline.CounterSamples
        .Where(b => b.QueueLength > 0 && b.At >= last.Span.From && report.Timeline.Now.MsSince(b.At) <= LatelyMs)
        .Select(b => (b.Workers + b.QueueLength) ?? 0).DefaultIfEmpty().Max();

    static long WithSpare(int needed) => (long)Math.Ceiling(needed * Spare);
}

/// <summary>Creates the workaround at MaxThreads: a larger MaxThreads, computed as far as possible, in all three spellings.</summary>
static class MaxThreadsRemedy
{
    public static Remedy Of(PoolEvidence report, int max)
    {
        if (Bottleneck.Of(report) is { } one)
        {
            return new($"Leave MaxThreads as it is: {one.OnlyWait}");
        }

        if (OnlyJoins(report, max))
        {
            return Remedy.Refusal("count on a larger MaxThreads: what the threads wait for needs a worker thread itself. "
                + "Added threads may wait in the same way.");
        }

        var (count, why, _) = Wanted(report, max);
        return Advised(report, max) is { } wanted
            ? Remedy.Workaround(
                Doubt(report),
                $"set MaxThreads to {wanted} ({(wanted < count ? $"helps in part: {Format.Count(count)} would be needed" : why)}).",
                " Also raise MinThreads to the same number. Otherwise the pool adds the threads one by one."
                    + (report.Timeline.Target.MaxWorkers.Value is null ? $" This helps only if MaxThreads is {Format.Count(max)}." : "")
                    + LimitSetting.InForce("Max", report.Timeline.Target) + LimitSetting.InForce("Min", report.Timeline.Target),
                LimitSetting.Max(wanted, report.Timeline.Target))
            : new($"Raising MaxThreads above {Format.Count(max)} does not help. Let fewer items in at a time.");
    }

    // The condition of the workaround. If the blocking call is unknown, more threads may only increase the pressure on a resource.
    static string Doubt(PoolEvidence report) => report.HasStacks ? "" : MinThreadsRemedy.Doubt;

    /// <summary>The recommended MaxThreads; null when a larger MaxThreads is refused.</summary>
    public static int? Advised(PoolEvidence report, int max)
    {
        var wanted = (int)Math.Min(Wanted(report, max).Count, Math.Max(LimitSetting.MostWorkers, max));
        return wanted > max && Bottleneck.Of(report) is null && !OnlyJoins(report, max) ? wanted : null;
    }

    // Whether added threads would wait too. In a measurement where all threads waited for timers, doubling MaxThreads doubled the waits.
    static bool OnlyJoins(PoolEvidence report, int max) =>
        report.Bursts?.WaitsFor == WaitsFor.QueuedItems && Wanted(report, max).IsFirstTry;

    static (long Count, string Why, bool IsFirstTry) Wanted(PoolEvidence report, int max)
    {
        var demand = Demand.Of(report);
        // A burst after which many more items arrived may be the start of a lasting load.
        var items = ItemBurst.In(report).Where(b => b.Decided).Select(b => b.Wanted).DefaultIfEmpty().Max();
        return items > max
            ? Rounded(items, "one per item of the burst")
            // Callers that wait for answers send requests only as fast as answers come. So only a demand far above MaxThreads counts.
            : demand.Needed > 2 * max
                ? Rounded(demand.Needed.Value, $"enough for items that arrive at {Format.Rate(demand.ArrivedPerSecond)}")
            : (2L * Math.Max(max, report.Timeline.Levels.Workers ?? 0), "twice as many as now", true);
    }

    static (long Count, string Why, bool IsFirstTry) Rounded(long count, string why) =>
        LimitSetting.Round(count) is var round && round > count ? (round, $"{why}, rounded up", false) : (count, why, false);
}

/// <summary>Spells MinThreads and MaxThreads in the three ways that the runtime reads; finds the setting that forces them now.</summary>
static class LimitSetting
{
    /// <summary>
    /// The largest recommended number of worker threads. Each thread has a stack, and when many threads become runnable, items wait for
    /// processors instead of threads.
    /// </summary>
    public const int MostWorkers = 256;

    /// <summary>
    /// Rounds a number of worker threads up to a round number. A number computed from counter samples changes slightly with each sample,
    /// and users should not have to choose between 41, 44 and 43. A few more worker threads work as well.
    /// </summary>
    public static long Round(long count)
    {
        var step = count switch { <= 40 => 5, <= 100 => 10, _ => 20 };
        return (count + step - 1) / step * step;
    }

    public static string Min(int wanted, TargetFacts target) => Spelling("Min", wanted, target);

    public static string Max(int wanted, TargetFacts target) => Spelling("Max", wanted, target);

    /// <summary>A sentence, with a leading blank, about the setting that forces the limit now; empty when none does.</summary>
    public static string InForce(string which, TargetFacts target) => Forced(which, target) is { } now
        ? $" While {now.Name} exists (now {now.Value}{Decimal(which, target)}), calls to Set{which}Threads have no effect."
        : "";

    /// <summary>The setting that forces the limit; null when none does. The runtime ignores 0, and a MaxThreads below MinThreads.</summary>
    public static PoolSetting? Forced(string which, TargetFacts target) =>
        PoolLimits.Forced(target.Settings) is var (min, max) && (which == "Min" ? min : max).Value is not null
            ? Variable(which, target) ?? PoolSwitch.Of(target, $"{which}Threads")
            : null;

    // The environment variable of the limit. If it exists, with any value, the runtime ignores the entry in runtimeconfig.json.
    static PoolSetting? Variable(string which, TargetFacts target) => PoolSwitch.Of(target, $"Force{which}WorkerThreads");

    static string Spelling(string which, int wanted, TargetFacts target)
    {
        var call = Forced(which, target) is null ? $"ThreadPool.Set{which}Threads({wanted}, {Other(which, target)}), or " : "";
        var entry = Variable(which, target) is null
            ? $"\"System.Threading.ThreadPool.{which}Threads\": {wanted} in runtimeconfig.json, or "
            : "";
        return call + entry + InEnvironment(which, wanted);
    }

    // The second argument of the call limits the I/O completion threads. The runtime's default is used, so that users can paste the call.
    static string Other(string which, TargetFacts target) => which == "Max" ? "1000"
        : target.Processors.Value is { } processors ? processors.ToString(CultureInfo.InvariantCulture) : "…";

    static string Decimal(string which, TargetFacts target) => (which == "Min" ? target.MinWorkers : target.MaxWorkers)
        is { Source: SettingSource.Environment, Value: > 9 and var count } ? $", hexadecimal for {count}" : "";

    // The runtime reads the number in this environment variable as hexadecimal.
    static string InEnvironment(string which, int wanted) => string.Create(
        CultureInfo.InvariantCulture, $"DOTNET_ThreadPool_Force{which}WorkerThreads=0x{wanted:X} (hexadecimal for {wanted})");
}
