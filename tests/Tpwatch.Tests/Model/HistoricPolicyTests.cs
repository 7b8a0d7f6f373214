using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Model;

public sealed class HistoricPolicyTests
{
    static readonly PoolSettings Today = new(1, 3, 32_767);

    [Theory]
    [InlineData(1, 500)]
    [InlineData(2, 550)]
    [InlineData(3, 605)]
    [InlineData(10, 1178)]
    [InlineData(24, 4477)]
    public void Rotors_hold_off_grows_by_a_tenth_with_each_worker(int workers, double expectedMs) =>
        Assert.Equal(expectedMs, RotorPolicy.HoldOffMs(workers, processors: 1));

    [Fact]
    public void Each_runtime_had_a_max_of_its_own_which_only_a_lower_one_replaces()
    {
        Assert.Equal((1, 25), Limits(new RotorPolicy(), Today));
        Assert.Equal((3, 25), Limits(new NetFramework11Policy(), Today));
        Assert.Equal((3, 250), Limits(new NetFramework35Policy(), Today));
        Assert.Equal((3, 32_767), Limits(new NativePolicy(GateClock.Ideal), Today));
        Assert.Equal((3, 10), Limits(new NetFramework11Policy(), Today with { Max = 10 }));
        Assert.Equal((3, 25), Limits(new NetFramework11Policy(), Today with { Max = null }));
    }

    [Fact]
    public void Rotor_waits_for_more_than_the_hold_off_so_that_the_first_tick_is_too_early()
    {
        var state = Overloaded(new RotorPolicy(), workers: 1);

        Assert.Equal((DecisionKind.Hold, "500ms since the newest thread, not >500"), Said(new RotorPolicy(), state, 500));
        Assert.Equal((DecisionKind.Add, "1000ms since the newest thread, >500"), Said(new RotorPolicy(), state, 1_000));
    }

    [Fact]
    public void A_clock_that_is_not_strict_takes_the_threshold_itself()
    {
        var policy = new RotorPolicy(GateClock.Exact with { Strict = false });

        Assert.Equal((DecisionKind.Add, "500ms since the newest thread, ≥500"), Said(policy, Overloaded(policy, workers: 1), 500));
    }

    [Fact]
    public void Rotor_holds_while_the_queue_shrinks()
    {
        var policy = new RotorPolicy();
        var state = policy.Apply(Overloaded(policy, workers: 1), new PoolInput.GateChecked(At(500)));
        state = policy.Apply(state, new PoolInput.QueueLengthSeen(At(900), 49));

        Assert.Equal((DecisionKind.Hold, "49 items wait, 50 at the check before: the queue shrinks"), Said(policy, state, 1_000));
        Assert.Equal(DecisionKind.Add, Said(policy, policy.Apply(state, new PoolInput.GateChecked(At(1_000))), 1_500).Kind);
    }

    [Fact]
    public void At_the_max_and_with_an_empty_queue_nobody_adds() =>
        Assert.All<IInjectionPolicy>([new RotorPolicy(), new NetFramework11Policy(), new NetFramework35Policy()], policy =>
        {
            var state = Overloaded(policy, workers: 2);
            var check = new InjectionCheck(At(60_000), GateWakeReason.Periodic);
            Assert.Equal(DecisionKind.Add, policy.Decide(state, check).Kind);
            Assert.Equal(Mechanism.G8Ceiling, policy.Decide(state with { Existing = state.Settings.Max }, check).Mechanism);
            Assert.Equal(DecisionKind.Hold, policy.Decide(state with { Outstanding = false }, check).Kind);
        });

    [Fact]
    public void Without_the_newest_workers_birth_the_throttle_cannot_decide()
    {
        var policy = new RotorPolicy();
        var state = policy.Apply(policy.Start(Today), new PoolInput.QueueLengthSeen(At(0), 50));

        Assert.Equal(DecisionKind.Undecided, policy.Decide(state, new InjectionCheck(At(1_000), GateWakeReason.Periodic)).Kind);
    }

