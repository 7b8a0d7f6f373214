using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds texts about injection delays: the judgement, what ended the delay, the rule that explains it, and counts.</summary>
static class DelayWords
{
    /// <summary>Returns the judgement and, if early or late, by how many ms: <c>as expected</c>, <c>LATE +512</c>.</summary>
    public static string Of(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.Early or DelayVerdict.Late => Of(delay.Verdict).ToUpperInvariant()
            + (OffMs(delay) is { } off ? FormattableString.Invariant($" {off:+0;-0}") : ""),
        _ => Plainly(delay),
    };

    /// <summary>Returns how early or late the injection was, followed by the judgement: <c>499 ms late</c>.</summary>
    public static string Distance(InjectionDelay delay) =>
        (OffMs(delay) is { } off ? $"{Format.Duration(Math.Abs(off))} " : "") + Of(delay.Verdict);

    /// <summary>
    /// Returns the judgement without the distance. For an item's wait, <see cref="DelayVerdict.NotTimed"/> becomes "not judged"; "not
    /// timed" is for thread count adjustments that ended no wait.
    /// </summary>
    public static string Plainly(InjectionDelay delay) =>
        Of(delay is { Verdict: DelayVerdict.NotTimed, IsWait: true } ? DelayVerdict.NoData : delay.Verdict);

    /// <summary>Returns the judgement, or why there is none, for a line of a log; null if neither is worth a line.</summary>
    public static string? Briefly(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected when delay.Reason is not null => Of(delay.Verdict),
        DelayVerdict.Early or DelayVerdict.Late => Of(delay.Verdict),
        DelayVerdict.NoRule => "not explained by a rule of the runtime",
        DelayVerdict.NoData => "not judged: events are missing",
        _ => null,
    };

    public static string Of(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => "as expected",
        DelayVerdict.Early => "early",
        DelayVerdict.Late => "late",
        DelayVerdict.NoRule => "unexplained",
        DelayVerdict.NoData => "not judged",
        DelayVerdict.NotTimed => "not timed",
        _ => "not over",
    };

    // Returns by how many ms the injection was late, or early (negative); null if unknown.
    static double? OffMs(InjectionDelay delay) => delay.Verdict == DelayVerdict.Late ? delay.LateMs
        : delay.Windows is [var first, ..] ? delay.ObservedMs - first.MinMs : null;

    /// <summary>Returns what ended a delay, in one word for people: the runtime's reason, or else tpwatch's own word.</summary>
    public static string EndedBy(InjectionDelay delay) => delay switch
    {
        { Reason: null, Mechanism: Mechanism.G3Undetected } => "Undetected",
        { Reason: null, Mechanism: Mechanism.G8Ceiling } => "AtMaxThreads",
        _ => Code(delay),
    };

    /// <summary>Returns what ended a delay, in one word for programs. The words are a contract and do not change.</summary>
    public static string Code(InjectionDelay delay) => delay switch
    {
        { Reason: { } reason } => reason.ToString(),
        { Mechanism: Mechanism.G0Ramp } => "Ramp",
        { Mechanism: Mechanism.G3Undetected } => "SilentStarvation",
        { Mechanism: Mechanism.G8Ceiling } => "Ceiling",
        { Mechanism: Mechanism.G9DetectorOff } => "DetectorOff",
        { Mechanism: Mechanism.G12NotRunning } => "NotRunning",
        { Mechanism: Mechanism.G13SlowThread } => "SlowThread",
        { Mechanism: Mechanism.G14Wedged } => "Wedged",
        { Mechanism: Mechanism.G11Probing } => "Probing",
        { Verdict: DelayVerdict.Open } => "Waiting",
        _ => "Unexplained",
    };

