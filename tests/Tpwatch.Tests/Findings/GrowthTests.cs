using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Screen.Drawing;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>Threads that are added are news only where the pool had not as many before.</summary>
public sealed class GrowthTests
{
    // Six threads that hold items of some seconds; those that wait are never fewer, and each second a few end.
    static PoolScript Six => new PoolScript().Processors(2).Repeat(6, s => s.WorkerAppears()).CounterSamples(90, 2).Pass(3_000);

    internal static IEnumerable<PoolReport> Told => [GivenBack(), Beyond(), Six.Pass(22_000)];

    [Fact]
    public void What_hill_climbing_took_and_the_gate_added_again_is_no_growth_and_beyond_what_there_was_it_is()
    {
        Assert.Equal(new InjectionEffect(2, Grew: false), Effect(GivenBack()));
        Assert.Equal(new InjectionEffect(1, Grew: true), Effect(Beyond()));
        Assert.Contains(" beyond 6 threads.", GivenBack().Report().Headline, StringComparison.Ordinal);
        Assert.Contains(" added 2 threads, one at a time.", Beyond().Report().Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void What_only_hill_climbing_took_while_it_starved_is_given_back()
    {
        Assert.Equal(0, Effect(new PoolScript().Processors(2).Repeat(6, s => s.WorkerAppears()).CounterSamples(0, 9).Pass(3_000)
            .Repeat(4, s => s.WorkerEnds()).Pass(3_000).ClimbTo(2).CounterSamples(90).Pass(2_000).StarvationAfter(501).Pass(1_500))
            .GivenBack);
        // What task waits no longer want.
        Assert.Equal(0, Effect(Six.CooperativeAfter(100, by: 6).Pass(1_100).WithdrawTo(6).GivenBackAfter(900).Pass(1_500)).GivenBack);
        // What hill climbing added itself is growth though the gate only gave back.
        Assert.Equal(new InjectionEffect(1, Grew: true), Effect(Six.ClimbTo(12).Repeat(6, s => s.WorkerAppears()).Pass(1_100)
            .ClimbTo(11).GivenBackAfter(900).Pass(1_500)));
    }

    [Fact]
    public void A_pool_that_stands_for_twenty_seconds_is_asked_for_its_max()
    {
        Assert.Null(InjectionEffect.StandsAt(Six.Pass(5_000).Report()));
        Assert.Equal(6, InjectionEffect.StandsAt(Six.Pass(22_000).Report()));
        Assert.Null(InjectionEffect.StandsAt(Six.Limits(2, 32767).Pass(22_000).Report()));
        // A detector that is off explains why the pool stands.
        Assert.Null(InjectionEffect.StandsAt(
            Six.Switch("System.Threading.ThreadPool.DisableStarvationDetection").Pass(22_000).Report()));
        Assert.Null(InjectionEffect.StandsAt(Six.Pass(20_000).WorkerAppears().Pass(2_000).Report()));
    }

    [Fact]
    public void Nothing_counts_down_to_a_thread_that_may_not_come()
    {
        var report = new PoolScript().Opening().CounterSamples(50).StarvationAfter(1001.5).Pass(300).Report();

        Assert.StartsWith("+1 ", Countdown.Of(report), StringComparison.Ordinal);
        Assert.Equal("", Countdown.Of(report with { Verdict = Verdict.StarvedAtMax }));
        Assert.Equal("", Countdown.Of(report with { Verdict = Verdict.Saturated }));
    }

    static InjectionEffect Effect(PoolReport report) => InjectionEffect.Of(report, _ => true);

    static PoolScript GivenBack() => Six.Repeat(2, s => s.ClimbTo(5).GivenBackAfter(900).Pass(4_000));

    static PoolScript Beyond() => Six.ClimbTo(5).GivenBackAfter(900).StarvationAfter(1001).Pass(1_500);
}
