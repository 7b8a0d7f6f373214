using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Model;

/// <summary>Worked by hand with values on 2.5 + 4k and edges on 0 + 4k: ticks.md section 0.</summary>
public sealed class DequeueClockTests
{
    /// <summary>From the interrupt to the adjustment event, idle: the age is computed 0.2 ms before the event's stamp.</summary>
    const double Idle = 0.2;

    [Theory]
    // Interrupt at 1503.9: value 1502.5. The injecting tick's interrupt at 1003.0: value 1002.5. 500 is not more than 500.
    [InlineData(nameof(ClockRegime.Idle), 1503.9 + Idle, 1003.0 + Idle, 1003.6, 500, false, true)]
    // Interrupts at 1006.1 (value 1002.5) and 1506.9 (value 1506.5).
    [InlineData(nameof(ClockRegime.Idle), 1506.9 + Idle, 1006.1 + Idle, 1006.5, 504, true, true)]
    // 1506.55 lies 0.05 after a grid point: a shift of 0.2 changes 504 to 500.
    [InlineData(nameof(ClockRegime.Idle), 1506.55 + Idle, 1005.7 + Idle, 1006.1, 504, true, false)]
    // A dequeue long after the tick before it: edge 1200 has the value 1198.5; the tick at 1703 has 1702.5.
    [InlineData(nameof(ClockRegime.Idle), 1703 + Idle, 1002, 1203, 504, true, true)]
    // Busy, both ends read the clock of the edge before them: edges 1000 and 1500 hold 998.5 and 1498.5.
    [InlineData(nameof(ClockRegime.Busy), 1503.5, 1002.6, 1003.1, 500, false, true)]
    // Edges 1000 and 1504 hold 998.5 and 1502.5.
    [InlineData(nameof(ClockRegime.Busy), 1504.6, 1003.5, 1003.7, 504, true, true)]
    // Without a clock the true age is given, and is sure only far from the threshold.
    [InlineData(null, 1500.5, 1000, 1000, 500.5, true, false)]
    [InlineData(null, 1483.5, 1000, 1000, 483.5, false, true)]
    [InlineData(null, 2001, 1000, 1000, 1001, true, true)]
    public void An_age_is_what_the_clock_shows_at_both_ends(
        string? regime, double check, double previous, double dequeue, double ms, bool more, bool sure) => Assert.Equal(
        new DequeueAge(ms, more, sure), Age(regime is null ? null : Enum.Parse<ClockRegime>(regime), check, previous, dequeue));

    [Fact]
    public void Idle_a_wake_after_the_dequeue_does_not_make_the_dequeue_younger()
    {
        var age = Age(ClockRegime.Idle, 2003.9, previous: 1503.6, dequeue: 1003.2);

        Assert.InRange(age.Ms, 996, 1004);
        Assert.True(age is { More: true, Sure: true });
    }

    [Fact]
    public void Mixed_an_age_is_sure_only_where_both_models_agree()
    {
        // Idle says 504 (see above), busy says 500: edges 1004 and 1504.
        var disputed = Age(ClockRegime.Mixed, 1506.9 + Idle, previous: 1006.1 + Idle, dequeue: 1006.5);
        var agreed = Age(ClockRegime.Mixed, 1703, previous: 1002, dequeue: 1003);

        Assert.False(disputed.Sure);
        Assert.True(agreed.Sure);
    }

    /// <summary>
    /// An injection's next tick comes 500.85 after it (idle: refreshed by both interrupts, so 0.85 of 4 ms) or 500.3 after its worker's
    /// dequeue (busy: 0.3 of 4 ms, ticks.md section 0). Over all phases that is 21 % and 8 %; 0.3 points are the raster of the phases.
    /// </summary>
    [Theory]
    [InlineData(nameof(ClockRegime.Idle), 0.85 / 4)]
    [InlineData(nameof(ClockRegime.Busy), 0.30 / 4)]
    public void The_share_of_injections_at_the_first_tick_follows_from_the_clocks_step(string regime, double expected)
    {
        const int Phases = 4000;
        var fired = Enumerable.Range(0, Phases).Count(i =>
        {
            var injection = 10_000 + i * 4.0 / Phases;
            return Age(Enum.Parse<ClockRegime>(regime), injection + GateTiming.AfterInjection,
                injection, injection + GateTiming.InjectionToDequeue).More;
        });

        Assert.Equal(expected, (double)fired / Phases, 0.003);
    }

    static DequeueAge Age(ClockRegime? regime, double check, double previous, double dequeue) => PortablePolicy.CoarseAge(
        regime is { } r ? new ClockReading(At(0), 4, 2.5, 0, r) : null,
        At(check), new(At(dequeue), previous <= dequeue ? At(previous) : null), 500);

    static EventTime At(double ms) => new EventTime(0).PlusMs(ms);
}
