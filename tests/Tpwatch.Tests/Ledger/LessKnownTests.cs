using Tpwatch.Core;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Ledger;

/// <summary>
/// Whoever knows less of a pool allows it more moments: no window of an injection that fits is lost by not knowing something.
/// </summary>
public sealed class LessKnownTests
{
    static readonly PortablePolicy Policy = new();

    [Fact]
    public void Windows_only_ever_widen_with_less_known()
    {
        var (windows, wider) = (0, 0);
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            var cpu = random.Next(3) == 0 ? 0.95 : 0.1;
            var (state, at) = (AnyState(random, cpu),
                At(900 + GateTiming.AfterInjection + random.Next(8) * GateTiming.AfterHold + random.NextDouble()));
            var delay = Judged(state, at, CounterSamples(cpu, seed, at));
            if (delay.Verdict != DelayVerdict.AsExpected)
            {
                return true;
            }

            var known = delay.Windows;
            windows += known.Length;
            return Less(state).Select(less => Judged(less, at, CounterSamples(cpu, seed, at)).Windows)
                .Append(Judged(state, at, new CounterSampleLog()).Windows).All(less =>
                {
                    wider += less.Length > known.Length ? 1 : 0;
                    return less.Length == 0
                        || known.All(window =>
                            less.Any(other => other.MinMs <= window.MinMs + 0.001 && other.MaxMs >= window.MaxMs - 0.001));
                });
        }, tests: 400);
        Assert.True(windows > 300 && wider > 50, $"{windows} windows, {wider} times more of them: the property says little");
    }

    static InjectionDelay Judged(PoolState state, EventTime at, CounterSampleLog samples) =>
        StarvationDelayJudge.Judge(Policy, new(state, [], at, (state.TargetThreads ?? 8) + 1), samples);

    static CounterSampleLog CounterSamples(double cpu, int seed, EventTime upTo)
    {
        var samples = new CounterSampleLog();
        var completed = seed % 3 == 0 ? 1 : 0;
        for (var ms = 0.0; ms < upTo.MsSince(At(0)) + 1_000; ms += 1_000)
        {
            samples.Add(new CounterSample(At(ms), 1_000, 8, 20, completed, cpu));
        }

        return samples;
    }

    static PoolState AnyState(Random random, double cpu) => new()
    {
        Settings = new(8, 8, 1_000),
        Now = At(900),
        TargetThreads = random.Next(8, 12),
        Existing = 8,
        Outstanding = true,
        LastDequeue = At(900 + random.NextDouble() * 50),
        DequeuedUnseen = false,
        Cpu = cpu,
        LastCheck = At(900),
        CheckPeriodMs = GateTiming.AfterInjection,
        Clock = new ClockReading(At(0), 4, random.NextDouble() * 4, random.NextDouble() * 4, (ClockRegime)random.Next(3)),
    };

    static IEnumerable<PoolState> Less(PoolState full) =>
        [full with { Clock = null }, full with { Cpu = null }, full with { DequeuedUnseen = null },
            full with { Clock = null, Cpu = null, DequeuedUnseen = null }];

    static EventTime At(double ms) => new EventTime(1_000_000_000_000).PlusMs(ms);
}
