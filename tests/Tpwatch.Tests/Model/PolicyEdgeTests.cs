using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Model;

/// <summary>What a policy does exactly at its limits, and what it makes of each fact that is not known.</summary>
public sealed class PolicyEdgeTests
{
    static readonly PortablePolicy Policy = new();

    static readonly PoolSettings Eight = new(8, 8, 100);

    /// <summary>The clock was not read: two steps of 16 ms, in either direction.</summary>
    const double SlackMs = 32;

    [Fact]
    public void A_clock_tells_the_steps_between_two_moments()
    {
        Assert.Equal(500, GateClock.Exact.Between(At(1000), At(1500)));
        Assert.Equal(4, GateClock.LinuxMeasured.Between(At(3), At(5)));
    }

    [Theory]
    [InlineData(0.80, true)]
    [InlineData(0.799, false)]
    public void Processors_are_busy_from_80_percent_on(double cpu, bool expected) => Assert.Equal(expected, Starved().IsBusyAt(cpu));

    [Theory]
    [InlineData(3, false)]
    [InlineData(4, true)]
    public void Four_samples_are_a_period(int samples, bool expected) =>
        Assert.Equal(expected, new SamplesWithoutAdjustment(At(0), samples).IsFlat);

    [Fact]
    public void Without_more_an_injection_is_expected_and_a_hold_leaves_one_possible()
    {
        Assert.Equal(Certainty.Expected, new Decision(DecisionKind.Add, Mechanism.None).Certainty);
        Assert.Equal(Certainty.Possible, new Decision(DecisionKind.Hold, Mechanism.None).Certainty);
    }

    [Theory]
    [InlineData(900, null)]
    [InlineData(1000, 1000.0)]
    [InlineData(1100, 1000.0)]
    public void Only_a_check_before_the_dequeue_refreshed_its_clock(double dequeuedMs, double? checkMs)
    {
        var state = Policy.Apply(Starved() with { LastCheck = At(1000) }, new PoolInput.Dequeued(At(dequeuedMs)));

        Assert.Equal(checkMs is { } ms ? At(ms) : null, state.CheckBeforeDequeue);
    }

    [Fact]
    public void An_assumed_clock_sets_the_period_of_every_check()
    {
        PortablePolicy assumed = new(new GateClock(515, 15));
        PoolInput[] inputs =
        [
            new PoolInput.GateChecked(At(1)), new PoolInput.GateBegan(At(1)),
            new PoolInput.TargetThreadsSeen(At(1), 9, AdjustmentReason.Starvation),
        ];

        Assert.All(inputs, input => Assert.Equal(515, assumed.Apply(assumed.Start(Eight), input).CheckPeriodMs));
    }

    [Fact]
    public void An_empty_queue_asks_for_no_worker()
    {
        IInjectionPolicy[] policies = [Policy, new RotorPolicy()];

        Assert.All(policies, p => Assert.False(p.Apply(p.Start(Eight), new PoolInput.QueueLengthSeen(At(1), 0)).Outstanding));
        Assert.All(policies, p => Assert.True(p.Apply(p.Start(Eight), new PoolInput.QueueLengthSeen(At(1), 1)).Outstanding));
    }

    [Fact]
    public void A_raise_to_the_same_number_schedules_no_step()
    {
        Assert.Null(DueAfter(18));
        Assert.NotNull(DueAfter(19));

        static EventTime? DueAfter(int targetThreads) => Policy.Apply(
            Starved() with { TargetThreads = 18 },
            new PoolInput.TargetThreadsSeen(At(1), targetThreads, AdjustmentReason.CooperativeBlocking)).CooperativeDue;
    }

    [Theory]
    [InlineData(500 - SlackMs, nameof(Certainty.Impossible))]
    [InlineData(500.1 - SlackMs, nameof(Certainty.Possible))]
    [InlineData(499, nameof(Certainty.TooClose))]
    [InlineData(500 + SlackMs, nameof(Certainty.Expected))]
    [InlineData(500.1 + SlackMs, nameof(Certainty.Certain))]
    public void How_far_from_the_limit_decides_how_certain_an_injection_is(double sinceMs, string expected) =>
        Assert.Equal(expected, Decide(Starved(), sinceMs).Certainty.ToString());

    [Theory]
    [InlineData(false, nameof(Certainty.Expected))]
    [InlineData(true, nameof(Certainty.Likely))]
    [InlineData(null, nameof(Certainty.Likely))]
    public void An_unseen_dequeue_makes_an_injection_only_likely(bool? unseen, string expected) =>
        Assert.Equal(expected, Decide(Starved() with { DequeuedUnseen = unseen, Outstanding = null }, 900).Certainty.ToString());

    [Fact]
    public void A_target_that_is_not_known_leaves_the_ordinary_limit_certain() =>
        Assert.Equal(Certainty.Certain, Decide(Starved() with { TargetThreads = null }, 900).Certainty);

    /// <summary>Up to nine seconds for nine threads: within them the gate may have read more use than the sample shows.</summary>
    [Theory]
    [InlineData(9000 + SlackMs, true, nameof(Certainty.Expected))]
    [InlineData(9000.1 + SlackMs, false, nameof(Certainty.Certain))]
    public void Processors_that_may_have_been_busy_take_the_certainty_until_the_longer_limit(
        double sinceMs, bool mayBeBusy, string expected)
    {
        var decision = Decide(Starved() with { CpuAtMost = 0.9 }, sinceMs);

        Assert.Equal((mayBeBusy, expected), (decision.MayBeBusy, decision.Certainty.ToString()));
        Assert.False(Decide(Starved() with { Cpu = 0.9, CpuAtMost = 0.9 }, sinceMs).MayBeBusy);
    }

