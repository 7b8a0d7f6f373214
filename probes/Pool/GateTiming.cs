namespace Tpwatch.Pool;

/// <summary>
/// How the gate thread's looks are spaced, milliseconds. The wait is 500 ms plus the kernel's wake-up; a look that injects also waits for
/// the new worker to start. Measured over 870 ticks on three runtimes.
/// </summary>
static class GateTiming
{
    /// <summary>From a tick that injected to the next.</summary>
    public const double AfterInjection = 500.85;

    /// <summary>From a tick that did not inject to the next.</summary>
    public const double AfterHold = 500.29;

    /// <summary>From the worker's start to the next tick.</summary>
    public const double AfterStart = 500.34;

    /// <summary>From an injection to its worker's dequeue, when the start was not seen.</summary>
    public const double InjectionToDequeue = 0.45;

    /// <summary>From the gate's own start to its first tick.</summary>
    public const double FirstTick = 500.4;

    /// <summary>How the moment of a tick scatters around the expected one on a quiet machine, standard deviation.</summary>
    public const double ScatterMs = 0.2;

    /// <summary>Wait since the last dequeue that a tick asks for; strictly more.</summary>
    public const double StarvationMs = 500;

    /// <summary>Items taken a second from which on that wait hardly ever comes about: one every <see cref="StarvationMs"/>.</summary>
    public const double KeepsAsleepPerSecond = 1000 / StarvationMs;

    /// <summary>The same for each worker of the goal when the processors are busy.</summary>
    public const double BusyStarvationMs = 1000;

    /// <summary>Share of all processors from which on they count as busy.</summary>
    public const double BusyCpu = 0.80;

    /// <summary>
    /// A tick may come one step of the coarse clock (4 ms) early, since the remaining wait is computed from it, and the event before it is
    /// stamped up to a millisecond or so after that clock was read.
    /// </summary>
    public const double EarlyMs = 5.5;

    /// <summary>And so much late on a quiet machine; together with <see cref="EarlyMs"/> a window is 20 ms wide.</summary>
    public const double LateMs = 14.5;

    /// <summary>Wake-up noise adds up from tick to tick; beyond so many unseen ticks their phase is not known to within a window.</summary>
    public const int MaxUnseenTicks = 12;
}
