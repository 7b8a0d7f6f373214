using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds sentences about injection delays: lost events, adjustment reasons, the next rule, and starts of threads.</summary>
static class DelayReasons
{
    /// <summary>The sentence for an injection delay that overlaps lost events.</summary>
    public const string Lost = "Events were lost in that time, so tpwatch does not judge the delay.";

    /// <summary>Returns the sentence about an adjustment for which no item waited, by the runtime's reason for the adjustment.</summary>
    public static string Of(AdjustmentReason reason) => reason switch
    {
        AdjustmentReason.Warmup => "Hill climbing (the pool's throughput tuning) takes its first measurements. "
            + "Hill climbing acts when items complete, not at fixed times.",
        AdjustmentReason.Initializing => "Hill climbing (the pool's throughput tuning) starts from this target thread count.",
        AdjustmentReason.RandomMove or AdjustmentReason.ClimbingMove or AdjustmentReason.ChangePoint =>
            "Hill climbing tries another number of threads. Hill climbing acts when items complete, not at fixed times.",
        AdjustmentReason.Stabilizing => "Hill climbing settles on a number of threads. Hill climbing acts when items complete, not at "
            + "fixed times.",
        AdjustmentReason.ThreadTimedOut => "An idle worker thread ended after its timeout.",
        _ => $"The runtime gives reason {(int)reason}, which tpwatch does not know.",
    };

    /// <summary>Returns the sentence about a delay that has not ended, by the rule that adds the next thread.</summary>
    // The sentence states no time: ForecastTracker estimates when the thread comes.
    public static string Next(Mechanism rule) => rule switch
    {
        Mechanism.G4CooperativeStep => "Items still wait. If threads still wait for tasks, the pool adds the next thread.",
        Mechanism.G2CpuThrottle => "Items still wait. While the processors are busy, the pool waits longer before it adds a thread.",
        _ => "Items still wait. Unless an item is dequeued first, one of the next gate checks adds a thread.",
    };

    public static string NotNeeded(int existing) => $"No new thread was needed: {existing} worker threads existed already.";

    public static string NoneStarted(double ms) =>
        $"No new thread started within {Format.Duration(ms)}: idle threads took the items, or the pool requested none.";

    public static string Slow(double ms) =>
        $"The pool had created the thread. The operating system took {Format.Duration(ms)} to start it.";

    /// <summary>Returns the sentence about idle threads that ended in the last <paramref name="ms"/> ms and are needed again.</summary>
    public static string Replaced(int count, double ms) =>
        $"{(count == 1 ? "An idle worker thread" : "Idle worker threads")} had ended in the "
        + $"{Format.Duration(ms)} before, so the pool had to add threads again.";

    /// <summary>Returns the sentence about threads created on demand; the slowest start is null when it is not known.</summary>
    public static string Ramp(int count, double ms, double? slowestMs, bool isUnusual) =>
        $"The pool created {Format.Plural(count, "worker thread")} on demand "
        + $"within {Format.Duration(ms)}: fewer existed than the target thread count allows."
        + (slowestMs is not { } slowest || (count == 1 && Format.Duration(slowest) == Format.Duration(ms)) ? ""
            : $" The {(count == 1 ? "" : "slowest ")}thread took {Format.Duration(slowest)} to start"
            + $"{(isUnusual ? ", longer than usual" : "")}.");
}

/// <summary>Builds the sentence that explains a starvation delay, with its numbers.</summary>
static class StarvationSentence
{
    /// <summary>The sentence for a delay with too many gate checks to compute their times.</summary>
    public static string PhaseLost => $"More than {GateTiming.MaxUnseenChecks} gate checks passed without a thread injection. "
        + "So tpwatch cannot tell when the gate checks ran, and does not judge this delay.";

