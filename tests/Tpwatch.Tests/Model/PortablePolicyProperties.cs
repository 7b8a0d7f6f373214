using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.Reports;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Model;

/// <summary>What holds whatever happens: random lives of a pool driven by the policy itself.</summary>
public sealed class PortablePolicyProperties
{
    const double WindowMs = GateTiming.EarlyMs + GateTiming.LateMs;

    static readonly PortablePolicy Policy = new();

    [Fact]
    public void The_gate_never_injects_twice_within_one_tick()
    {
        var injections = 0;
        ForAnySeed(seed =>
        {
            EventTime? last = null;
            foreach (var (check, decision, _) in Life(new(seed)))
            {
                if (check.Kind != GateWakeReason.Periodic || decision.Kind != DecisionKind.Add)
                {
                    continue;
                }

                injections++;
                if (last is { } before && check.At.MsSince(before) < GateTiming.StarvationMs)
                {
                    return false;
                }

                last = check.At;
            }

            return true;
        }, tests: 400);
        Assert.True(injections > 1000, $"only {injections} injections: the property says little");
    }

    [Fact]
    public void The_goal_stays_between_one_and_max()
    {
        var atMax = 0;
        ForAnySeed(seed => Life(new(seed)).All(step =>
        {
            atMax += step.State.TargetThreads == step.State.Settings.Max ? 1 : 0;
            return step.State.TargetThreads is null
                || (step.State.TargetThreads >= 1 && step.State.TargetThreads <= step.State.Settings.Max);
        }), tests: 400);
        Assert.True(atMax > 100, $"max was reached {atMax} times only");
    }

    [Fact]
    public void The_next_wake_is_never_further_back_than_a_window_while_each_wake_is_told()
    {
        ForAnySeed(seed => Life(new(seed)).All(step =>
            Policy.NextCheck(step.State) is not { } next || next.At.MsSince(step.State.Now) >= -WindowMs), tests: 400);
    }

    [Fact]
    public void With_less_known_a_decision_gets_no_more_certain_and_no_less_possible()
    {
        var certain = 0;
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var full = AnyState(random);
            var check = new InjectionCheck(full.LastCheck!.Value.PlusMs(random.Next(1, 12_000)), GateWakeReason.Periodic);
            var known = Policy.Decide(full, check);
            certain += known.Certainty == Certainty.Certain ? 1 : 0;
            return Less(full).All(less =>
            {
                var decision = Policy.Decide(less, check);
                return (decision.Certainty != Certainty.Certain || known.Certainty == Certainty.Certain)
                    && (decision.Certainty != Certainty.Impossible || known.Certainty == Certainty.Impossible);
            });
        }, tests: 400);
        Assert.True(certain > 20, $"only {certain} certain decisions: the property says little");
    }

    [Fact]
    public void Nothing_is_certain_without_completions_or_processor_use()
    {
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var full = AnyState(random);
            var check = new InjectionCheck(full.LastCheck!.Value.PlusMs(random.Next(1, 60_000)), GateWakeReason.Periodic);
            return Policy.Decide(full with { DequeuedUnseen = null }, check).Certainty != Certainty.Certain
                && Policy.Decide(full with { Cpu = null }, check).Certainty != Certainty.Certain;
        });
    }

    [Fact]
    public void What_is_certain_is_added()
    {
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var state = AnyState(random);
            var decision = Policy.Decide(state,
                new InjectionCheck(state.LastCheck!.Value.PlusMs(random.Next(1, 20_000)), GateWakeReason.Periodic));
            return decision.Certainty != Certainty.Certain || decision.Kind == DecisionKind.Add;
        });
    }

    /// <summary>
    /// Thirty ticks with dequeues, completions, task waits and processor use in between; what the policy decides happens.
    /// </summary>
    static IEnumerable<(InjectionCheck Tick, Decision Decision, PoolState State)> Life(Random random)
    {
        var settings = new PoolSettings(random.Next(1, 9), random.Next(1, 9), random.Next(10, 30));
        var state = Policy.Apply(
            Policy.Start(settings) with
            {
                TargetThreads = settings.Min,
                Clock = AnyClock(random)
            }, new PoolInput.GateBegan(new(1_000_000)));
        state = Policy.Apply(state, new PoolInput.Dequeued(state.Now));
        for (var i = 0; i < 30 && Policy.NextCheck(state) is { } check; i++)
        {
            state = Meanwhile(random, state, check.At);
            check = Policy.NextCheck(state) ?? check;
            var decision = Policy.Decide(state, check);
            state = Happens(state, check, decision);
            yield return (check, decision, state);
        }
    }

    static PoolState Meanwhile(Random random, PoolState state, EventTime check)
    {
        var at = state.Now.PlusMs(random.NextDouble() * Math.Max(0, check.MsSince(state.Now)));
        return random.Next(5) switch
        {
            0 => Policy.Apply(state, new PoolInput.Dequeued(at)),
            1 => Policy.Apply(state, new PoolInput.Counted(at, random.Next(2) == 0, random.NextDouble(), Outstanding: true)),
            2 when random.Next(4) == 0 && state.TargetThreads < state.Settings.Max =>
                Policy.Apply(state, new PoolInput.TargetThreadsSeen(at, state.TargetThreads.Value + 1,
                    AdjustmentReason.CooperativeBlocking)),
            3 => Policy.Apply(state, new PoolInput.WorkersSeen(at, state.TargetThreads ?? 1)),
            _ => Policy.Apply(state, new PoolInput.Time(at)),
        };
    }

    static PoolState Happens(PoolState state, InjectionCheck check, Decision decision)
    {
        var reason = check.Kind == GateWakeReason.Periodic ? AdjustmentReason.Starvation : AdjustmentReason.CooperativeBlocking;
        return decision.Kind == DecisionKind.Add
            ? Policy.Apply(state, new PoolInput.TargetThreadsSeen(check.At, (state.TargetThreads ?? 0) + 1, reason))
            : check.Kind == GateWakeReason.Periodic ? Policy.Apply(state, new PoolInput.GateChecked(check.At))
            : Policy.Apply(state, new PoolInput.Time(check.At)) with { CooperativeDue = null };
    }

    static PoolState AnyState(Random random) => new()
    {
        Settings = new(8, random.Next(1, 9), 100),
        Now = new(1_000_000_000),
        TargetThreads = random.Next(1, 12),
        Existing = random.Next(1, 12),
        Outstanding = random.Next(5) > 0,
        LastDequeue = new EventTime(1_000_000_000).PlusMs(random.NextDouble() * 4000 - 2000),
        DequeuedUnseen = random.Next(4) == 0,
        Cpu = random.NextDouble(),
        LastCheck = new(1_000_000_000),
        Clock = AnyClock(random),
    };

    static IEnumerable<PoolState> Less(PoolState full) =>
    [
        full with { Clock = null },
        full with { Cpu = null },
        full with { DequeuedUnseen = null },
        full with { TargetThreads = null },
        full with { Outstanding = null },
        full with { LastDequeue = null },
        full with { Clock = null, Cpu = null, DequeuedUnseen = null, TargetThreads = null, Outstanding = null },
    ];

    static ClockReading AnyClock(Random random)
    {
        var step = random.Next(3) switch { 0 => 1.0, 1 => 4.0, _ => 15.625 };
        return new(new(0), step, random.NextDouble() * step, random.NextDouble() * step, (ClockRegime)random.Next(4));
    }
}
