namespace Tpwatch.Pool;

/// <summary>
/// A gate thread's idea of time, given rather than measured: how far its ticks lie apart and how coarse the clock is by which it compares.
/// The same rule gives one worker a second or two, depending on these three.
/// </summary>
/// <param name="TickMs">From one tick to the next, milliseconds, the wake-up included.</param>
/// <param name="StepMs">Distance of two values of the clock, milliseconds.</param>
/// <param name="Strict">Whether the runtime asks for more than its threshold, or also takes the threshold itself.</param>
sealed record GateClock(double TickMs, double StepMs, bool Strict = true)
{
    /// <summary>
    /// A clock of 1 ms and a gate that wakes a tenth late: whatever was dequeued just after a tick is 500
    /// ms old at the next, which is not more than 500.
    /// </summary>
    public static GateClock Ideal { get; } = new(500.1, 1);

    /// <summary>A sleep of 500 ms that takes 500 ms.</summary>
    public static GateClock Exact { get; } = new(500, 1);

    /// <summary>
    /// The Linux machine that was measured: its clock steps 4 ms (250 interrupts a second), and its ticks lie 500.3 to 500.85 ms apart
    /// (<see cref="GateTiming"/>), taken here as even.
    /// </summary>
    public static GateClock LinuxMeasured { get; } = new(500.6, 4);

    /// <summary>
    /// A hypothesis: Windows with its default timer, whose interrupt comes 64 times a second, so that 500 ms become 33 interrupts. Follows
    /// from the timer's documented period; no Windows machine was measured.
    /// </summary>
    public static GateClock WindowsHypothesis { get; } = new(33 * 1000 / 64.0, 1000 / 64.0);

    /// <summary>From one moment to another as the clock shows it, milliseconds.</summary>
    public double Between(EventTime from, EventTime to) => Value(to) - Value(from);

    /// <summary>Whether <paramref name="ms"/> is as much as a rule asks for.</summary>
    public bool Reached(double ms, double needMs) => Strict ? ms > needMs : ms >= needMs;

    double Value(EventTime at) => Math.Floor(at.Milliseconds / StepMs) * StepMs;
}