    /// <summary>Returns the sentence for a delay before which no gate check is known.</summary>
    public static string Untimed(PoolSettings settings) =>
        $"The gate thread adds one thread when no item was {RestartWord.Done(settings.ByDispatch)} for more than 500 ms. "
        + "tpwatch saw no recent injection that tells when the gate thread checks, so tpwatch does not judge this delay.";

    public static string Of(InjectionDelay delay, PoolSettings settings) =>
        $"{(WasReadLess(delay) ? ReadLess(delay, settings) : $"{Rule(delay, settings)} {Ticks(delay)}")}{Verdict(delay)}{NoItem(delay)}"
            .TrimEnd();

    /// <summary>Whether the sentence says why the gate check at an index added no thread; only the last such check is explained.</summary>
    public static bool Tells(InjectionDelay delay, int index) => index == delay.Ticks.Length - 2 && !WasReadLess(delay);

    static bool WasReadLess(InjectionDelay delay) => delay is { Mechanism: Mechanism.G2CpuThrottle, Ticks: [.., { Answer: false }] };

    // The sentence if the counter sample shows busy processors, but the pool did not apply the rule for busy processors.
    static string ReadLess(InjectionDelay delay, PoolSettings settings) =>
        $"The counter sample shows {Use(delay)} processor use. At that use, the pool adds a thread only after {Limit(delay)} without a "
        + $"{RestartWord.Of(settings.ByDispatch)}. The pool did not wait that long, so the runtime read less processor use.";

    static string Use(InjectionDelay delay) => Format.Percent(Math.Min(1, delay.Cpu ?? 0));

    static string Limit(InjectionDelay delay) => Format.Duration((delay.TargetThreadsBefore ?? 1) * 1000);

    static string Rule(InjectionDelay delay, PoolSettings settings) => delay.Mechanism == Mechanism.G2CpuThrottle
        ? $"The processors are {Use(delay)} busy, so 500 ms without a {RestartWord.Of(settings.ByDispatch)} is not enough to add a thread. "
            + $"The limit is then one second for each thread of the target thread count, here {Limit(delay)}."
        : $"Every 500 ms, the gate thread adds one thread if no item was {RestartWord.Done(settings.ByDispatch)} for more than 500 ms.";

    static string NoItem(InjectionDelay delay) => delay.QueueLength == 0
        ? " The nearest counter samples show no waiting item, so probably no item had to wait for this thread."
        : "";

    static string Ticks(InjectionDelay delay)
    {
        if (delay.Ticks.Length == 0)
        {
            return "";
        }

        var held = delay.Ticks.Length - 1;
        var added = $"added the thread: {delay.Ticks[^1].Spoken}.";
        return held switch
        {
            0 => $"The first gate check {added}",
            1 => $"The first gate check added no thread: {delay.Ticks[0].Spoken}. The second check {added}",
            _ => $"{held} gate checks added no thread. The last of these checks: {delay.Ticks[^2].Spoken}. The next check {added}",
        };
    }

    static string Verdict(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.Late => $" {(WasReadLess(delay) ? "By the 500 ms rule, the" : "The")} thread came "
            + $"{Format.Duration(delay.LateMs ?? 0)} late.",
        DelayVerdict.Early => " The thread came before the first moment that the rule allows.",
        _ => "",
    };
}

/// <summary>A remark after the reason why a gate check added a thread or did not.</summary>
enum CheckRemark { None, Missed, DequeuedMeanwhile, MaybeDequeued, NoneAdded, TooNear, ReadLess, MayHaveReadMore, Coarse }