    [Fact]
    public void An_assumed_clock_is_never_too_close_to_tell()
    {
        PortablePolicy assumed = new(GateClock.LinuxMeasured);

        Assert.Equal(Certainty.Expected,
            assumed.Decide(Starved() with { Outstanding = null }, new InjectionCheck(At(504), GateWakeReason.Periodic)).Certainty);
    }

    [Theory]
    [InlineData(500, false, false)]
    [InlineData(500.1, true, false)]
    [InlineData(516, true, false)]
    [InlineData(516.1, true, true)]
    public void Without_a_reading_one_step_of_the_coarsest_clock_is_the_doubt(double sinceMs, bool more, bool sure) =>
        Assert.Equal(new(sinceMs, more, sure), PortablePolicy.CoarseAge(null, At(sinceMs), new(At(0), null), 500));

    [Fact]
    public void Compensation_for_as_many_waits_as_before_changes_nothing()
    {
        var state = Waiting(targetThreads: 10, waits: 2) with { AddedForTaskWaits = 2 };

        Assert.Null(Policy.Apply(state, new PoolInput.TaskWaitsSeen(At(1), 2)).CooperativeDue);
        Assert.NotNull(Policy.Apply(state, new PoolInput.TaskWaitsSeen(At(1), 1)).CooperativeDue);
        Assert.Equal((DecisionKind.Hold, 0), Compensated(state));
        Assert.Equal((DecisionKind.Lower, 1), Compensated(state with { TaskWaits = 1 }));
    }

    [Fact]
    public void A_step_follows_until_all_waits_are_compensated_for()
    {
        var raised = new PoolInput.TargetThreadsSeen(At(1), 19, AdjustmentReason.CooperativeBlocking);

        Assert.NotNull(Policy.Apply(Waiting(targetThreads: 18, waits: 12), raised).CooperativeDue);
        Assert.Null(Policy.Apply(Waiting(targetThreads: 18, waits: 11), raised).CooperativeDue);
    }

    /// <summary>Two waits need ten threads, though sixteen are free; beyond sixteen, only threads that exist come at once.</summary>
    [Fact]
    public void At_once_come_the_threads_that_waits_need_and_that_are_free_or_exist()
    {
        Assert.Equal((DecisionKind.Add, 2), Compensated(Waiting(targetThreads: 8, waits: 2)));
        Assert.Equal((DecisionKind.Add, 8), Compensated(Waiting(targetThreads: 17, waits: 30) with { Existing = 25 }));
        Assert.Equal((DecisionKind.Add, 1), Compensated(Waiting(targetThreads: 17, waits: 30) with { Existing = 17 }));
    }

    [Fact]
    public void Only_a_new_thread_is_the_newest_one()
    {
        RotorPolicy rotor = new();
        var state = rotor.Apply(rotor.Start(Eight), new PoolInput.WorkersSeen(At(1), 10));

        Assert.Equal(At(1), rotor.Apply(state, new PoolInput.WorkersSeen(At(2), 10)).LastCreation);
        Assert.Equal(At(2), rotor.Apply(state, new PoolInput.WorkersSeen(At(2), 11)).LastCreation);
    }

    [Fact]
    public void Rotor_counts_the_threads_that_exist()
    {
        RotorPolicy rotor = new();
        var state = rotor.Apply(rotor.Apply(rotor.Start(new(1, 1, null)), new PoolInput.WorkersSeen(At(0), 10)),
            new PoolInput.QueueLengthSeen(At(0), 5));

        Assert.Equal(DecisionKind.Hold, rotor.Decide(state, new InjectionCheck(At(1000), GateWakeReason.Periodic)).Kind);
        Assert.Equal(DecisionKind.Add, rotor.Decide(state, new InjectionCheck(At(1200), GateWakeReason.Periodic)).Kind);
    }

    [Fact]
    public void A_queue_is_remembered_only_from_a_check_that_found_items()
    {
        RotorPolicy rotor = new();
        var found = rotor.Apply(rotor.Apply(rotor.Start(Eight), new PoolInput.QueueLengthSeen(At(0), 5)), new PoolInput.GateChecked(At(1)));
        var empty = rotor.Apply(rotor.Apply(found, new PoolInput.QueueLengthSeen(At(2), 0)), new PoolInput.GateChecked(At(3)));

        Assert.Equal((5, 5), (found.QueueLengthAtCheck, empty.QueueLengthAtCheck));
    }

    /// <summary>The last dequeue at 0; nine threads, items wait, quiet processors, no item was dequeued unseen.</summary>
    static PoolState Starved() => Policy.Start(Eight) with
    {
        TargetThreads = 9,
        LastDequeue = At(0),
        DequeuedUnseen = false,
        Cpu = 0.02,
        Outstanding = true,
    };

    static PoolState Waiting(int targetThreads, int waits) => Starved() with { TargetThreads = targetThreads, TaskWaits = waits };

    static Decision Decide(PoolState state, double ms) => Policy.Decide(state, new InjectionCheck(At(ms), GateWakeReason.Periodic));

    static (DecisionKind Kind, int Workers) Compensated(PoolState state)
    {
        var decision = Policy.Decide(state, new InjectionCheck(At(1), GateWakeReason.CooperativeDelay));
        return (decision.Kind, decision.Workers);
    }

    static EventTime At(double ms) => new EventTime(0).PlusMs(ms);
}