    /// <summary>Returns what the mark of a delay on the screen means, without the delay's number and time.</summary>
    public static string Mark(InjectionDelay delay) => delay switch
    {
        { Reason: AdjustmentReason.Starvation } => "pool added a thread (starvation)",
        { Reason: AdjustmentReason.CooperativeBlocking, TargetThreadsBefore: null } => "the target changed for task waits",
        { Reason: AdjustmentReason.CooperativeBlocking } => delay.IsInjection
            ? "pool added threads for task waits" : "task waits ended: fewer threads wanted",
        { Reason: AdjustmentReason.ThreadTimedOut } => "an idle thread ended",
        { Reason: not null } => delay.IsClimbing ? "hill climbing changed the target" : "the target changed",
        { Mechanism: Mechanism.G8Ceiling } => "items wait at MaxThreads",
        { Mechanism: Mechanism.G14Wedged } => "items wait, no thread takes one",
        { Mechanism: Mechanism.G3Undetected or Mechanism.G9DetectorOff } => "undetected starvation",
        { Verdict: DelayVerdict.Open } => "items still wait",
        { Verdict: DelayVerdict.NoRule } => "a delay that no rule explains",
        _ => "an item waited for a thread",
    };

    /// <summary>Returns a short name for a rule of the runtime, shown in addition to the rule's code.</summary>
    public static string Rule(Mechanism rule) => rule switch
    {
        Mechanism.G0Ramp => "on demand",
        Mechanism.G1GateTick => "gate check",
        Mechanism.G2CpuThrottle => "busy processors",
        Mechanism.G3Undetected => "undetected",
        Mechanism.G4CooperativeStep => "task wait, delayed",
        Mechanism.G5CooperativeJump => "task wait, at once",
        Mechanism.G6MemoryVeto => "memory is high",
        Mechanism.G7Debt => "mixed blocking",
        Mechanism.G8Ceiling => "MaxThreads",
        Mechanism.G9DetectorOff => "detection off",
        Mechanism.G10GoalOnly => "no thread needed",
        Mechanism.G11Probing => "hill climbing",
        Mechanism.G12NotRunning => "not running",
        Mechanism.G13SlowThread => "slow thread start",
        Mechanism.G14Wedged => "wedged",
        Mechanism.G15TimeoutChurn => "idle timeout",
        _ => "",
    };

    /// <summary>Returns the number of thread count adjustments for each reason: <c>12 Starvation, 3 CooperativeBlocking</c>.</summary>
    public static string Adjustments(ImmutableSortedDictionary<AdjustmentReason, int> adjustments) =>
        adjustments.Values.Sum() == 0
            ? "none"
            : string.Join(
                ", ", adjustments.Where(p => p.Value > 0).OrderByDescending(p => p.Value).Select(p => $"{Format.Count(p.Value)} {p.Key}"));

    /// <summary>
    /// Returns the number of waits by judgement: <c>13 (11 as expected, 2 late). Thread count adjustments that are not timed: 4</c>.
    /// </summary>
    public static string Tally(DelayTally tally)
    {
        (int Count, DelayVerdict Verdict)[] parts =
        [
            (tally.AsExpected, DelayVerdict.AsExpected), (tally.Early, DelayVerdict.Early), (tally.Late, DelayVerdict.Late),
            (tally.NoRule, DelayVerdict.NoRule),
            (tally.NoData + tally.NotTimed - tally.Moves, DelayVerdict.NoData), (tally.Open, DelayVerdict.Open),
        ];
        (int Count, string Words)[] told =
        [
            .. parts.Where(p => p.Count > 0)
                .Select(p => (p.Count, p.Verdict == DelayVerdict.Open ? "not over yet" : Of(p.Verdict))),
        ];
        var waits = told switch
        {
            [] => "none",
            [var one] => $"{Format.Count(tally.Waits)}, {All(tally.Waits)}{one.Words}",
            _ => $"{Format.Count(tally.Waits)} ({string.Join(", ", told.Select(p => $"{Format.Count(p.Count)} {p.Words}"))})",
        };
        return tally.Moves == 0 ? waits : $"{waits}. Thread count adjustments that are not timed: {Format.Count(tally.Moves)}";
    }

    static string All(int waits) => waits switch { 1 => "", 2 => "both ", _ => "all " };

