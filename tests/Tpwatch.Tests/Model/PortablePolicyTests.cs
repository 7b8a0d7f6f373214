using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Model;

public sealed class PortablePolicyTests
{
    static readonly PortablePolicy Policy = new();

    [Fact]
    public void After_an_injection_the_gate_looks_again_501_ms_later()
    {
        Assert.Equal(new InjectionCheck(At(1500.85), GateWakeReason.Periodic), Policy.NextCheck(Injected(At(1000), targetThreads: 9)));
    }

    [Fact]
    public void Without_a_known_tick_the_next_look_is_not_known()
    {
        Assert.Null(Policy.NextCheck(Policy.Start(new(8, 8, 100))));
        Assert.Null(Policy.NextCheck(Policy.Apply(Injected(At(1000), 9), new PoolInput.GateLost(At(1200)))));
    }

    [Fact]
    public void Between_two_ticks_a_pending_compensation_comes_first()
    {
        var state = Policy.Apply(Injected(At(1000), 17),
            new PoolInput.TargetThreadsSeen(At(1200), 18, AdjustmentReason.CooperativeBlocking));

        Assert.Equal(new InjectionCheck(At(1225), GateWakeReason.CooperativeDelay), Policy.NextCheck(state));
        Assert.Equal((DecisionKind.Add, Mechanism.G4CooperativeStep), Decision(state, At(1225), GateWakeReason.CooperativeDelay));
    }

    [Fact]
    public void A_tick_during_a_pending_compensation_does_not_inject()
    {
        var state = Injected(At(1000), 17) with { CooperativeDue = At(1600), Outstanding = true };

        Assert.Equal((DecisionKind.Hold, Mechanism.G4CooperativeStep), Decision(state, At(1500.85)));
    }

    [Fact]
    public void The_second_tick_injects_and_certainly_so_when_nothing_completed()
    {
        var state = Counted(Policy.Apply(Injected(At(1000), 9), new PoolInput.GateChecked(At(1500.85))), completed: false, cpu: 0.02);
        var decision = Policy.Decide(state, new InjectionCheck(At(2001.1), GateWakeReason.Periodic));

        Assert.True(decision is { Kind: DecisionKind.Add, Mechanism: Mechanism.G1GateTick, Certainty: Certainty.Certain });
    }

    [Fact]
    public void The_first_tick_may_inject_but_need_not()
    {
        var decision = Policy.Decide(
            Counted(Injected(At(1000), 9), completed: false, cpu: 0.02), new InjectionCheck(At(1500.85), GateWakeReason.Periodic));

        Assert.True(decision.Certainty is not (Certainty.Impossible or Certainty.Certain));
    }

    [Theory]
    [InlineData(8)]
    [InlineData(3)]
    public void With_busy_processors_it_takes_as_many_seconds_as_the_goal(int targetThreads)
    {
        var state = Counted(Injected(At(0), targetThreads), completed: false, cpu: 0.95);

        Assert.Equal((DecisionKind.Hold, Mechanism.G2CpuThrottle), Decision(state, At(targetThreads * 1000.0 - 400)));
        Assert.Equal((DecisionKind.Add, Mechanism.G2CpuThrottle), Decision(state, At(targetThreads * 1000.0 + 100)));
    }

    /// <summary>dotnet/runtime#112789: with an interval of 0 the gate takes the processors for idle.</summary>
    [Fact]
    public void A_gate_that_is_told_not_to_read_the_processors_use_never_waits_longer_for_it()
    {
        var busy = Counted(Policy.Apply(Injected(At(1000), 9), new PoolInput.GateChecked(At(1500.85))), completed: false, cpu: 0.95);
        var unread = busy with { Settings = busy.Settings with { CpuUnread = true } };

        Assert.Equal((DecisionKind.Hold, Mechanism.G2CpuThrottle), Decision(busy, At(2001.1)));
        Assert.Equal((DecisionKind.Add, Mechanism.G1GateTick), Decision(unread, At(2001.1)));
    }

    [Fact]
    public void Nothing_is_added_at_the_ceiling_whether_threads_or_goal_have_reached_it()
    {
        var threads = Counted(Injected(At(0), 9), completed: false, cpu: 0.1) with { Existing = 100 };
        var targetThreads = Counted(Injected(At(0), 100), completed: false, cpu: 0.1) with { Existing = null };

        Assert.Equal((DecisionKind.Hold, Mechanism.G8Ceiling), Decision(threads, At(2000)));
        Assert.Equal((DecisionKind.Hold, Mechanism.G8Ceiling), Decision(targetThreads, At(2000)));
        // Of the threads some may sleep beyond the goal, and a call that raised max may have been lost.
        var lost = targetThreads with { Settings = targetThreads.Settings with { LimitsLost = true } };
        Assert.Equal([true, false, true],
            new[] { threads, targetThreads, lost }
                .Select(state => Policy.Decide(state,
                    new InjectionCheck(At(2000), GateWakeReason.Periodic)).Certainty != Certainty.Impossible));
    }

    [Fact]
    public void Nothing_is_added_when_nothing_waits_or_the_detector_is_off()
    {
        var state = Counted(Injected(At(0), 9), completed: false, cpu: 0.1);
        var off = state with { Settings = state.Settings with { DetectorDisabled = true } };

        Assert.Equal((DecisionKind.Hold, Mechanism.None), Decision(state with { Outstanding = false }, At(2000)));
        Assert.Equal((DecisionKind.Hold, Mechanism.None), Decision(off, At(2000)));
    }

    /// <summary>
    /// thread-pool.md 1.6 and measured.md section 2: 25 ms up to min + 2 P, then 25 ms more for each further P, 250 at most.
    /// </summary>
    [Theory]
    [InlineData(8, 15, 0)]
    [InlineData(8, 16, 25)]
    [InlineData(8, 23, 25)]
    [InlineData(8, 24, 50)]
    [InlineData(8, 80, 225)]
    [InlineData(8, 87, 225)]
    [InlineData(8, 88, 250)]
    [InlineData(8, 400, 250)]
    [InlineData(2, 4, 25)]
    [InlineData(2, 22, 250)]
    public void The_schedule_of_compensation(int processors, int targetThreads, double delay)
    {
        Assert.Equal(delay, CompensationSchedule.DelayAfter(targetThreads, new(processors, processors, 32767)));
    }

    static (DecisionKind, Mechanism) Decision(PoolState state, EventTime at, GateWakeReason kind = GateWakeReason.Periodic)
    {
        var decision = Policy.Decide(state, new InjectionCheck(at, kind));
        return (decision.Kind, decision.Mechanism);
    }

    static PoolState Injected(EventTime at, int targetThreads) => Policy.Apply(
        Policy.Start(new(8, 8, 100)) with { Existing = 9, Clock = new ClockReading(at, 4, 2.5, 0, ClockRegime.Idle) },
        new PoolInput.TargetThreadsSeen(at, targetThreads, AdjustmentReason.Starvation));

    static PoolState Counted(PoolState state, bool? completed, double? cpu) =>
        Policy.Apply(state, new PoolInput.Counted(state.Now, completed, cpu, Outstanding: true));

    static EventTime At(double ms) => new EventTime(0).PlusMs(ms);
}