/// <summary>Builds the text that says why one gate check added a thread or did not, in a short form and in a full form.</summary>
static class GateCheckSentence
{
    /// <summary>Returns the reason in short and in full; the full form continues "The check added no thread:".</summary>
    public static (string Short, string Full) Of(Decision decision, CheckRemark remark, bool isUseKnown)
    {
        var (brief, full) = remark switch
        {
            CheckRemark.Missed => (": should have added a thread and did not", ". This check should have added a thread and did not"),
            CheckRemark.DequeuedMeanwhile => (", but items completed then, so one was dequeued meanwhile",
                ". But items completed then, so one was dequeued meanwhile"),
            CheckRemark.MaybeDequeued => (" unless an item was dequeued meanwhile", " unless an item was dequeued meanwhile"),
            CheckRemark.NoneAdded => (
                ", but no thread was added and no item completed", ". The pool may have read a slightly shorter time"),
            CheckRemark.TooNear => (" (borderline)", $". This time is too close to {decision.NeedMs:0} ms for tpwatch to be certain"),
            CheckRemark.ReadLess => ("; the runtime read less processor use than the counter sample",
                ". So the runtime read less processor use than the counter sample shows"),
            CheckRemark.MayHaveReadMore => ("; the runtime may have read more processor use than the counter sample",
                ". The runtime may have read more processor use than the counter sample shows"),
            CheckRemark.Coarse => (" as far as tpwatch can read the clock", ". tpwatch cannot read the clock more exactly"),
            _ => ("", ""),
        };
        var busy = decision.Mechanism == Mechanism.G2CpuThrottle && isUseKnown ? " with busy processors" : "";
        var fact = decision.Fact is { } known ? Of(known) : null;
        return ($"{fact ?? Compared(decision)}{busy}{brief}", $"{fact ?? Read(decision, remark)}{full}");
    }

    /// <summary>Returns the fact that decided, in a few words.</summary>
    public static string Of(DecidingFact fact) => fact switch
    {
        DecidingFact.MaxReached reached => $"MaxThreads ({reached.Max}) is reached",
        DecidingFact.DetectionOff => "starvation detection is switched off",
        DecidingFact.StepPending => "a thread for a task wait is pending",
        DecidingFact.NoRequest => "no worker thread is requested",
        DecidingFact.DequeueUnknown unknown => $"the last {RestartWord.Of(unknown.ByDispatch)} is not known",
        DecidingFact.AtOnce at => $"threads up to {at.Threads} are added at once",
        DecidingFact.AfterDelay after => $"{after.DelayMs:0} ms delay at {after.TargetThreads} threads",
        DecidingFact.Compensated all => $"target {all.TargetThreads}, {all.TaskWaits} task waits",
        DecidingFact.NewestUnknown => "it is not known when the newest thread was created",
        DecidingFact.NewestAge age => $"{Format.Ms(age.AgeMs)} since the newest thread, {(age.IsReached ? "" : "not ")}"
            + $"{(age.IsStrict ? ">" : "≥")}{age.NeedMs:0}",
        DecidingFact.ItemsWait => "work waits at a gate check",
        DecidingFact.EachCheckAdds adds => $"{adds.Existing} threads exist, and each gate check adds one up to {adds.Fast}",
        DecidingFact.QueueShrinks shrinks => $"{shrinks.Items} items wait, {shrinks.Before} at the check before: the queue shrinks",
        _ => throw new ArgumentOutOfRangeException(nameof(fact), fact, "A fact without words."),
    };

    // The time since the last dequeue and the threshold, in short.
    static string Compared(Decision decision) =>
        $"{Format.Ms(decision.SinceDequeueMs ?? 0)} since {RestartWord.Of(decision.ByDispatch)}, "
        + (decision.Certainty == Certainty.TooClose ? $"too close to {decision.NeedMs:0} ms to tell"
            : $"{(decision.Kind == DecisionKind.Add ? "" : "not ")}>{decision.NeedMs:0}");

    /// <summary>Whether a check certainly added no thread only because the time since the last dequeue was too short.</summary>
    public static bool IsReading(Decision decision, bool fired) =>
        !fired && decision is { Kind: DecisionKind.Hold, Fact: null, IsSure: true };

