namespace Tpwatch.Reports;

/// <summary>Why the runtime made a worker come, or did not; the codes are stable.</summary>
public enum Mechanism
{
    /// <summary>No rule.</summary>
    None = -1,

    /// <summary>Below the goal a worker is created on demand.</summary>
    G0Ramp = 0,

    /// <summary>The gate adds one worker at a tick that finds nothing dequeued for more than 500 ms.</summary>
    G1GateTick = 1,

    /// <summary>The same with the processors busy: goal × 1 s.</summary>
    G2CpuThrottle = 2,

    /// <summary>Silent starvation: completions keep the detector asleep while items wait.</summary>
    G3Silent = 3,

    /// <summary>Compensation for task waits, one worker a step of 25 to 250 ms.</summary>
    G4CooperativeStep = 4,

    /// <summary>Compensation for task waits within the free budget: at once.</summary>
    G5CooperativeJump = 5,

    /// <summary>Memory counts as high, so task waits get no compensation and the gate's ticks take over.</summary>
    G6MemoryVeto = 6,

    /// <summary>Task waits get no compensation, since a goal raised before for other blocking counts against it.</summary>
    G7Debt = 7,

    /// <summary>Max workers reached.</summary>
    G8Ceiling = 8,

    /// <summary>The starvation detection is switched off: no rule adds a worker for blocking that the pool cannot see.</summary>
    G9DetectorOff = 9,

    /// <summary>The goal rose and no worker followed: an idle one took the work, or no request was open.</summary>
    G10GoalOnly = 10,

    /// <summary>Hill climbing moved the goal: no wait, no clock.</summary>
    G11Probing = 11,

    /// <summary>The process itself did not run: suspended for garbage collection, stopped, throttled, or without a processor.</summary>
    G12NotRunning = 12,

    /// <summary>The operating system took long to start the thread.</summary>
    G13SlowThread = 13,

    /// <summary>Items wait, nothing is dequeued and nothing added although a rule should have: a request was lost.</summary>
    G14Wedged = 14,

    /// <summary>Workers ended for idleness and are needed again.</summary>
    G15TimeoutChurn = 15,
}
