namespace Tpwatch.Pool;

/// <summary>
/// Timing of the gate thread, milliseconds. The intervals were measured over 870 checks on three runtimes. The gate thread waits 500 ms
/// plus the kernel's wake-up delay. After an injection, the gate thread first waits until the new thread has started.
/// </summary>
static class GateTiming
{
    /// <summary>Time from a check that injected a thread to the next check.</summary>
    public const double AfterInjection = 500.85;

    /// <summary>Time from a check that did not inject to the next check.</summary>
    public const double AfterHold = 500.29;

    /// <summary>Time from the start of the injected worker thread to the next check.</summary>
    public const double AfterStart = 500.34;

    /// <summary>Assumed time from an injection to the new worker thread's first dequeue; an observed dequeue replaces it.</summary>
    public const double InjectionToDequeue = 0.45;

    /// <summary>Time from the gate thread's start to its first check.</summary>
    public const double FirstCheck = 500.4;

    /// <summary>Threshold of starvation detection: a thread is injected only if more time has passed since the last dequeue.</summary>
    public const double StarvationMs = 500;

    /// <summary>Number of dequeues per second from which starvation is hardly ever detected: one per <see cref="StarvationMs"/>.</summary>
    public const double MaskingDequeuesPerSecond = 1000 / StarvationMs;

    /// <summary>Threshold with busy processors, per thread of the target thread count: with 8 threads, 8,000 ms must pass.</summary>
    public const double BusyStarvationMs = 1000;

    /// <summary>Processor use from which the processors count as busy, as a share of all processors.</summary>
    public const double BusyCpu = 0.80;

    /// <summary>
    /// Maximum time by which a check may run early. The gate thread computes its wait on the coarse clock, whose step is 4 ms. The event of
    /// the previous check is stamped about 1 ms after that clock was read.
    /// </summary>
    public const double EarlyMs = 5.5;

    /// <summary>Maximum time by which a check may run late on a quiet machine. Early and late limits form a window of 20 ms.</summary>
    public const double LateMs = 14.5;

    /// <summary>
    /// Maximum number of consecutive gate checks without an event. Each check adds an unknown wake-up delay. After more checks, the time of
    /// the next one is not known to within 20 ms.
    /// </summary>
    public const int MaxUnseenChecks = 12;
}

/// <summary>
/// An assumed timing of a gate thread. This timing decides whether starvation detection adds one thread or two threads per second.
/// </summary>
/// <param name="CheckMs">Interval of the gate checks, milliseconds, including the wake-up.</param>
/// <param name="StepMs">Step of the clock, milliseconds.</param>
/// <param name="Strict">Whether a time equal to the threshold is too short.</param>
sealed record GateClock(double CheckMs, double StepMs, bool Strict = true)
{
    /// <summary>A gate thread whose sleep of 500 ms takes exactly 500 ms.</summary>
    public static GateClock Exact { get; } = new(500, 1);

    /// <summary>
    /// The measured Linux machine: its clock steps by 4 ms (250 interrupts per second), and its gate checks are 500.3 to 500.85 ms apart
    /// (see <see cref="GateTiming"/>), here 500.6 ms.
    /// </summary>
    public static GateClock LinuxMeasured { get; } = new(500.6, 4);

    /// <summary>
    /// A hypothesis about Windows with its default timer, which interrupts 64 times per second: a wait of 500 ms ends after 33 interrupts
    /// (516 ms). The hypothesis follows from the timer's documented period; no Windows machine was measured.
    /// </summary>
    public static GateClock WindowsHypothesis { get; } = new(33 * 1000 / 64.0, 1000 / 64.0);

    /// <summary>Returns the time between two moments as this clock shows it, milliseconds.</summary>
    public double Between(EventTime from, EventTime to) => Value(to) - Value(from);

    /// <summary>Whether <paramref name="ms"/> is enough for a threshold of <paramref name="needMs"/>.</summary>
    public bool Reached(double ms, double needMs) => Strict ? ms > needMs : ms >= needMs;

    double Value(EventTime at) => Math.Floor(at.Milliseconds / StepMs) * StepMs;
}