    // Says whether the time since the last dequeue exceeds the limit, unless that is uncertain.
    static string Read(Decision decision, CheckRemark remark) =>
        $"{Math.Round(decision.SinceDequeueMs ?? 0):0} ms since the last {RestartWord.Of(decision.ByDispatch)}"
        + (remark == CheckRemark.TooNear ? ""
            : decision.Certainty == Certainty.TooClose ? $", too close to {decision.NeedMs:0} ms to tell"
            : $", {(decision.Kind == DecisionKind.Add ? "" : "not ")}more than {decision.NeedMs:0} ms");
}

/// <summary>Words for what restarts the 500 ms of starvation detection: a dispatch on .NET 11 and later, otherwise a dequeue.</summary>
static class RestartWord
{
    public static string Of(bool isDispatch) => isDispatch ? "dispatch" : "dequeue";

    public static string Done(bool isDispatch) => isDispatch ? "dispatched" : "dequeued";
}

/// <summary>What may have restarted the injection delay for task waits.</summary>
enum DelayRestart { Call, Completed, Started, Free }

/// <summary>Why tpwatch does not judge the injection delay of a thread for task waits.</summary>
enum CompensationDoubt { None, MinIsLarger, LimitsLost, MinIsUnknown }

/// <summary>Builds the sentences about adjustments for task waits, and about task waits that get no extra thread.</summary>
static class TaskWaitSentence
{
    public const string UnknownBefore = "The pool changed its target thread count for task waits. The previous target is not known, "
        + "so the expected delay is not known either.";

    public const string Withdrawn = "Task waits ended, so the pool needs fewer of the threads that it added for them.";

    public static string Unknowable(bool isChanged) => "The pool added a thread for a task wait. " + (isChanged
        ? "A setting of the process changes the delays, so tpwatch does not judge the delays."
        : "The program has set MinThreads by a call, so the expected delay is not known.");

    /// <summary>The sentence about a raise without delay, up to MinThreads plus processors or up to the existing threads.</summary>
    public static string Jump(int upTo, bool isBudget, bool began)
    {
        var threads = Format.Plural(upTo, "thread");
        var budget = isBudget ? $"{threads} (MinThreads plus processors)" : $"the {threads} that exist";
        return $"{(began ? "Threads began to wait for tasks. " : "")}Up to {budget}, the pool raises the target thread count for task "
            + $"waits without delay.{(began ? "" : NoBeginning)}";
    }

    const string NoBeginning = " No event says when the task wait began.";

    /// <summary>Returns the rule about the injection delay for task waits, without a full stop.</summary>
    public static string Rule(double delayMs, bool isDefault) =>
        $"Above MinThreads plus processors, the pool adds threads for task waits after a delay, here {delayMs:0} ms"
        + (isDefault ? " by default" : "");

    public static string Unbegun(string rule) => $"{rule}.{NoBeginning}";

    /// <summary>Returns the rule, the observed delay, and the reason why tpwatch does not judge that delay.</summary>
    public static string Came(string rule, double observedMs, CompensationDoubt doubt) =>
        $"{rule}. The pool raised the target thread count after {Format.Duration(observedMs)}."
        + doubt switch
        {
            CompensationDoubt.MinIsLarger =>
                " So MinThreads is larger than the default. The program set MinThreads before tpwatch attached.",
            CompensationDoubt.LimitsLost => " Events were lost before that. A call that set MinThreads may have been among them.",
            CompensationDoubt.MinIsUnknown => " MinThreads is not known. Below the default, it would make this delay longer, "
                + "so tpwatch does not judge it.",
            _ => "",
        };

    public static string Late(string rule, double lateMs) => $"{rule}. The thread came {Format.Duration(lateMs)} late.";

    public static string Anew(string rule, DelayRestart by) =>
        $"{rule}. " + by switch
        {
            DelayRestart.Call => "A call set the limits",
            DelayRestart.Completed => "Items completed",
            DelayRestart.Started => "A thread started",
            _ => "A thread was free",
        } + " meanwhile, and a later task wait restarted the delay. No event says when.";

