using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>A finding rule, or an injection delay code such as G3, that a user can look up.</summary>
/// <param name="Id">TPWnnn for a finding rule, Gn for an injection delay code.</param>
/// <param name="Title">A few words; for an injection delay code, the runtime's rule in one line.</param>
/// <param name="Text">The explanation for users.</param>
sealed record FindingCatalogueEntry(string Id, string Title, FindingMeaning Text);

/// <summary>All entries that a user can look up by id.</summary>
static class FindingCatalogue
{
    /// <summary>The finding rules, ordered by id.</summary>
    public static ImmutableArray<FindingCatalogueEntry> Findings { get; } =
        [.. FindingRuleSet.All.OrderBy(r => r.Id, StringComparer.Ordinal).Select(r => new FindingCatalogueEntry(r.Id, r.Title, r.Text))];

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

    /// <summary>Returns the entry with an id, ignoring case; null if there is none.</summary>
    public static FindingCatalogueEntry? Find(string id) =>
        Findings.Concat(Codes).FirstOrDefault(e => e.Id.Equals(id.Trim(), StringComparison.OrdinalIgnoreCase));

    /// <summary>Returns the title of a finding rule, or the id if the rule is unknown, with a question mark.</summary>
    public static string Question(string id) => $"{Find(id)?.Title ?? id}?";

    static FindingCatalogueEntry Code(Mechanism rule, string line, FindingMeaning text) =>
        new(FormattableString.Invariant($"G{(int)rule}"), line, text);
}

/// <summary>The explanation of an injection delay code, which does not depend on a capture.</summary>
/// <param name="Mechanism">The runtime's rule that the code stands for.</param>
/// <param name="Line">The rule in one line.</param>
/// <param name="Text">The full explanation.</param>
sealed record MechanismText(Mechanism Mechanism, string Line, FindingMeaning Text)
{
    /// <summary>The code as text: <c>G7</c>.</summary>
    public string Code => FormattableString.Invariant($"G{(int)Mechanism}");
}
