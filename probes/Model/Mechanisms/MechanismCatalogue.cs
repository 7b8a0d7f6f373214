using System.Collections.Immutable;
using Tpwatch.Reports;

namespace Tpwatch.Model.Mechanisms;

/// <summary>Every gap code with its words, in the order of the codes: the one place where they are said.</summary>
static class MechanismCatalogue
{
    public static ImmutableArray<MechanismText> All { get; } =
    [
        new(Mechanism.G0Ramp, "Below the target thread count a worker thread is created on demand", new(
            "Queuing an item creates or wakes a worker thread at once while fewer run than the target thread count. Since .NET 7 "
                + "each new thread asks for the next one. The only wait is the start of the thread, less than a millisecond.",
            "The start events of the worker threads, with the target thread count of that time.",
            "None is needed. If each thread takes more than a few milliseconds, the machine is slow: see G13.",
            "Threads that were created before the capture are not seen, so their start seems shorter.")),
        new(Mechanism.G1GateTick, "The gate thread adds one worker thread when nothing was dequeued for more than 500 ms", new(
            "The gate thread checks every 500 ms. When a worker thread is requested and nothing was dequeued for more than 500 ms, "
                + "it adds one, never more. The new thread takes an item at once. So the next check often finds exactly 500 ms, which is "
                + "not enough. The one after it adds a thread: one or two a second.",
            "The thread count adjustments. The machine's clock gives the gate checks between them, a counter sample whether anything "
                + "waited.",
            "Find what blocks the worker threads and await it (TPW001). Workaround: set MinThreads to as many as block at once.",
            "When as many long items run as the target thread count, a thread is added although the queue is empty. That delays no "
                + "item.")),
        new(Mechanism.G2CpuThrottle, "The same while the processors are busy: one second for each thread of the target thread count", new(
            "From 80 % processor use on, the gate thread waits longer: more threads would only compete. It waits one second for each "
                + "thread of the target thread count. On Linux and macOS this process alone is measured, on Windows the whole machine.",
            "The thread count adjustments, and processor use from the counter samples.",
            "Use less processor time, or have more processors (TPW006). On Windows look for other processes that use the processors.",
            "Idle worker threads that spin count as busy processors.")),
        new(Mechanism.G3Silent, "Undetected starvation: items wait, but others complete so often that detection does not trigger", new(
            "The gate thread checks the last dequeue, not the oldest item. While items complete more often than every 500 ms, it "
                + "adds no thread. The queue waits, and the runtime sends no event.",
            "Queue length and completions of at least two counter samples.",
            "Make the long items asynchronous or give them threads of their own (TPW003). Workaround: a larger MinThreads.",
            "None known: it is reported only where the counters prove a wait of a second or more.")),
        new(Mechanism.G4CooperativeStep, "Compensation for task waits: one worker thread at a time, each after 25 to 250 ms", new(
            "The pool detects Task.Wait, .Result and GetAwaiter().GetResult() on a worker thread. Up to MinThreads plus the number "
                + "of processors it adds threads for them at once. Further threads come one at a time, after 25 ms at first. After as many "
                + "threads as there are processors, the delay grows by 25 ms, to 250 ms at most.",
            "The thread count adjustments. The number of processors and MinThreads, to know the delay.",
            "Await the tasks (TPW002). A larger MinThreads makes the first threads come at once.",
            "When task waits end and begin again between two events, the delay cannot be timed.")),
        new(Mechanism.G5CooperativeJump, "Compensation for task waits that needs no delay: at once", new(
            "Up to MinThreads plus the number of processors, a task wait is compensated at once, often by several threads. The same "
                + "holds up to the number of threads that exist already.",
            "The thread count adjustments. The number of processors and MinThreads, to know how many come at once.",
            "Await the tasks (TPW002), before there are more of them than the pool compensates at once.",
            "None: no item waits for it.")),
        new(Mechanism.G6MemoryVeto, "Memory use is high: task waits get no compensation, and only the gate thread adds threads", new(
            "For a task wait the pool first looks at the memory load of the last full garbage collection. By default that counts as "
                + "high from 72 % of the limit on. Then one thread a gate check is all that comes.",
            "Thread count adjustments that change from CooperativeBlocking to Starvation while task waits go on. The memory "
                + "settings, or better the load itself.",
            "Await the tasks. Give the process more memory, or let the pool ignore memory use (TPW008).",
            "The load is that of the last full collection. Memory may have been free again for long.")),
        new(Mechanism.G7Debt, "Task waits get no compensation: threads added for other blocking count against it", new(
            "The pool compensates up to MinThreads plus the threads that wait for tasks. It compares that with the target thread "
                + "count. For locks or sleeps the gate thread has raised that target already. So as many of the next task waits get no "
                + "thread.",
            "Thread count adjustments of both reasons. Without stacks, task waits without compensation are not seen.",
            "Fix the blocking that the pool cannot detect first (TPW007).",
            "It is inferred from the order of the adjustments. High memory use (G6) looks alike.")),
        new(Mechanism.G8Ceiling, "MaxThreads is reached", new(
            "When as many worker threads exist as MaxThreads allows, the pool adds none.",
            "MaxThreads, from the event at the pool's start or from the configuration, and the number of worker threads.",
            "Block less. A larger MaxThreads only delays the problem and costs the memory of more threads (TPW005).",
            "A call before a late attach is not seen. tpwatch then infers MaxThreads, within seconds to a minute. It is reached "
                + "where the gate adds no thread though it should, or where hill climbing measures and changes nothing.")),
        new(Mechanism.G9DetectorOff, "Starvation detection is switched off", new(
            "With System.Threading.ThreadPool.DisableStarvationDetection the gate thread never adds a thread for blocking. Only task "
                + "waits are compensated.",
            "The switch, from the runtime's own event, the environment or runtimeconfig.json.",
            "Remove the switch (TPW017).",
            "None known.")),
        new(Mechanism.G10GoalOnly, "The target thread count rose and no thread started: an idle one took the work", new(
            "The target thread count is what the pool wants. A thread is created only when none is idle and one is requested. So the "
                + "target may rise and nothing starts.",
            "The thread count adjustment, and the start events after it.",
            "None is needed: nothing waits.",
            "A lost start event looks the same. The quality of the capture says whether any was lost.")),
        new(Mechanism.G11Probing, "Hill climbing changed the target thread count: it follows completed items, not a clock", new(
            "When items complete, the pool tries a thread more or less and keeps what raised the throughput. The target thread count "
                + "goes up and down by one or a few every 10 to 200 ms, by design.",
            "The thread count adjustments with reasons Warmup, Initializing, ClimbingMove, Stabilizing.",
            "None is needed. TPW012 tells when it does harm.",
            "None: no item waits for it.")),
        new(Mechanism.G12NotRunning, "The process itself did not run: suspended, stopped, throttled, or without a processor", new(
            "No thread runs while the process is suspended for a garbage collection, stopped, or throttled by its processor quota. "
                + "Gate checks come late, and the pool is not the cause.",
            "Evidence from outside the pool: suspension events, waits for a processor, throttled time, the state of the process.",
            "Look at garbage collections, the quota and other processes (TPW014).",
            "Throttling and waits for a processor are known as sums over an interval, not by the moment.")),
        new(Mechanism.G13SlowThread, "The operating system took long to start the thread", new(
            "The pool had created the thread, and it ran only later. More than 20 ms shows a machine short of processors or memory, "
                + "or a throttled container.",
            "The events of a thread's creation and of its start.",
            "Look at the load and the quota of the machine, not at the pool.",
            "A suspension of the runtime between the two events looks the same.")),
        new(Mechanism.G14Wedged, "Items wait, nothing is dequeued and no thread is added although one should be", new(
            "Some versions of the runtime can lose the request for a worker thread, or count a sleeping one as running. Items then "
                + "wait until another one is queued, or for good.",
            "Queue length, completions and processor use of several counter samples. MaxThreads. And no thread count adjustment for "
                + "more than two gate checks.",
            "Update the runtime to its newest servicing version. Until then, restart the process (TPW016).",
            "A MaxThreads that was set by a call and is not seen looks the same.")),
        new(Mechanism.G15TimeoutChurn, "Idle worker threads ended and are needed again", new(
            "An idle worker thread ends after 20 s, and the target thread count is lowered, at most to MinThreads. A later burst "
                + "waits until the pool has added the threads again.",
            "Thread count adjustments with reason ThreadTimedOut, and the threads added after them.",
            "Set MinThreads to what the burst needs, or use ThreadsToKeepAlive (TPW013).",
            "Threads that end and are not needed again cost nothing.")),
    ];
}
