using Tpwatch.Core;
using Tpwatch.Forecast;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Forecast;

/// <summary>Each injection foretells the next; what became of it is settled by the heartbeat that covers the time between.</summary>
public sealed class PredictionTests
{
    const double Period = 500.29;

    [Fact]
    public void An_injection_at_the_foretold_tick_is_right()
    {
        var score = Starving().Repeat(8, AsForetold).Pass(2100).Forecast().Score;
        Assert.Equal((8, 8), (score.Ticks.Made, score.Ticks.Right));
        Assert.Equal((0, 0, 0), (score.Missed, score.Invented, score.NotForeseeable));
    }

    [Fact]
    public void One_tick_later_is_wrong()
    {
        var script = Starving();
        var foretold = Countdown(script);
        var score = script.StarvationAfter(foretold + Period).Pass(2100).Forecast().Score;
        Assert.Equal((1, 0), (score.Ticks.Made, score.Ticks.Right));
    }

    [Fact]
    public void The_constant_answer_is_scored_on_the_same_injections()
    {
        var score = Starving().Repeat(4, s => s.StarvationAfter(1001.14))
            .Repeat(3, s => s.StarvationAfter(500.85)).Pass(2100).Forecast().Score;
        Assert.Equal((7, 4), (score.Ticks.Made, score.Ticks.ConstantTwoRight));
        Assert.InRange(score.Ticks.Right, 0, 7);
    }

    [Fact]
    public void With_a_clock_that_follows_two_models_only_that_is_called_sure_of_which_both_say_the_same()
    {
        var script = Starving(ClockRegime.Mixed).Repeat(40, s => s.StarvationAfter(1001.14)).Pass(2100);
        var score = script.Forecast().Score;
        // 1001.14 wanders through all phases of 4 ms.
        Assert.Equal(40, score.Ticks.Made);
        Assert.InRange(score.Ticks.SureMade, 10, 35);
        Assert.Equal(score.Ticks.SureMade, score.Ticks.SureRight);
    }

    [Fact]
    public void Nothing_is_sure_before_it_is_known_how_late_this_machine_looks()
    {
        var score = Starving().Repeat(2, s => s.StarvationAfter(1001.14)).Pass(2100).Forecast().Score;
        Assert.Equal((2, 0), (score.Ticks.Made, score.Ticks.SureMade));
    }

    [Fact]
    public void Items_that_complete_meanwhile_break_the_condition()
    {
        var score = Starving().CounterSamples(50, completed: 3).Repeat(4, s => s.StarvationAfter(1001.14)).Pass(2100).Forecast().Score;
        Assert.Equal(0, score.Made);
        Assert.True(score.ConditionNotMet >= 3, $"{score}");
    }

    [Fact]
    public void A_move_of_hill_climbing_breaks_the_condition()
    {
        var score = Starving().ClimbTo(12).Pass(2100).Forecast().Score;
        Assert.Equal((0, 1), (score.Made, score.ConditionNotMet));
    }

    [Fact]
    public void A_worker_that_should_come_and_does_not_is_invented_once()
    {
        var score = Starving().Pass(20_000).Forecast().Score;
        Assert.Equal((0, 1), (score.Made, score.Invented));
    }

    [Fact]
    public void Nothing_is_invented_when_nothing_waits_any_more()
    {
        var score = Starving().CounterSamples(0).Pass(20_000).Forecast().Score;
        Assert.Equal((0, 0, 1), (score.Made, score.Invented, score.ConditionNotMet));
    }

    [Fact]
    public void A_max_that_is_not_known_is_a_condition_and_may_have_been_reached()
    {
        var script = new PoolScript().Processors(8).Ramp(8).GateBegins().Clock(ClockRegime.Idle).CounterSamples(50).StarvationAfter(1001.5);
        Assert.EndsWith(
            "or MaxThreads (not known) is reached", script.Forecast().NextInjection!.Condition, StringComparison.Ordinal);
        var score = script.Pass(20_000).Forecast().Score;
        Assert.Equal((0, 0, 1), (score.Made, score.Invented, score.ConditionNotMet));
    }

    [Fact]
    public void A_process_that_is_stopped_breaks_the_condition()
    {
        var script = Starving();
        script.Pass(600).NoBeats().Pass(20_000).Stopped(20_000).CounterSamples(50).Pass(1100);
        var score = script.Forecast().Score;
        Assert.Equal((0, 0, 1), (score.Made, score.Invented, score.ConditionNotMet));
    }

