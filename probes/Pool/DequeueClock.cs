using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>The time since the last dequeue as the runtime measures it, compared with a required age.</summary>
/// <param name="Ms">Milliseconds, a multiple of the clock's step where the clock is known.</param>
/// <param name="More">Whether the age exceeds the required one.</param>
/// <param name="Sure">Whether a shift of the gate check by 0.2 ms would not change the result.</param>
readonly record struct DequeueAge(double Ms, bool More, bool Sure);

/// <summary>A dequeue, with the gate check that may have refreshed the clock that it read.</summary>
/// <param name="At">Event time of the dequeue.</param>
/// <param name="CheckBefore">The last gate check before it; null when that is not known.</param>
readonly record struct Dequeue(EventTime At, EventTime? CheckBefore);

/// <summary>
/// Computes the time since a dequeue on the runtime's coarse clock. Its values lie on a grid of 1 to 15.6 ms, so "more than 500 ms" depends
/// on where gate check and dequeue lie on that grid. While all processors are idle, the interrupt that wakes the gate thread refreshes the
/// clock; while one is busy, the clock is refreshed at fixed edges. Explains 97 % of gate checks from outside (measured over 812 checks).
/// </summary>
static class DequeueClock
{
    /// <summary>
    /// Milliseconds from the timer's interrupt to the adjustment event in the idle regime; the optimum is broad (0.10 to 0.24).
    /// </summary>
    const double InterruptToEvent = 0.2;

    /// <summary>Milliseconds from the timer's interrupt to the adjustment event in the busy regime.</summary>
    const double BusyToEvent = 0.1;

    /// <summary>
    /// Milliseconds. An explanation that does not change when the gate check is shifted by this much is called sure: 98 % of those are
    /// right, 85 % of the others.
    /// </summary>
    const double Doubt = 0.2;

    /// <summary>The step without a reading of the clock, milliseconds: the coarsest in use (15.6 ms timers).</summary>
    const double CoarsestStep = 16;

    /// <summary>The age of the last dequeue at <paramref name="check"/>, compared with <paramref name="needMs"/>.</summary>
    /// <param name="clock">The clock, or null when it was not read.</param>
    /// <param name="check">The gate check, as timestamp of the adjustment event.</param>
    /// <param name="dequeue">The last dequeue.</param>
    /// <param name="needMs">The required age, milliseconds.</param>
    public static DequeueAge Age(ClockReading? clock, EventTime check, Dequeue dequeue, double needMs)
    {
        var real = check.MsSince(dequeue.At);
        if (clock is not { StepMs: > 0 } c)
        {
            return new(real, real > needMs, Math.Abs(real - needMs) > CoarsestStep);
        }

        var middle = Coarse(c, c.Regime != ClockRegime.Busy, check, dequeue);
        var more = middle > needMs;
        return new(middle, more, Agrees(idle: true) && Agrees(idle: false));

        bool Agrees(bool idle) =>
            !Asks(c, idle) || (IsMore(idle, -Doubt) == more && IsMore(idle, 0) == more && IsMore(idle, Doubt) == more);
        bool IsMore(bool idle, double shift) =>
            Coarse(c, idle, check.PlusMs(shift), dequeue with { CheckBefore = dequeue.CheckBefore?.PlusMs(shift) }) > needMs;
    }

    /// <summary>Whether the idle or the busy model applies; both where the regime is not known.</summary>
    static bool Asks(ClockReading clock, bool idle) => clock.Regime switch
    {
        ClockRegime.Idle => idle,
        ClockRegime.Busy => !idle,
        _ => true,
    };

    static double Coarse(ClockReading clock, bool idle, EventTime check, Dequeue dequeue)
    {
        var refreshed = Edge(clock, dequeue.At.Milliseconds);
        if (!idle)
        {
            return Value(clock, Edge(clock, check.Milliseconds - BusyToEvent)) - Value(clock, refreshed);
        }

        if (dequeue.CheckBefore is { } before)
        {
            refreshed = Math.Max(refreshed, before.Milliseconds - InterruptToEvent);
        }

        return Value(clock, check.Milliseconds - InterruptToEvent) - Value(clock, refreshed);
    }

    /// <summary>The clock's value, milliseconds, if it is refreshed at <paramref name="ms"/>.</summary>
    static double Value(ClockReading clock, double ms) => Math.Floor((ms - clock.GridMs) / clock.StepMs) * clock.StepMs;

    /// <summary>The last moment before <paramref name="ms"/> at which a busy machine refreshed the clock, milliseconds.</summary>
    static double Edge(ClockReading clock, double ms) => clock.EdgeMs + clock.StepMs * Math.Floor((ms - clock.EdgeMs) / clock.StepMs);
}
