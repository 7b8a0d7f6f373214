using System.Globalization;
using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>The ticks that the ledger inferred against the gate's real ones, which a second session records.</summary>
[Collection(ScenarioCollection.Name)]
public sealed class GateChecksTests(GateTickRuns runs)
{
    // A tick is one moment to the rule when it does not change the coarse clock's value: one step of it, 4 ms at 250 Hz.
    const double ToleranceMs = 4;

    // The adjustment follows the gate's wake by 0.05 to 0.2 ms, by more when the machine is busy.
    const double AfterWakeMs = 2;

    [Theory(Timeout = 180_000)]
    [InlineData(TargetRuntime.Net10)]
    [InlineData(TargetRuntime.Net9)]
    public async Task Every_tick_of_a_gap_is_a_real_one_and_no_real_one_is_missing(TargetRuntime runtime)
    {
        var (run, real) = await runs.OfAsync(runtime);
        var delays = run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation && !g.Ticks.IsEmpty).ToArray();
        Assert.True(delays.Length >= 10, ObservedRun.Describe(run.Report.InjectionDelays));

        var errors = delays.SelectMany(g => g.Ticks,
            (g, t) => (InjectionDelay: g, Tick: t, OffMs: t.At.MsSince(Nearest(real, t.At)))).ToArray();
        var inferred = errors.Where(e => e.Tick.Basis == Basis.Inferred).ToArray();
        Print([.. errors.Select(e => (e.Tick.Basis, e.OffMs))], delays.Length, real.Length);
        Assert.NotEmpty(inferred);
        Assert.All(errors.Where(e => e.Tick.Basis == Basis.Observed), e => Assert.True(e.Tick.Fired));
        var off = errors.Where(e => Math.Abs(e.OffMs) > ToleranceMs && !IsExcused(e.InjectionDelay, e.OffMs, run.Truth)).ToArray();
        Assert.True(off.Length <= 1, string.Join('\n', off.Select(e => $"{e.OffMs:0.00} ms off in #{e.InjectionDelay.Number}: {e.Tick}")));

        var wrong = delays.Where(g => Math.Abs(RealInside(real, g, run.Report.InjectionDelays) - g.Ticks.Length) is > 0 and var missing
            && !IsExcused(g, missing * GateTiming.StarvationMs, run.Truth)).ToArray();
        Assert.True(wrong.Length <= 1,
            ObservedRun.Describe(wrong) + "\nreal: " + string.Join(' ', wrong
                .Select(g => RealInside(real, g, run.Report.InjectionDelays))));
    }

    static EventTime Nearest(EventTime[] real, EventTime at) => real.MinBy(r => Math.Abs(at.MsSince(r)));

    /// <summary>Real ticks after the injection before this gap's, or after the gap's start when there is none, up to its own.</summary>
    static int RealInside(EventTime[] real, InjectionDelay delay, IEnumerable<InjectionDelay> all)
    {
        var before = all.LastOrDefault(g => g.Reason == AdjustmentReason.Starvation && g.Number < delay.Number);
        var from = (before?.End ?? delay.Start!.Value).PlusMs(AfterWakeMs);
        return real.Count(r => r > from && r <= delay.End);
    }

    /// <summary>
    /// Whether the machine held the fixture up inside the gap for so long: a late wake shifts the ticks that are counted back from it.
    /// </summary>
    static bool IsExcused(InjectionDelay delay, double offMs, RunTruth truth) =>
        truth.Hiccups.Where(h => ObservedRun.At(h.At) >= delay.Start && ObservedRun.At(h.At).PlusMs(-h.OvershootMs) <= delay.End)
            .Sum(h => h.OvershootMs) >= Math.Abs(offMs) - ToleranceMs;

    static void Print((Basis Basis, double OffMs)[] errors, int delays, int real)
    {
        foreach (var kind in errors.GroupBy(e => e.Basis))
        {
            var off = kind.Select(e => Math.Abs(e.OffMs)).Order().ToArray();
            TestContext.Current.TestOutputHelper?.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{kind.Key}: {off.Length} ticks, off by p50 {off[off.Length / 2]:0.00} ms, p95 "
                    + $"{off[off.Length * 95 / 100]:0.00} ms, most {off[^1]:0.00} ms, "
                    + $"{off.Count(o => o > ToleranceMs)} by more than {ToleranceMs} ms"));
        }

        TestContext.Current.TestOutputHelper?.WriteLine(
            FormattableString.Invariant($"{delays} gaps, {errors.Length} ticks in them, {real} real wakes of the gate"));
    }
}
