using System.Collections.Immutable;
using Tpwatch.Reports;

namespace Tpwatch.Model.Mechanisms;

/// <summary>Every gap code with its words, in the order of the codes: the one place where they are said.</summary>
static class MechanismCatalogue
{
    public static ImmutableArray<MechanismText> All { get; } =
    [
        new(Mechanism.G0Ramp, "Below the goal a worker is created on demand", new(
            "Whoever queues an item creates or wakes a worker at once while fewer work than the goal says; "
                + "since .NET 7 each new worker asks for the "
            + "next one. The only wait is the start of the thread, some tenths of a millisecond.",
            "The start events of the workers, with the goal that was in force.",
            "None is needed. A ramp of more than a few milliseconds a worker is a slow machine, see G13.",
            "Workers that were created before the capture began are not seen; their ramp seems shorter.")),
        new(Mechanism.G1GateTick, "The gate adds one worker at a tick that finds nothing dequeued for more than 500 ms", new(
            "The gate thread looks every 500 ms. When a request for a worker is open and nothing was taken from the "
                + "queue for more than 500 ms, it adds "
            + "one worker, never more. The new worker takes an item at once, so the next tick often reads exactly 500 ms, "
            + "which is not more: one or two workers a second.",
            "The adjustment events. The clock's step and phase make the ticks between them known, a heartbeat whether anything waited.",
            "Find what blocks the workers and await it (TPW001). A larger min, as many as block at once, until then.",
            "A request stays open when as many long items run as the goal allows: a worker is added though the "
                + "queue is empty, and delays nobody.")),
        new(Mechanism.G2CpuThrottle, "The same while the processors are busy: goal × 1 s", new(
            "From 80 % of the processors on the gate wants more than one second without a dequeue for each worker of "
                + "the goal, since more workers would "
            + "only compete. On Linux and macOS it measures this process alone, on Windows the whole machine.",
            "The adjustment events and processor use from the heartbeat.",
            "Use less processor time, or have more processors (TPW006). On Windows look for a neighbour on the machine.",
            "Idle workers that spin count as busy processors.")),
        new(Mechanism.G3Silent, "Silent starvation: completions keep the detector asleep while items wait", new(
            "The gate's condition is about the last dequeue and not about the oldest item. While items end more often "
                + "than every 500 ms it never holds: "
            + "the queue waits, no worker is added, no event is raised.",
            "Backlog and completions from at least two heartbeats.",
            "Make the long items asynchronous or give them threads of their own (TPW003); a larger min until then.",
            "None known: only a wait of a second or more that the counters prove is called so.")),
        new(Mechanism.G4CooperativeStep, "Compensation for task waits, one worker a step of 25 to 250 ms", new(
            "The pool is told of Task.Wait, .Result and GetAwaiter().GetResult() on a worker. Beyond min + processors it "
                + "adds one worker for them after each "
            + "delay: 25 ms at first, 25 ms more with every further set of as many workers as there are processors, 250 ms at most.",
            "The adjustment events; processors and min, to know the step.",
            "Await the tasks (TPW002). A larger min makes the first steps free.",
            "When task waits end and begin again between two events, the step cannot be timed.")),
        new(Mechanism.G5CooperativeJump, "Compensation for task waits within the free budget: at once", new(
            "Up to min + processors, and up to the number of workers that exist, a task wait is compensated without delay, "
                + "often by several workers in one adjustment.",
            "The adjustment events; processors and min, to know the budget.",
            "Await the tasks (TPW002), before there are more of them than the budget holds.",
            "None: no item waits for it.")),
        new(Mechanism.G6MemoryVeto, "Memory counts as high, so task waits get no compensation and the gate's ticks take over", new(
            "Before it creates a worker for a task wait the pool compares the memory load of the last full "
                + "collection with 80 % of what the collector "
            + "calls high (90 % of the limit by default, so from 72 % on). Above it no step is made, "
            + "and one worker a gate tick is all that comes.",
            "Adjustments that change from CooperativeBlocking to Starvation while task waits go on; "
                + "the memory settings, better the load itself.",
            "Await the tasks. Give the process more memory, or let the pool ignore it (TPW008).",
            "The load is that of the last full collection: memory may have been free again for long.")),
        new(Mechanism.G7Debt, "Task waits get no compensation: a goal raised before, for other blocking, counts against it", new(
            "The pool compensates up to min + workers that wait for tasks, and compares that with the goal. A goal that the gate "
                + "has raised for locks or sleeps is "
            + "already as high, so the next task waits get nothing: as many of them as the gate had added workers.",
            "Adjustments of both reasons; without stacks the task waits that got nothing are not seen.",
            "Mend the blocking that the pool cannot see first (TPW007).",
            "At the depth of today it is inferred from the order of adjustments; a memory veto (G6) looks alike.")),
        new(Mechanism.G8Ceiling, "Max workers reached", new(
            "When as many workers exist as max allows, no rule adds another one.",
            "Max, from the event at the pool's birth or from configuration, and the number of workers.",
            "Block less. A larger max moves the wall and costs the stacks of more threads (TPW005).",
            "A max set by a call before a late attach is not seen, and this code is not given.")),
        new(Mechanism.G9DetectorOff, "The starvation detection is switched off", new(
            "With System.Threading.ThreadPool.DisableStarvationDetection the gate never adds a worker for "
                + "blocking; only task waits are compensated.",
            "The switch, from the runtime's own event, the environment or runtimeconfig.json.",
            "Remove the switch (TPW017).",
            "None known.")),
        new(Mechanism.G10GoalOnly, "The goal rose and no worker followed: an idle one took the work, or nothing was asked for", new(
            "The goal is what the pool wants. A worker is created only when none is idle and a request is open; "
                + "so a goal may rise and nothing starts.",
            "The adjustment and the start events after it.",
            "None is needed: nothing waits.",
            "A start event lost in the stream looks the same; the quality of the capture says whether any was.")),
        new(Mechanism.G11Probing, "Hill climbing moved the goal: it follows completed work, not a clock", new(
            "At completions the pool tries a worker more or less and keeps what raised the throughput. It goes up and down by one or a "
                + "few every 10 to 200 ms, by design.",
            "The adjustment events with the reasons Warmup, Initializing, ClimbingMove, Stabilizing.",
            "None is needed; TPW012 tells when the moves do harm.",
            "None: it is no wait.")),
        new(Mechanism.G12NotRunning, "The process itself did not run: suspended, stopped, throttled, or without a processor", new(
            "While the runtime suspends its threads for a collection, while a signal or a debugger stops the process, "
                + "or while its group has used up its "
            + "processor time, neither the gate nor any worker runs. Ticks come late and nobody in the pool is to blame.",
            "Evidence from outside the pool: suspension events, scheduler wait, throttled time, the state of the process.",
            "Look at collections, quota and neighbours (TPW014).",
            "Of throttling and scheduler wait only sums over an interval are known; their place within it is not.")),
        new(Mechanism.G13SlowThread, "The operating system took long to start the thread", new(
            "The pool had decided, and the new thread ran only some time later. More than 20 ms is a machine short of processors "
                + "or memory, or a throttled container.",
            "The events of a thread's creation and of its first step.",
            "Look at the load and the quota of the machine, not at the pool.",
            "A suspension of the runtime between the two events looks the same.")),
        new(Mechanism.G14Wedged, "Items wait, nothing is dequeued and nothing added although a rule should have", new(
            "Some versions of the runtime can lose the request for a worker, or count a worker as running that sleeps. "
                + "Items then wait with idle workers until somebody "
            + "queues another one, or for good.",
            "Backlog, completions and processor use from several heartbeats, max, and no adjustment for more than two ticks.",
            "Update the runtime to its newest servicing version; restart the process until then (TPW016).",
            "A max that is not visible, set by a call, explains the same picture.")),
        new(Mechanism.G15TimeoutChurn, "Workers ended for idleness and are needed again", new(
            "An idle worker ends after 20 s. A burst that comes later finds the goal lowered, at most down to min, "
                + "and pays the gate's ticks or the steps again.",
            "Adjustments with the reason ThreadTimedOut and the injections after them.",
            "A min as large as the burst needs, or ThreadsToKeepAlive (TPW013).",
            "Workers that end and are never missed cost nothing.")),
    ];
}
