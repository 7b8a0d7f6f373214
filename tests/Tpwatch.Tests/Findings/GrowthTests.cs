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
        Says("The pool added a thread twice, each after hill climbing had taken one.", GivenBack());
        Says("The pool added a thread once, after hill climbing had taken one.", Six.ClimbTo(5).GivenBackAfter(900).Pass(4_000));
        Assert.Contains(" added 2 threads, one at a time.", Beyond().Report().Headline, StringComparison.Ordinal);

        static void Says(string what, PoolScript life) =>
            Assert.EndsWith(what, new Tpw001Starvation().Found(life).Headline, StringComparison.Ordinal);
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

    /// <summary>Of the seconds at whose two ends items wait; what arrives counts until the queue is longest.</summary>
    [Theory]
    [InlineData(36, 36.0, 18, 40L, 30L, 20L)]
    [InlineData(52, 26.0, 13, 30L, 40L, 30L)]
    public void The_demand_is_what_arrives_while_the_queue_grows_times_what_an_item_takes(
        long arrived, double aSecond, int needed, params long[] lengths)
    {
        var report = new PoolScript().Opening().CounterSample(20, 0, 8, 0.02).Queues(16, 8, lengths).Queues(36, 8, 0).Queues(16, 8, 20)
            .Report();
        var demand = Demand.Of(report with { Episodes = [new(new(new(0), report.Timeline.Now), Verdict.Starved, Over: false, 0)] });

        Assert.Equal((3000, 24_000, 48), (demand.SpanMs, demand.BusyMs, demand.Completed));
        Assert.Equal((arrived, aSecond, 500.0, needed), (demand.Arrived, demand.ArrivedPerSecond, demand.RunMs, demand.Needed));
        Assert.Null(Demand.Of(Ask.Starving()).RunMs);
    }

    [Fact]
    public void A_burst_that_was_met_late_lasts_until_the_queue_is_first_empty()
    {
        var script = Ask.Starving();
        Assert.False(ItemBurst.MetLate(script)!.Over);
        script.CounterSamples(0, 50).Pass(9000);
        var empty = script.Report().Timeline.CounterSamples.First(b => b.QueueLength == 0);
        Assert.Equal((true, empty.At), (ItemBurst.MetLate(script)!.Over, ItemBurst.MetLate(script)!.To));
        Assert.Null(ItemBurst.MetLate(Ask.Quiet()));
    }

    [Fact]
    public void A_rise_by_eight_in_a_stall_adds_eight() => Assert.Equal(8 + 11, Stall.Longest(
        new PoolScript().Opening().CounterSamples(90).CooperativeAfter(3, by: 8).Repeat(12, s => s.StarvationAfter(1001)).Report())!.Added);

    [Theory]
    [InlineData(0, false)]
    [InlineData(2, false)]
    [InlineData(3, true)]
    public void What_is_long_ago_counts_where_a_tenth_of_the_minutes_has_it(int minutes, bool counts)
    {
        var timeline = new PoolScript().Opening().CounterSamples(0).Pass(29 * 60_000).Timeline.Snapshot();
        var moments = Enumerable.Range(0, minutes).Select(minute => timeline.Start.PlusMs((minute + 0.5) * 60_000)).ToArray();
        Assert.Equal(counts, EventRelevance.IsWorthTelling(moments, timeline));
        Assert.True(EventRelevance.IsWorthTelling([.. moments, timeline.Now.PlusMs(-59_000)], timeline));
    }

    static InjectionEffect Effect(PoolReport report) => InjectionEffect.Of(report, _ => true);

    static PoolScript GivenBack() => Six.Repeat(2, s => s.ClimbTo(5).GivenBackAfter(900).Pass(4_000));

    static PoolScript Beyond() => Six.ClimbTo(5).GivenBackAfter(900).StarvationAfter(1001).Pass(1_500);
}