    /// <summary>Maximum time until the queue is empty that a text mentions, milliseconds; longer estimates are unreliable.</summary>
    const double HardlyMs = 15 * 60_000;

    /// <summary>
    /// Returns when an item queued now starts and when the queue becomes empty, without the last full stop: <c>an item queued now starts in
    /// 32 s to 43 s. The queue is empty in about 4 min</c>. Null if the start is not known or is too uncertain.
    /// </summary>
    public static string? NewItem(PoolReport report)
    {
        if (report.Forecast is not { StartDelayOfNewItem: { EstimateMs: { } likely, MaxMs: { } most } delay, QueueEmpty: var gone }
            || (gone is { IfThreadsHelp: true } && report.HasBottleneck))
        {
            return null;
        }

        var starts = $"an item queued now starts in {Within(delay.MinMs, most)}";
        return gone switch
        {
            { Never: true } => $"{starts}. The queue does not become empty: {gone.Basis.TrimEnd('.')}",
            { IfThreadsHelp: true } => $"if added threads help, {starts}{Emptied(gone, delay, likely, ". If so, the queue is")}",
            _ => $"{starts}{Emptied(gone, delay, likely, ". The queue is")}",
        };
    }

    static string Within(double fromMs, double toMs) => (Format.Rough(fromMs, toMs), Format.Rough(toMs)) is var (from, to) && from == to
        ? Format.About(toMs) : fromMs < 1 ? $"less than {to}" : $"{from} to {to}";

    // Returns when the queue becomes empty, but not before an item queued now starts. Empty if that time is unknown or too uncertain.
    static string Emptied(QueueEmpty? gone, QueueTimeForecast delay, double likelyMs, string begin)
    {
        if (gone?.At?.MsSince(delay.At) is not (< HardlyMs and var ms))
        {
            return "";
        }

        var told = Format.About(Math.Max(ms, likelyMs));
        return told == Format.About(likelyMs) ? $"{begin} then empty" : $"{begin} empty in {told}";
    }

