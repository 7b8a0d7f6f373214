namespace Tpwatch.Reports;

/// <summary>The conclusion of a capture about the pool.</summary>
public enum Verdict
{
    /// <summary>No item waited long for a worker thread.</summary>
    Healthy,

    /// <summary>The pool added threads for task waits, items completed, and no item waited a second or longer.</summary>
    Compensated,

    /// <summary>Items waited a second or longer with idle processors; gate checks or blocking compensation added threads slowly.</summary>
    Starved,

    /// <summary>
    /// Items waited as in Starved, and the pool is at MaxThreads: the limit is known, or follows from gate checks that should have added a
    /// thread.
    /// </summary>
    StarvedAtMax,

    /// <summary>
    /// Undetected starvation: items waited, and the pool added no thread although below MaxThreads, because its starvation detection did
    /// not trigger or is switched off.
    /// </summary>
    SilentlyStarved,

    /// <summary>Items wait, no item is dequeued, and the pool is certainly below MaxThreads: a thread request was lost.</summary>
    Wedged,

    /// <summary>Work hangs: no item is queued, but as many worker threads as processors, or more, are held and complete no item.</summary>
    Held,

    /// <summary>Items waited, and the processors were busy.</summary>
    Saturated,

    /// <summary>The delay has a cause outside the pool.</summary>
    NotThePool,

    /// <summary>The data of the capture is not sufficient.</summary>
    Undecided,
}

/// <summary>Properties that several verdicts share.</summary>
static class Verdicts
{
    /// <summary>Whether work waits or hangs for lack of a free worker thread: the five verdicts of <c>--fail-on starvation</c>.</summary>
    public static bool IsStarvation(this Verdict verdict) =>
        verdict is Verdict.Starved or Verdict.StarvedAtMax or Verdict.SilentlyStarved or Verdict.Wedged or Verdict.Held;

    /// <summary>Whether items waited in the queue for a worker thread.</summary>
    public static bool IsWait(this Verdict verdict) => verdict.IsStarvation() && verdict != Verdict.Held;

    /// <summary>Whether work was delayed for a reason in the pool or in the processors.</summary>
    public static bool IsTrouble(this Verdict verdict) => verdict.IsStarvation() || verdict == Verdict.Saturated;
}