    /// <summary>Returns why memory use keeps the pool from compensating for task waits, and the given explanation of the delay.</summary>
    public static string Vetoed(string because, bool stands, double? load, double veto, string? setting)
    {
        var share = load is { } known ? $" ({Format.Percent(known)})" : "";
        var high = (setting is null ? $"Memory use is high{share}" : $"Memory use{share} counts as high because of {setting}")
            + $": from {Format.FinePercent(veto)} on, task waits get no extra thread.";
        return stands ? $"{high} Only the gate thread adds threads then. {because}"
            : $"{because} {high} Stacks would show whether the threads wait for tasks.";
    }

    /// <summary>Returns why task waits get no extra thread, and the given explanation of the delay.</summary>
    public static string Debt(string because, int? targetThreads, int min) => $"{Debt(targetThreads, min)} {because}";

    /// <summary>As <see cref="Debt(string, int?, int)"/>, and says that high memory use may be the cause instead.</summary>
    public static string DebtOrMemory(string because, int? targetThreads, int min, double? load) =>
        $"{because} {Debt(targetThreads, min)} High memory use may be the cause instead: "
        + (load is { } known ? $"at {Format.Percent(known)} it may count as high." : "the memory load is not known.");

    static string Debt(int? targetThreads, int min) =>
        $"Task waits get no extra thread here: the pool has raised the target thread count to {targetThreads} for other blocking. "
        + $"The threads above MinThreads ({targetThreads - min}) already count as extra threads for task waits.";
}

/// <summary>The facts for the sentence about a wait without an adjustment event.</summary>
/// <param name="Rule">The rule that explains the wait.</param>
/// <param name="Sample">The newest counter sample.</param>
/// <param name="State">The pool as observed so far.</param>
/// <param name="LongestMs">Lower bound of the time that an item has waited, milliseconds.</param>
/// <param name="HasNoRoom">Whether hill climbing shows that MaxThreads, whose value is unknown, is reached.</param>
/// <param name="IsMaxForTaskWaits">Whether task waits show that MaxThreads, whose value is unknown, is reached.</param>
/// <param name="Max">MaxThreads if the value is certain; otherwise null.</param>
/// <param name="IsKeptAsleep">Whether items complete so often that starvation detection cannot trigger.</param>
/// <param name="StalledMs">Time without a dequeue, a completion or an added thread, milliseconds.</param>
/// <param name="HinderedMs">Time in the wait during which the process did not run, milliseconds.</param>
/// <param name="Hindrances">The kinds of hindrances that kept the process from running.</param>
sealed record WaitFacts(Mechanism Rule, CounterSample Sample, PoolState State, double LongestMs, bool HasNoRoom, bool IsMaxForTaskWaits,
    int? Max, bool IsKeptAsleep, double StalledMs, double HinderedMs, IEnumerable<HindranceKind> Hindrances);

/// <summary>Builds the sentence about a wait without an adjustment event.</summary>
static class WaitSentence
{
    /// <summary>Returns the sentence. If the pool has grown since the wait began, MaxThreads had probably not been reached.</summary>
    public static string Of(WaitFacts given, bool hasGrown)
    {
        var wait = $"An item has waited at least {Format.Duration(given.LongestMs)}";
        return given.Rule switch
        {
            Mechanism.G8Ceiling when given.State.Settings.Max is { } max && given.Sample.Workers >= max => Ceiling(given, max),
            Mechanism.G8Ceiling when hasGrown => $"{wait}. {Unanswered(given)} "
                + "The pool has grown since. So MaxThreads was not reached, or it was raised meanwhile.",
            Mechanism.G8Ceiling when given.HasNoRoom => $"{wait}. {Unanswered(given)} Normally, hill climbing goes on changing the thread "
                + "count. So MaxThreads is probably reached. If so, MinThreads is equal to MaxThreads, or all threads above MinThreads "
                + $"wait for tasks. MaxThreads was then set before the capture. {Threads(given)} exist.",
            Mechanism.G8Ceiling => $"{wait}. {Unanswered(given)} So MaxThreads is probably reached. If so, MaxThreads was set "
                + $"{Unseen(given)}. {Threads(given)} exist, and the processors are {Format.Percent(given.Sample.Cpu ?? 0)} busy.",
            Mechanism.G14Wedged => $"{Stalled(given)} {BelowMax(given)} The pool should have added a thread after at most 1.1 s. "
                + "Probably the runtime lost a request for a thread, or counts "
                + $"{(given.Sample.Workers == 0 ? "threads that have ended" : "idle threads")} as running.",
            Mechanism.G9DetectorOff =>
                $"{wait}. Starvation detection is switched off, so for blocked threads the pool adds threads only if they wait for tasks.",
            Mechanism.G12NotRunning => $"{wait}. For {Format.Duration(given.HinderedMs)} of that, the process did not run "
                + $"({string.Join(", ", given.Hindrances.Select(StandstillWords.Kind))}).",
            _ => Undetected(given, wait, hasGrown),
        };
    }