    /// <summary>The injection delay codes, ordered by number.</summary>
    public static ImmutableArray<FindingCatalogueEntry> Codes { get; } =
    [
        Code(Mechanism.G0Ramp, "Below the target thread count a worker thread is created on demand", new(
            "While fewer worker threads run than the target thread count, a queued item immediately creates or wakes one.",
            "Since .NET 7, each new thread requests the next one. Starting or waking a thread takes less than a millisecond.",
            "The start events of the worker threads, with the target thread count at that time.",
            "None is needed. If threads take more than 20 ms to start, the machine is slow: see G13.",
            "If a thread was created before the capture, its start seems shorter than it was.")),
        Code(Mechanism.G1GateTick, "If a thread is requested and no item was dequeued for over 500 ms, the gate thread adds one", new(
            "The gate thread is the pool's monitor and checks every 500 ms.",
            "If a worker thread is requested and no item was dequeued for over 500 ms, the gate thread adds one. The new thread dequeues "
                + "an item at once. So the next check often finds exactly 500 ms since that dequeue, which is not enough. The second check "
                + "adds the next thread. So the pool adds one or two threads a second.",
            "Thread count adjustments. From the times of the adjustments, tpwatch computes when the gate checks between two adjustments "
                + "ran. The resolution of the machine's clock, for a check about 500 ms after the last dequeue. Counter samples that show "
                + "whether items waited.",
            "Find the call that blocks the worker threads, and replace it with an asynchronous one (TPW001). Workaround: set MinThreads to "
                + "the number of threads that block at once.",
            "When long items occupy all threads of the target thread count, the pool adds one although the queue is empty. Such an "
                + "injection delays no item.")),
        Code(Mechanism.G2CpuThrottle, "Busy processors: 500 ms without a dequeue is not enough to add a thread", new(
            "From 80% processor use on, more threads would only compete.",
            "So the time without a dequeue must be one second for each thread of the target thread count. On Linux and macOS the pool "
                + "measures this process, on Windows the machine.",
            "Thread count adjustments, and processor use from the counter samples.",
            "Make the process use less processor time, or give it more processors (TPW006). On Windows, also look for other processes that "
                + "use the processors.",
            "Idle worker threads spin before they sleep. Spinning counts as processor use.")),
        Code(Mechanism.G3Undetected, "Undetected starvation: items wait, but others complete so often that detection does not trigger", new(
            "The gate thread looks at the last dequeue, not at the oldest item.",
            "While an item is dequeued at least every 500 ms, the gate thread adds no thread. Only hill climbing may add threads. The "
                + "queued items keep waiting, and the runtime sends no event about that.",
            "Queue length and completed items from at least two counter samples.",
            "Make the blocking items asynchronous, or run them on dedicated threads (TPW003). Workaround: a larger MinThreads.",
            "None known: tpwatch reports undetected starvation only if the counters prove a queue time of a second or more.")),
        Code(Mechanism.G4CooperativeStep, "Compensation for task waits: one worker thread at a time, each after 25 to 250 ms", new(
            "The pool detects Task.Wait, .Result and GetAwaiter().GetResult() on a worker thread.",
            "Up to MinThreads plus the number of processors, the pool adds threads for task waits at once. The pool adds further threads "
                + "one at a time, at first after 25 ms. The delay grows by 25 ms with every N threads (N: the number of processors), to at "
                + "most 250 ms.",
            "Thread count adjustments. The number of processors and MinThreads, to know the delay.",
            "Await the tasks (TPW002). With a larger MinThreads, the pool adds more threads without delay.",
            "None known. If task waits end and begin again between two events, tpwatch does not judge the delay.")),
        Code(Mechanism.G5CooperativeJump, "Compensation for task waits without delay", new(
            "Up to MinThreads plus the number of processors, the pool adds threads for task waits without delay, often several together.",
            "If more threads exist already, the pool raises the target thread count to their number, also without delay.",
            "Thread count adjustments. The number of processors and MinThreads, to know how many threads the pool adds at once.",
            "Await the tasks (TPW002). While the pool adds all threads at once, this is not urgent.",
            "None: such a change delays no item.")),
        Code(Mechanism.G6MemoryVeto, "Memory use is high: task waits get no extra threads, and only the gate thread adds threads", new(
            "Before adding a thread for a task wait, the pool checks the memory load at the last full garbage collection.",
            "By default, 72% or more of the machine's or container's memory counts as high. With 80 GB or more, the limit is a little "
                + "higher. While memory use is high, the pool adds at most one thread per gate check.",
            "Thread count adjustments whose reason changes from CooperativeBlocking to Starvation while threads wait for tasks. The memory "
                + "load, or at least the memory settings.",
            "Await the tasks. Give the process more memory, or let the pool ignore memory use (TPW008).",
            "The load is that of the last full garbage collection. The memory may have been freed long ago.")),
        Code(Mechanism.G7Debt, "Task waits get no extra threads: threads added for undetected blocking use up the compensation", new(
            "For task waits, the pool raises the target thread count to MinThreads plus the threads that wait.",
            "If the gate thread has already added three threads for locks or sleeps, the target is that much above MinThreads. Then the "
                + "first three task waits get no extra thread.",
            "Thread count adjustments with the reasons CooperativeBlocking and Starvation. Only stacks show task waits that got no extra "
                + "thread.",
            "First fix the blocking that the pool cannot detect (TPW007).",
            "tpwatch infers missing threads from the order of the adjustments. High memory use (G6) looks the same.")),
        Code(Mechanism.G8Ceiling, "MaxThreads is reached", new(
            "When as many worker threads exist as MaxThreads allows, the pool adds no more.", "",
            "MaxThreads, from the event at the pool's start or from the configuration, and the number of worker threads.",
            "Find the call that blocks the threads. Workaround: raise MinThreads and MaxThreads together (TPW005).",
            "tpwatch does not see a call that set MaxThreads before it attached. Then tpwatch infers the limit. The signs: the gate thread "
                + "should add a thread and does not, or hill climbing changes nothing. Or task waits raise the target thread count again "
                + "and again, but never above the threads that exist.")),
        Code(Mechanism.G9DetectorOff, "Starvation detection is switched off", new(
            "With System.Threading.ThreadPool.DisableStarvationDetection set, the gate thread never adds a thread for blocking.",
            "For blocked threads, the pool then adds threads only if they wait for tasks.",
            "The setting, from the runtime's own event, the environment or runtimeconfig.json.",
            "Remove the setting (TPW017).",
            "None known.")),
        Code(Mechanism.G10GoalOnly, "The target thread count rose and no thread started: an idle one took the item", new(
            "The target thread count is what the pool wants.",
            "The pool creates a thread only when one is requested and none is idle. So the target may rise without a new thread.",
            "The thread count adjustment, and the start events after it.",
            "None is needed: nothing waits.",
            "A lost start event looks the same. The report says whether events were lost.")),
        Code(Mechanism.G11Probing, "Hill climbing changed the target thread count: it acts when items complete, not at fixed times", new(
            "When items complete, the pool tries one or a few threads more or fewer, and keeps what raised the throughput.",
            "The target thread count goes up and down by one or a few, often several times a second, by design.",
            "Thread count adjustments with the reasons Warmup, Initializing, ClimbingMove or Stabilizing.",
            "None is needed. If hill climbing does harm, TPW012 reports it.",
            "None: if such a change delays items, the alarm of TPW012 is real.")),
        Code(Mechanism.G12NotRunning, "The process itself did not run: suspended, stopped, throttled, or without a processor", new(
            "No thread runs while the process is suspended for a garbage collection, stopped, or throttled by its processor quota.",
            "Gate checks come late, and the pool is not the cause.",
            "Evidence from outside the pool: suspension events, waits for a processor, throttled time, the state of the process.",
            "Look at garbage collections, the quota and other processes (TPW014).",
            "Throttling and waits for a processor are known only as totals over an interval, not for single moments.")),
        Code(Mechanism.G13SlowThread, "The operating system took a long time to start the thread", new(
            "The pool created the thread, but the operating system ran it only later.",
            "A start that takes more than 20 ms means a machine short of processors or memory, or a throttled container.",
            "The events of a thread's creation and of its start.",
            "Look at the load of the machine and the quota of the container, not at the pool.",
            "A suspension of the runtime between the two events looks the same.")),
        Code(Mechanism.G14Wedged, "Items wait, nothing is dequeued and no thread is added although one should be", new(
            "Some versions of the runtime can lose the request for a worker thread, or count an idle thread as running.",
            "Items then wait until another one is queued, or forever.",
            "Queue length, completed items and processor use from several counter samples. MaxThreads, to rule it out as the cause. No "
                + "thread was added for 3 s.",
            "Update the runtime to its newest servicing version. Until then, restart the process (TPW016).",
            "A call before tpwatch attached that set MaxThreads below the number of processors looks the same.")),
        Code(Mechanism.G15TimeoutChurn, "Idle worker threads ended and are needed again", new(
            "An idle worker thread ends after 20 s, and the pool lowers the target thread count, but not below MinThreads.",
            "A later burst waits until the pool has added the threads again.",
            "Thread count adjustments with the reason ThreadTimedOut, and the threads added after them.",
            "Set MinThreads to what the burst needs. On .NET 8 and later, you can also keep idle threads for longer (TPW013).",
            "Threads that end and are not needed again cost nothing.")),
    ];

    static FindingCatalogueEntry Code(Mechanism rule, string line, FindingMeaning text) =>
        new(FormattableString.Invariant($"G{(int)rule}"), line, text);
}

/// <summary>A finding rule, or an injection delay code such as G3, that a user can look up.</summary>
/// <param name="Id">TPWnnn for a finding rule, Gn for an injection delay code.</param>
/// <param name="Title">A few words; for an injection delay code, the runtime's rule in one line.</param>
/// <param name="Text">The explanation for users.</param>
sealed record FindingCatalogueEntry(string Id, string Title, FindingMeaning Text);
