namespace Tpwatch.Reports;

/// <summary>The rule of the runtime by which a worker thread was added or was not added; the codes are stable.</summary>
public enum Mechanism
{
    /// <summary>No rule.</summary>
    None = -1,

    /// <summary>Below the target thread count, the pool creates a worker thread on demand.</summary>
    G0Ramp = 0,

    /// <summary>The gate check adds one thread if no item was dequeued for more than 500 ms.</summary>
    G1GateTick = 1,

    /// <summary>With busy processors, the gate check adds one thread if no item was dequeued for target thread count × 1 s.</summary>
    G2CpuThrottle = 2,

    /// <summary>
    /// Undetected starvation: items are dequeued often enough that starvation detection does not trigger while others wait.
    /// </summary>
    G3Undetected = 3,

    /// <summary>Blocking compensation for task waits that adds threads one by one, each after a delay of 25 to 250 ms.</summary>
    G4CooperativeStep = 4,

    /// <summary>Blocking compensation for task waits that adds threads without delay, up to a limit.</summary>
    G5CooperativeJump = 5,

    /// <summary>Memory use counts as high, so the pool does not compensate for task waits; only gate checks add threads.</summary>
    G6MemoryVeto = 6,

    /// <summary>
    /// The pool does not compensate for task waits: other blocking had raised the target thread count, which reduces the compensation.
    /// </summary>
    G7Debt = 7,

    /// <summary>The number of worker threads has reached MaxThreads.</summary>
    G8Ceiling = 8,

    /// <summary>Starvation detection is switched off: no rule adds threads for blocking that the pool cannot detect.</summary>
    G9DetectorOff = 9,

    /// <summary>The target thread count rose without a new thread: an idle thread took the work, or no thread was requested.</summary>
    G10GoalOnly = 10,

    /// <summary>Hill climbing changed the target thread count; no item waited for this change, and no rule determines its moment.</summary>
    G11Probing = 11,

    /// <summary>The process itself did not run: suspended for garbage collection, stopped, throttled, or without a processor.</summary>
    G12NotRunning = 12,

    /// <summary>The operating system took long to start the thread.</summary>
    G13SlowThread = 13,

    /// <summary>Items wait, none is dequeued, and no thread is added although a rule requires one: a thread request was lost.</summary>
    G14Wedged = 14,

    /// <summary>Worker threads ended after their idle timeout and are needed again.</summary>
    G15TimeoutChurn = 15,
}