    [Fact]
    public void Looks_that_are_late_again_and_again_are_learned()
    {
        var score = Starving().Repeat(8, s => s.StarvationAfter(540)).Pass(2100).Forecast().Score;
        Assert.Equal(8, score.Ticks.Made);
        Assert.InRange(score.Ticks.Right, 6, 8);
    }

    [Fact]
    public void One_late_look_alone_changes_nothing_but_certainty()
    {
        var script = Starving().Repeat(4, s => s.StarvationAfter(1001.14));
        var (before, sure) = (Countdown(script), script.Forecast().NextInjection!.Sure);
        script.StarvationAfter(540);
        Assert.Equal(before, Countdown(script), 8.0);
        Assert.True(sure);
        Assert.False(script.StarvationAfter(1001.14).Forecast().NextInjection!.Sure);
    }

    [Fact]
    public void A_worker_above_a_max_that_is_known_came_unforeseen()
    {
        var script = new PoolScript().Processors(8).Limits(8, 9).Ramp(8).GateBegins().Clock(ClockRegime.Idle).CounterSamples(50)
            .StarvationAfter(1001.5).StarvationAfter(1001.14);
        Assert.Equal(1, script.Pass(2100).Forecast().Score.Missed);
    }

    [Fact]
    public void What_a_loss_touches_is_not_settled()
    {
        var script = Starving();
        script.Pass(200).Lose();
        var score = script.StarvationAfter(1001.14).Pass(2100).Forecast().Score;
        Assert.Equal((0, 1), (score.Made, score.Unknown));
    }

    [Fact]
    public void Without_heartbeats_nothing_is_settled()
    {
        var score = new PoolScript().Opening().Clock(ClockRegime.Idle)
            .Repeat(5, s => s.StarvationAfter(1001.14)).Pass(5000).Forecast().Score;
        Assert.Equal((0, 0, 0), (score.Made, score.Missed, score.Invented));
    }

    [Fact]
    public void Cooperative_steps_shorter_than_the_streams_delay_are_not_foreseeable_and_longer_ones_are()
    {
        var script = new PoolScript().Opening().CounterSamples(50).Pass(1500).CooperativeAfter(1600, by: 8);
        // Eight processors: eight steps of each length, 25 ms longer each time.
        foreach (var delay in (double[])[25, 50, 75, 100, 125, 150])
        {
            script.Repeat(8, s => s.CooperativeAfter(delay + 0.7));
        }

        var score = script.Pass(2100).Forecast().Score;
        Assert.Equal((32, 16, 16), (score.NotForeseeable, score.Steps.Made, score.Steps.Right));
        Assert.Equal(0, score.Ticks.Made);
    }

    [Fact]
    public void A_step_that_comes_late_is_wrong()
    {
        var script = new PoolScript().Opening().CounterSamples(50).Pass(1500).CooperativeAfter(1600, by: 8);
        script.Repeat(32, s => s.CooperativeAfter(CooperativeDelay(s))).CooperativeAfter(125 + 60);
        var score = script.Pass(2100).Forecast().Score;
        Assert.Equal((1, 0), (score.Steps.Made, score.Steps.Right));
    }

    [Fact]
    public void The_countdown_names_its_rule_its_condition_and_windows_of_at_most_20_ms()
    {
        var next = Starving().Forecast().NextInjection!;
        Assert.Equal(Mechanism.G1GateTick, next.Mechanism);
        Assert.Contains("unless an item is dequeued first", next.Condition, StringComparison.Ordinal);
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
    public void A_process_that_has_ended_has_no_future_but_a_score()
    {
        var script = Starving().Repeat(3, AsForetold).Pass(2100);
        var forecast = script.Report(SessionEnd.TargetExited).Forecast!;
        Assert.Null(forecast.NextInjection);
        Assert.Null(forecast.StartDelayOfNewItem);
        Assert.Equal(3, forecast.Score.Made);
    }

    /// <summary>Blocked for good with fifty items waiting, the clock read, one worker injected; heartbeats each second.</summary>
    static PoolScript Starving(ClockRegime regime = ClockRegime.Idle) =>
        new PoolScript().Opening().Clock(regime).CounterSamples(50).StarvationAfter(1001.5);

    static double Countdown(PoolScript script) =>
        script.Forecast().NextInjection!.At.MsSince(script.Report().InjectionDelays.Last(g => g.Reason is not null).End);

    static PoolScript AsForetold(PoolScript script) => script.StarvationAfter(Countdown(script));

    static double CooperativeDelay(PoolScript script) => Countdown(script) + 0.5;
}