    [Fact]
    public void Net_3_5_is_fast_up_to_fifteen_workers_and_asks_for_age_from_then_on()
    {
        var policy = new NetFramework35Policy();

        Assert.Equal((DecisionKind.Add, "14 threads exist, "
            + "and each gate check adds one up to 15"), Said(policy, Overloaded(policy, workers: 14), 100));
        Assert.Equal((DecisionKind.Hold, "100ms since the newest thread, not >500"), Said(policy, Overloaded(policy, workers: 15), 100));
    }

    [Fact]
    public void The_native_pool_knows_nothing_of_task_waits()
    {
        var policy = new NativePolicy(GateClock.Ideal);
        var state = policy.Start(new(8, 8, 100)) with { TargetThreads = 8 };
        state = policy.Apply(state, new PoolInput.TaskWaitsSeen(At(1), 8));
        state = policy.Apply(state, new PoolInput.TargetThreadsSeen(At(2), 16, AdjustmentReason.CooperativeBlocking));

        Assert.Equal((null, null, 8), (state.TaskWaits, state.CooperativeDue, state.TargetThreads));
    }

    [Fact]
    public void The_portable_pool_compensates_at_once_up_to_the_free_budget_then_in_steps_and_back_at_once()
    {
        var policy = new PortablePolicy();
        var state = policy.Apply(policy.Start(new(8, 8, 100))
            with
        { TargetThreads = 8, Existing = 8 }, new PoolInput.TaskWaitsSeen(At(1), 8));
        Assert.Equal(new InjectionCheck(At(1), GateWakeReason.CooperativeDelay), policy.NextCheck(state));
        var jump = policy.Decide(state, policy.NextCheck(state)!.Value);
        Assert.Equal((DecisionKind.Add, Mechanism.G5CooperativeJump, 8), (jump.Kind, jump.Mechanism, jump.Workers));

        state = policy.Apply(state, new PoolInput.TargetThreadsSeen(At(1), 16, AdjustmentReason.CooperativeBlocking));
        Assert.Null(policy.NextCheck(state));
        state = policy.Apply(state, new PoolInput.TaskWaitsSeen(At(2), 10));
        Assert.Equal(new InjectionCheck(At(27), GateWakeReason.CooperativeDelay), policy.NextCheck(state));

        state = policy.Apply(state with { CooperativeDue = null }, new PoolInput.TaskWaitsSeen(At(30), 3));
        var back = policy.Decide(state, policy.NextCheck(state)!.Value);
        Assert.Equal((DecisionKind.Lower, 5), (back.Kind, back.Workers));
    }

    /// <summary>thread-pool.md 1.6: what the starvation rule has added counts against the compensation.</summary>
    [Fact]
    public void A_goal_that_starvation_raised_eats_the_compensation()
    {
        var policy = new PortablePolicy();
        var state = policy.Apply(policy.Start(new(8, 8, 100))
            with
        { TargetThreads = 28, Existing = 28 }, new PoolInput.TaskWaitsSeen(At(1), 10));

        Assert.Null(policy.NextCheck(state));
    }

    static (int, int?) Limits(IInjectionPolicy policy, PoolSettings settings) =>
        (policy.Start(settings).Settings.Min, policy.Start(settings).Settings.Max);

    static (DecisionKind Kind, string Why) Said(IInjectionPolicy policy, PoolState state, double ms)
    {
        var decision = policy.Decide(state, new InjectionCheck(At(ms), GateWakeReason.Periodic));
        return (decision.Kind, GateCheckSentence.Of(decision, CheckRemark.None, isUseKnown: false).Short);
    }

    static PoolState Overloaded(IInjectionPolicy policy, int workers)
    {
        var state = policy.Apply(policy.Start(Today), new PoolInput.WorkersSeen(At(0), workers));
        return policy.Apply(policy.Apply(state, new PoolInput.GateBegan(At(0))), new PoolInput.QueueLengthSeen(At(0), 50));
    }

    static EventTime At(double ms) => new EventTime(0).PlusMs(ms);
}
