namespace Tpwatch.Pool;

/// <summary>
/// The intervals of the gate checks, milliseconds. The wait is 500 ms plus the kernel's wake-up; a check that injects a thread also waits
/// until it has started. Measured over 870 checks on three runtimes.
/// </summary>
static class GateTiming
{
    /// <summary>From a check that injected a thread to the next check.</summary>
    public const double AfterInjection = 500.85;

    /// <summary>From a check that did not inject to the next check.</summary>
    public const double AfterHold = 500.29;

    /// <summary>From the injected worker thread's start to the next check.</summary>
    public const double AfterStart = 500.34;

    /// <summary>From an injection to the new worker thread's dequeue, when its start was not seen.</summary>
    public const double InjectionToDequeue = 0.45;

    /// <summary>From the gate thread's start to its first check.</summary>
    public const double FirstCheck = 500.4;

    /// <summary>The time since the last dequeue that must be exceeded to inject a thread.</summary>
    public const double StarvationMs = 500;

    /// <summary>Dequeues a second from which on starvation is hardly ever detected: one per <see cref="StarvationMs"/>.</summary>
    public const double KeepsAsleepPerSecond = 1000 / StarvationMs;

    /// <summary>
    /// The time since the last dequeue, per thread of the target thread count, that must be exceeded when the processors are busy.
    /// </summary>
    public const double BusyStarvationMs = 1000;

    /// <summary>Processor use from which the processors count as busy, share of all processors.</summary>
    public const double BusyCpu = 0.80;

    /// <summary>
    /// How early a check may come: by one step of the coarse clock (4 ms), from which the remaining wait is computed, plus a millisecond or
    /// so, since the event before it is stamped after that clock was read.
    /// </summary>
    public const double EarlyMs = 5.5;

    /// <summary>How late a check may come on a quiet machine; together with <see cref="EarlyMs"/> a window is 20 ms wide.</summary>
    public const double LateMs = 14.5;

    /// <summary>
    /// Wake-up noise accumulates from check to check: after more unseen checks than this, their phase is not known to within a window.
    /// </summary>
    public const int MaxUnseenChecks = 12;
}
