namespace Tpwatch.Reports;

/// <summary>What the capture says about the pool.</summary>
public enum Verdict
{
    /// <summary>Nothing waited for a worker for long.</summary>
    Healthy,

    /// <summary>Task waits were compensated by additional workers, items ended, and nothing waited a second.</summary>
    Compensated,

    /// <summary>
    /// Items waited a second or more with idle processors; the runtime added workers, by its gate or for task waits, too slowly.
    /// </summary>
    Starved,

    /// <summary>
    /// The same, and the pool stands at max: known, or shown by ticks of the gate at which it should have added a worker.
    /// </summary>
    StarvedAtMax,

    /// <summary>Items waited, and the runtime added nobody though below max: its detector slept, or is switched off.</summary>
    SilentlyStarved,

    /// <summary>Items wait, nothing is dequeued, and the pool is below max beyond doubt: a request for a worker was lost.</summary>
    Wedged,

    /// <summary>Nothing waits in the queue, but as many workers as processors or more are held and none ends an item: work hangs.</summary>
    Held,

    /// <summary>Items waited, and the processors were busy.</summary>
    Saturated,

    /// <summary>The delay has another cause.</summary>
    NotThePool,

    /// <summary>The capture cannot answer.</summary>
    Undecided,
}

/// <summary>What several verdicts have in common.</summary>
static class Verdicts
{
    /// <summary>Work waits or hangs for want of a worker that is free: the five that <c>--fail-on starvation</c> asks for.</summary>
    public static bool IsStarvation(this Verdict verdict) =>
        verdict is Verdict.Starved or Verdict.StarvedAtMax or Verdict.SilentlyStarved or Verdict.Wedged or Verdict.Held;

    /// <summary>Items waited in the queue for a worker.</summary>
    public static bool IsWait(this Verdict verdict) => verdict.IsStarvation() && verdict != Verdict.Held;

    /// <summary>Work was late for a reason that lies in the pool or in the processors.</summary>
    public static bool IsTrouble(this Verdict verdict) => verdict.IsStarvation() || verdict == Verdict.Saturated;
}
