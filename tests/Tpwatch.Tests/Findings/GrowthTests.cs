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

    [Fact]
    public void What_hill_climbing_took_and_the_gate_added_again_is_no_growth()
    {
        var report = Six.Repeat(2, s => s.ClimbTo(5).GivenBackAfter(900).Pass(4_000)).Report();

        Assert.Equal(new InjectionEffect(2, Grew: false), InjectionEffect.Of(report, _ => true));
        var finding = Ask.Found(new Tpw001Starvation(), report);
        Assert.Equal(
            "Work items waited, and the pool did not grow. The pool added a thread twice, each after hill climbing had taken one.",
            finding.Headline);
        Assert.Contains(" The pool did not grow beyond 6 threads.", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Beyond_what_there_was_it_is()
    {
        var report = Six.ClimbTo(5).GivenBackAfter(900).StarvationAfter(1001).Pass(1_500).Report();

        Assert.Equal(new InjectionEffect(1, Grew: true), InjectionEffect.Of(report, _ => true));
        Assert.EndsWith("Of the added threads, 1 only replaced some that hill climbing had taken.",
            Ask.Found(new Tpw001Starvation(), report).Headline, StringComparison.Ordinal);
        Assert.Contains(" The pool added 2 threads, one at a time.", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Threads_that_have_ended_before_it_starved_are_added_anew()
    {
        var script = new PoolScript().Processors(2).Repeat(6, s => s.WorkerAppears()).CounterSamples(0, 9).Pass(3_000)
            .Repeat(4, s => s.WorkerEnds()).Pass(3_000).ClimbTo(2).CounterSamples(90).Pass(2_000).StarvationAfter(501).Pass(1_500);

        Assert.Equal(0, InjectionEffect.Of(script.Report(), _ => true).GivenBack);
    }

    [Fact]
    public void A_pool_that_stands_for_twenty_seconds_is_asked_for_its_max()
    {
        Assert.Null(InjectionEffect.StandsAt(Six.Pass(5_000).Report()));
        var report = Six.Pass(22_000).Report();

        Assert.Equal(6, InjectionEffect.StandsAt(report));
        Assert.Contains(Ask.Found(new Tpw003UndetectedStarvation(), report).Remedies, remedy => remedy.Text.EndsWith(
            "Check first whether code or configuration sets MaxThreads: the pool never had more than 6 threads.",
            StringComparison.Ordinal));
        Assert.Null(InjectionEffect.StandsAt(Six.Limits(2, 32767).Pass(22_000).Report()));
        Assert.Null(InjectionEffect.StandsAt(Six.Pass(20_000).WorkerAppears().Pass(2_000).Report()));
    }

    [Fact]
    public void What_hill_climbing_added_itself_is_growth_though_the_gate_only_gave_back()
    {
        var report = Six.ClimbTo(12).Repeat(6, s => s.WorkerAppears()).Pass(1_100).ClimbTo(11).GivenBackAfter(900).Pass(1_500).Report();

        Assert.Equal(new InjectionEffect(1, Grew: true), InjectionEffect.Of(report, _ => true));
        Assert.DoesNotContain("did not grow", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void What_task_waits_no_longer_want_was_not_taken_by_hill_climbing()
    {
        var script = Six.CooperativeAfter(100, by: 6).Pass(1_100).WithdrawTo(6).GivenBackAfter(900).Pass(1_500);

        Assert.Equal(0, InjectionEffect.Of(script.Report(), _ => true).GivenBack);
    }

    [Fact]
    public void Nothing_counts_down_to_a_thread_that_may_not_come()
    {
        var report = new PoolScript().Opening().CounterSamples(50).StarvationAfter(1001.5).Pass(300).Report();

        Assert.StartsWith("+1 ", Countdown.Of(report), StringComparison.Ordinal);
        Assert.Equal("", Countdown.Of(report with { Verdict = Verdict.StarvedAtMax }));
        Assert.Equal("", Countdown.Of(report with { Verdict = Verdict.Saturated }));
    }

    [Fact]
    public void A_detector_that_is_off_explains_why_the_pool_stands() =>
        Assert.Null(InjectionEffect.StandsAt(
            Six.Switch("System.Threading.ThreadPool.DisableStarvationDetection").Pass(22_000).Report()));
}
