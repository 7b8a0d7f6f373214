using Tpwatch.Pool;
using Tpwatch.WhatIf;
using static Tpwatch.Tests.Properties.Seeds;
using static Tpwatch.Tests.WhatIf.Lives;

namespace Tpwatch.Tests.WhatIf;

/// <summary>What holds for every policy, whatever arrives.</summary>
public sealed class WhatIfProperties
{
    [Fact]
    public void The_gate_never_injects_twice_within_one_tick()
    {
        var injections = 0;
        ForEveryPolicy((policy, result, _) =>
        {
            var checks = result.Adjustments.Where(a => a.Kind == GateWakeReason.Periodic).Select(a => a.At).ToArray();
            injections += checks.Length;
            return checks.Zip(checks.Skip(1)).All(pair => pair.Second.MsSince(pair.First) > policy.CheckMs - 0.001);
        });
        Assert.True(injections > 1_000, $"only {injections} injections: the property says little");
    }

    [Fact]
    public void Workers_and_goal_stay_within_max()
    {
        var atMax = 0;
        ForEveryPolicy((policy, result, settings) =>
        {
            var max = policy.New().Start(settings).Settings.Max!.Value;
            var most = result.Curve.Max(point => point.Workers);
            atMax += most == max ? 1 : 0;
            return most <= max && result.Adjustments.All(a => a.TargetThreads <= max);
        });
        Assert.True(atMax > 50, $"max was reached {atMax} times only");
    }

    /// <summary>The gate raises it above what works already, and takes back only what it added for waits for tasks.</summary>
    [Fact]
    public void The_goal_lies_between_min_and_max()
    {
        var raised = 0;
        ForEveryPolicy((policy, result, settings) =>
        {
            var (min, max) = policy.New().Start(settings).Settings is { Min: var low, Max: { } high } ? (low, high) : default;
            raised += result.Adjustments.Count(a => a.TargetThreads > min);
            return result.Adjustments.All(a => a.TargetThreads >= min && a.TargetThreads <= max);
        });
        Assert.True(raised > 1_000, $"the goal rose above min {raised} times only");
    }

    [Fact]
    public void Every_item_starts_once_in_the_order_queued_and_lasts_as_long_as_it_must()
    {
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var (items, settings) = (AnyItems(random), AnySettings(random));
            return EveryPolicy.All(policy =>
            {
                var spans = Live(policy.New, settings, items).Items;
                var inOrder = spans.Select((span, index) => (span, index))
                    .OrderBy(s => s.span.Queued).Select(s => s.span.Started).ToArray();
                return spans.All(span => span.StartDelayMs >= 0)
                    && inOrder.Zip(inOrder.Skip(1)).All(pair => pair.First <= pair.Second)
                    && spans.Zip(items)
                        .All(pair =>
                            pair.First.Ended!.Value.MsSince(pair.First.Started!.Value) >= pair.Second.RunMs + pair.Second.BlockMs - 0.01);
            });
        });
    }

    [Fact]
    public void A_worker_has_one_item_at_a_time_and_no_more_workers_work_than_exist() => ForEveryPolicy((_, result, _) =>
        result.Items.GroupBy(span => span.Worker!.Value).All(worker =>
        {
            var spans = worker.OrderBy(span => span.Started!.Value).ThenBy(span => span.Ended!.Value).ToArray();
            return spans.Zip(spans.Skip(1)).All(pair => pair.First.Ended <= pair.Second.Started);
        })
        && result.Items.Max(span => span.Worker!.Value) < result.Curve[^1].Workers);

    [Fact]
    public void The_same_world_gives_the_same_run() => ForAnySeed(seed =>
    {
        var random = new Random(seed);
        var (items, settings) = (AnyItems(random), AnySettings(random));
        var (first, second) = (Live(() => new PortablePolicy(), settings, items), Live(() => new PortablePolicy(), settings, items));
        return first.Items.SequenceEqual(second.Items) && first.Curve.SequenceEqual(second.Curve)
            && first.Adjustments.SequenceEqual(second.Adjustments);
    }, tests: 50);

    [Fact]
    public void An_item_waits_longer_than_a_new_worker_takes_only_when_min_workers_exist() => ForEveryPolicy((policy, result, settings) =>
    {
        var min = policy.New().Start(settings).Settings.Min;
        return result.Items
            .All(span => span.StartDelayMs < 2 * GateTiming.InjectionToDequeue || result.WorkersAt(span.Queued.PlusMs(1)) >= min);
    });

    [Fact]
    public void Compensation_takes_back_what_it_gave()
    {
        var lowered = 0;
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var items = AnyItems(random).Select(item => item with { RunMs = 0, Blocking = Blocking.TaskWait }).ToArray();
            var settings = AnySettings(random) with { Max = 1_000 };
            var goals = Live(() => new PortablePolicy(GateClock.Ideal), settings, items).Adjustments
                .Where(a => a.Kind == GateWakeReason.CooperativeDelay).Select(a => a.TargetThreads).ToArray();
            lowered += goals.Zip(goals.Skip(1)).Count(pair => pair.Second < pair.First);
            return goals.All(targetThreads => targetThreads >= settings.Min);
        });
        Assert.True(lowered > 100, $"the goal fell {lowered} times only");
    }

    static void ForEveryPolicy(Func<(string Name, double CheckMs, Func<IInjectionPolicy> New), SimulationResult, PoolSettings,
        bool> holds) =>
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var (items, settings) = (AnyItems(random), AnySettings(random));
            return EveryPolicy.All(policy => holds(policy, Live(policy.New, settings, items), settings));
        });
}
