using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Forecast;

/// <summary>The countdown to the next injection.</summary>
public sealed class CountdownTests
{
    [Fact]
    public void The_first_gate_check_at_which_the_rule_adds_a_thread_is_named()
    {
        // The check 500.5 ms after the injection sees an age of 500 ms, which is not more than 500; the one after it sees a second.
        var script = Starving();
        Assert.Equal(1001, Countdown(script), 2.0);
        Assert.Equal(1001, Countdown(script.Repeat(3, s => s.StarvationAfter(1001.14))), 2.0);
    }

    [Fact]
    public void What_may_come_at_two_checks_is_not_certain()
    {
        var next = Starving(ClockRegime.Mixed).Forecast().NextInjection!;
        Assert.Equal((2, false), (next.Windows.Length, next.Sure));
    }

    [Fact]
    public void A_max_that_is_not_known_is_a_condition() => Assert.EndsWith(
        "or MaxThreads (not known) is reached",
        new PoolScript().Processors(8).Ramp(8).GateBegins().Clock(ClockRegime.Idle).CounterSamples(50).StarvationAfter(1001.5)
            .Forecast().NextInjection!.Condition, StringComparison.Ordinal);

    [Fact]
    public void A_step_of_compensation_is_certain_and_25_ms_longer_after_as_many_as_there_are_processors()
    {
        var script = new PoolScript().Opening().CounterSamples(50).Pass(1500).CooperativeAfter(1600, by: 8);
        foreach (var delay in (double[])[25, 50, 75])
        {
            Assert.Equal((delay, true), (Math.Round(Countdown(script)), script.Forecast().NextInjection!.Sure));
            script.Repeat(8, s => s.CooperativeAfter(delay + 0.7));
        }
    }

    [Fact]
    public void The_countdown_names_its_rule_its_condition_and_windows_of_at_most_20_ms()
    {
        var next = Starving().Forecast().NextInjection!;
        Assert.Equal(Mechanism.G1GateTick, next.Mechanism);
        Assert.NotEmpty(next.Windows);
        Assert.All(next.Windows, w => Assert.InRange(w.Ms, 0, 20.001));
        Assert.Contains(next.Windows, w => w.From <= next.At && next.At <= w.To);
    }

    [Fact]
    public void While_items_complete_the_countdown_begins_at_the_last_heartbeat()
    {
        var script = Starving().CounterSamples(50, completed: 4).Pass(1500);
        var next = script.Forecast().NextInjection!;
        Assert.True(next.At.MsSince(script.Ledger.CounterSamples.Last!.At) > 480, "nothing can come before 500 ms without a dequeue");
    }

    [Fact]
    public void There_is_no_countdown_while_nothing_waits() =>
        Assert.Null(Starving().CounterSamples(0).Pass(1500).Forecast().NextInjection);

    [Fact]
    public void A_process_that_has_ended_has_no_future()
    {
        var forecast = Starving().Repeat(3, s => s.StarvationAfter(1001.14)).Pass(2100).Report(SessionEnd.TargetExited).Forecast!;
        Assert.Null(forecast.NextInjection);
        Assert.Null(forecast.StartDelayOfNewItem);
    }

    /// <summary>Blocked for good with fifty items waiting, the clock read, one worker injected; heartbeats each second.</summary>
    static PoolScript Starving(ClockRegime regime = ClockRegime.Idle) =>
        new PoolScript().Opening().Clock(regime).CounterSamples(50).StarvationAfter(1001.5);

    static double Countdown(PoolScript script) =>
        script.Forecast().NextInjection!.At.MsSince(script.Report().InjectionDelays.Last(g => g.Reason is not null).End);
}