    static string Unanswered(WaitFacts given) => given.HasNoRoom ? "Hill climbing had all its measurements and changed nothing."
        : given.IsMaxForTaskWaits
            ? "For task waits, the pool raised its target thread count several times to the threads that exist, and added none."
        : "Several gate checks should have added a thread and did not.";

    static string Unseen(WaitFacts given) =>
        given.State.Settings.Max is null ? "before the capture" : "by a call that is among the lost events";

    static string BelowMax(WaitFacts given) => given.Max is { } max
        ? $"The pool is {Format.Plural(max - given.Sample.Workers ?? 0, "thread")} below MaxThreads."
        : given.Sample.Workers < given.State.TargetThreads
            ? $"MaxThreads does not explain the standstill: the target thread count is {Format.Count(given.State.TargetThreads.Value)}, "
                + $"and the pool has {Threads(given)}."
        : $"The pool has {Threads(given)} on {Format.Plural(given.State.Settings.Processors, "processor")}. "
            + (given.Sample.Workers is > 0 and var few ? $"MaxThreads explains the standstill only if the program has set "
                + $"MaxThreads to {few}."
                : "MaxThreads does not explain the standstill.");

    static string Threads(WaitFacts given) => Format.Plural(given.Sample.Workers ?? 0, "worker thread");

    static string Undetected(WaitFacts given, string wait, bool hasGrown) =>
        hasGrown || given.State.Settings.Max is not null || given.IsKeptAsleep
            ? $"{wait}. Items were {RestartWord.Done(given.State.Settings.ByDispatch)} too often for starvation detection to trigger, "
                + $"which needs more than 500 ms without a {RestartWord.Of(given.State.Settings.ByDispatch)}."
            : $"{wait}. Either items were {RestartWord.Done(given.State.Settings.ByDispatch)} too often for starvation detection to "
                + "trigger, or MaxThreads (not known) was reached at that time.";

    static string Ceiling(WaitFacts given, int max) =>
        (given.Sample.Workers > max
            ? $"MaxThreads is {Format.Count(max)} now, but {Threads(given)} exist already, so the pool adds none. "
            : $"MaxThreads is reached ({Format.Plural(max, "thread")}), so the pool adds none. ")
        + $"{Format.Plural(given.Sample.QueueLength ?? 0, "item")} {Wait(given)}, one for at least {Format.Duration(given.LongestMs)}.";

    static string Stalled(WaitFacts given) =>
        $"{Format.Plural(given.Sample.QueueLength ?? 0, "item")} {Wait(given)}, and for {Format.Duration(given.StalledMs)} "
        + "none was dequeued, none completed and no thread was added. "
        + $"The process used {Format.FinePercent(given.Sample.Cpu ?? 0)} of the processors.";

    static string Wait(WaitFacts given) => given.Sample.QueueLength == 1 ? "waits" : "wait";
}
