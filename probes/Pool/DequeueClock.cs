using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>Time since the last dequeue as the runtime itself counts it, and how sure that is.</summary>
/// <param name="Ms">Milliseconds, a multiple of the clock's step where the clock is known.</param>
/// <param name="More">Whether it is more than asked for.</param>
/// <param name="Sure">Whether a shift of the tick by 0.2 ms would change nothing.</param>
readonly record struct DequeueAge(double Ms, bool More, bool Sure);

/// <summary>A dequeue, and what may have refreshed the clock that it read.</summary>
/// <param name="At">When it was.</param>
/// <param name="TickBefore">The last tick before it, null when that is not known.</param>
readonly record struct Dequeue(EventTime At, EventTime? TickBefore);

/// <summary>
/// The runtime measures with a coarse clock whose values lie on a grid of 1 to 15.6 ms, so that "more than 500 ms" depends on where tick
/// and dequeue lie on that grid. While all processors are idle the interrupt that wakes the gate refreshes the clock; while one is busy the
/// clock is refreshed at fixed edges. Explains 97 % of ticks from outside (measured over 812 ticks).
/// </summary>
static class DequeueClock
{
    /// <summary>
    /// From the timer's interrupt to the adjustment event, idle regime, milliseconds; the optimum is broad (0.10 to 0.24).
    /// </summary>
    const double InterruptToEvent = 0.2;

    /// <summary>The same in the busy regime.</summary>
    const double BusyToEvent = 0.1;

    /// <summary>An explanation that survives this shift of the tick is called sure: 98 % of those are right, 85 % of the others.</summary>
    const double Doubt = 0.2;

    /// <summary>
    /// Where a tick is expected half a millisecond around 500 ms after the dequeue and nothing is
    /// known of the clock: so many fired (108 of 460).
    /// </summary>
    const double AtFirstTick = 0.23;

    /// <summary>Where both models were seen and how often each is not known.</summary>
    const double UnknownIdleShare = 0.5;

    /// <summary>A normal distribution in five steps.</summary>
    static readonly ImmutableArray<(double Deviations, double Weight)> Jitter = [(-1.75, 0.1),
        (-0.75, 0.2), (0, 0.4), (0.75, 0.2), (1.75, 0.1)];

    /// <summary>Without a reading of the clock: the coarsest step in use (15.6 ms timers).</summary>
    const double CoarsestStep = 16;

    /// <summary>The age of the last dequeue at <paramref name="tick"/>, compared with <paramref name="needMs"/>.</summary>
    /// <param name="clock">The clock, or null when it was not read.</param>
    /// <param name="tick">The tick, in stamps of the adjustment event.</param>
    /// <param name="dequeue">The last dequeue.</param>
    /// <param name="needMs">The age asked for.</param>
    public static DequeueAge Age(ClockReading? clock, EventTime tick, Dequeue dequeue, double needMs)
    {
        var real = tick.MsSince(dequeue.At);
        if (clock is not { StepMs: > 0 } c)
        {
            return new(real, real > needMs, Math.Abs(real - needMs) > CoarsestStep);
        }

        var middle = Coarse(c, c.Regime != ClockRegime.Busy, tick, dequeue);
        var more = middle > needMs;
        return new(middle, more, Agrees(idle: true) && Agrees(idle: false));

        bool Agrees(bool idle) =>
            !Asks(c, idle) || (IsMore(idle, -Doubt) == more && IsMore(idle, 0) == more && IsMore(idle, Doubt) == more);
        bool IsMore(bool idle, double shift) =>
            Coarse(c, idle, tick.PlusMs(shift), dequeue with { TickBefore = dequeue.TickBefore?.PlusMs(shift) }) > needMs;
    }

    /// <summary>
    /// How likely the age is more than asked for at a tick that is expected, 0 to 1: it may come a little earlier or later, and each of the
    /// two wake-ups may have refreshed the clock or not.
    /// </summary>
    /// <param name="reading">The clock, or null when it was not read.</param>
    /// <param name="tick">The tick that is expected.</param>
    /// <param name="scatterMs">How its moment scatters, standard deviation in milliseconds.</param>
    /// <param name="dequeue">The last dequeue.</param>
    /// <param name="needMs">The age asked for.</param>
    public static double Chance(ClockReading? reading, EventTime tick, double scatterMs, Dequeue dequeue, double needMs)
    {
        if (reading is not { StepMs: > 0 } clock)
        {
            var real = tick.MsSince(dequeue.At);
            return Math.Abs(real - needMs) <= CoarsestStep ? AtFirstTick : real > needMs ? 1 : 0;
        }

        var idle = clock.IdleShare ?? (clock.Regime switch { ClockRegime.Idle => 1, ClockRegime.Busy => 0, _ => UnknownIdleShare });
        return Math.Min(
            1, Jitter.Sum(j => j.Weight * Mean(idle, before => Mean(idle, now => Fires(before, now, j.Deviations * scatterMs)))));

        double Fires(bool before, bool now, double shift)
        {
            var refreshed = Edge(clock, dequeue.At.Milliseconds);
            refreshed = before && dequeue.TickBefore is { } last ? Math.Max(refreshed, last.Milliseconds - InterruptToEvent) : refreshed;
            var at = now ? tick.Milliseconds + shift - InterruptToEvent : Edge(clock, tick.Milliseconds + shift - BusyToEvent);
            return Value(clock, at) - Value(clock, refreshed) > needMs ? 1 : 0;
        }
    }

    static double Mean(double share, Func<bool, double> of) =>
        (share > 0 ? share * of(true) : 0) + (share < 1 ? (1 - share) * of(false) : 0);

    /// <summary>Whether a model is to be asked; both where it is not known which one the clock follows.</summary>
    static bool Asks(ClockReading clock, bool idle) => clock.Regime switch
    {
        ClockRegime.Idle => idle,
        ClockRegime.Busy => !idle,
        _ => true,
    };

    static double Coarse(ClockReading clock, bool idle, EventTime tick, Dequeue dequeue)
    {
        var refreshed = Edge(clock, dequeue.At.Milliseconds);
        if (!idle)
        {
            return Value(clock, Edge(clock, tick.Milliseconds - BusyToEvent)) - Value(clock, refreshed);
        }

        if (dequeue.TickBefore is { } before)
        {
            refreshed = Math.Max(refreshed, before.Milliseconds - InterruptToEvent);
        }

        return Value(clock, tick.Milliseconds - InterruptToEvent) - Value(clock, refreshed);
    }

    /// <summary>The clock's value if it is refreshed at <paramref name="ms"/>.</summary>
    static double Value(ClockReading clock, double ms) => Math.Floor((ms - clock.GridMs) / clock.StepMs) * clock.StepMs;

    /// <summary>The last moment before <paramref name="ms"/> at which a busy machine refreshed the clock.</summary>
    static double Edge(ClockReading clock, double ms) => clock.EdgeMs + clock.StepMs * Math.Floor((ms - clock.EdgeMs) / clock.StepMs);
}
