namespace Tpwatch.Pool;

/// <summary>
/// The timing of a gate thread, given rather than measured: the interval of its checks, the resolution of its clock, and its comparison.
/// Depending on these three, the rule for starvation adds one thread a second or two.
/// </summary>
/// <param name="CheckMs">Interval of the gate checks, milliseconds, including the wake-up.</param>
/// <param name="StepMs">Step of the clock, milliseconds.</param>
/// <param name="Strict">Whether an age must exceed the threshold; otherwise the threshold itself is enough.</param>
sealed record GateClock(double CheckMs, double StepMs, bool Strict = true)
{
    /// <summary>
    /// A clock of 1 ms and a gate thread that wakes 0.1 ms late: an item dequeued just after a check is 500 ms old at the next one, which
    /// is not more than 500.
    /// </summary>
    public static GateClock Ideal { get; } = new(500.1, 1);

    /// <summary>A sleep of 500 ms that takes exactly 500 ms.</summary>
    public static GateClock Exact { get; } = new(500, 1);

    /// <summary>
    /// The measured Linux machine: its clock steps by 4 ms (250 interrupts a second), and its gate checks are 500.3 to 500.85 ms apart
    /// (<see cref="GateTiming"/>), taken here as even.
    /// </summary>
    public static GateClock LinuxMeasured { get; } = new(500.6, 4);

    /// <summary>
    /// A hypothesis: Windows with its default timer, which interrupts 64 times a second, so that 500 ms become 33 interrupts. It follows
    /// from the timer's documented period; no Windows machine was measured.
    /// </summary>
    public static GateClock WindowsHypothesis { get; } = new(33 * 1000 / 64.0, 1000 / 64.0);

    /// <summary>The time between two moments on this clock, milliseconds.</summary>
    public double Between(EventTime from, EventTime to) => Value(to) - Value(from);

    /// <summary>Whether <paramref name="ms"/> reaches the threshold of a rule.</summary>
    public bool Reached(double ms, double needMs) => Strict ? ms > needMs : ms >= needMs;

    double Value(EventTime at) => Math.Floor(at.Milliseconds / StepMs) * StepMs;
}
