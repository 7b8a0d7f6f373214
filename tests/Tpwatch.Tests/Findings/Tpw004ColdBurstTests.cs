using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw004ColdBurstTests
{
    static readonly Tpw004ColdBurst Rule = new();

    internal static IEnumerable<PoolReport> Told => [OnOld(), JustCome()];

    [Fact]
    public void Work_that_comes_at_once_after_idleness_is_found_with_its_size_and_the_min_that_would_have_absorbed_it()
    {
        var finding = Rule.Found(Burst().CounterSamples(0, 30).Pass(2000));

        Assert.Equal((Severity.Warning, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(40, finding.Value("Items in the burst"));
        Assert.Equal(8, finding.Value("Threads at the first counter sample after the burst"));
        Assert.Equal(3, finding.Value("Threads added later because of starvation"));
        Assert.StartsWith("ThreadPool.SetMinThreads(40, 8), or ", Rule.Found(Burst()).Remedies[^1].Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void A_burst_astride_a_heartbeat_is_one_burst() =>
        Assert.Equal(58, Rule.Found(Idle().NoBeats().Ramp(8).GateBegins().Pass(500).CounterSample(10, 0, 8, 0.02)
            .Queues(0, 8, 50).StarvationAfter(1001).Queues(0, 8, 50, 50, 50)).Value("Items in the burst"));

    [Fact]
    public void Workers_from_before_are_not_counted_as_items_but_the_min_that_absorbs_it_is_for_both()
    {
        var finding = Rule.Found(OnOld());

        Assert.Equal(40, finding.Value("Items in the burst"));
        Assert.Contains("the pool had 8 threads, of which 8 existed before. ", finding.Headline, StringComparison.Ordinal);
        Assert.StartsWith("ThreadPool.SetMinThreads(50, ", finding.Remedies[^1].Setting, StringComparison.Ordinal);
        Assert.Contains("(the burst plus the threads that existed before", finding.Remedies[^1].Text, StringComparison.Ordinal);
        Assert.Contains("(one per item of the burst", Rule.Found(Burst()).Remedies[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_max_stands_in_the_way_or_steps_for_task_waits_bring_the_workers_the_burst_is_a_note()
    {
        var steps = Idle().Ramp(8).GateBegins().CounterSamples(60).Pass(100)
            .CooperativeAfter(110, by: 8).Repeat(8, s => s.CooperativeAfter(25.6)).Pass(5000);
        Assert.All<PoolScript>([Burst(max: 11).Pass(4000), steps], life => Assert.Equal(Severity.Note, Rule.Found(life).Severity));
    }

    [Fact]
    public void In_a_wedged_pool_no_smaller_burst_is_advised() => Assert.EndsWith("See TPW016.",
        Assert.Single(Rule.Found(Burst().Report() with { Verdict = Verdict.Wedged }).Remedies).Text, StringComparison.Ordinal);

    [Fact]
    public void What_is_no_burst_or_absorbed_is_clear() => Rule.Clear(
        ("a load that begins and goes on", Idle().NoBeats().Ramp(8).Queues(16, 8, 50, 150, 250, 350, 450)),
        ("a burst onto a pool that works", new PoolScript().Opening().CounterSamples(0, 500).Pass(3000)
            .CounterSamples(90).Pass(1000).StarvationAfter(4700).Pass(4000)),
        ("what min absorbs though its threads start slowly",
            Idle().Ramp(5).GateBegins().CounterSamples(3).StarvationAfter(1001).Pass(900).CounterSamples(0).Pass(3000)),
        ("what is gone within a second", Idle().NoBeats().Ramp(8).CounterSample(30, 0, 8, 0.02)
            .Pass(900).CounterSample(0, 38, 8, 0.02).Queues(0, 8, 0)),
        // A library that sleeps and retries holds each worker for long; a few items come, and the workers held are not among them.
        ("a pool whose workers are held", new PoolScript().Processors(2).Limits(2, 32767).Repeat(18, s => s.WorkerAppears())
            .TargetThreads(18).CounterSamples(0).Pass(3000)
            .CounterSamples(2).StarvationAfter(4001).StarvationAfter(1001).StarvationAfter(1001).Pass(900)));

    [Fact]
    public void What_is_not_seen_leaves_it_undecided() => Rule.Open(
        ("right after it came", JustCome(), MissingKind.CounterSamples),
        ("a backlog from before the capture", Ask.Starving(), MissingKind.Beginning),
        ("without a heartbeat", new PoolScript().Opening().StarvationAfter(1001).Pass(500), MissingKind.CounterSamples),
        ("after loss a starving pool", new PoolScript().Opening().CounterSamples(0, 500).Pass(3000).Lose()
            .CounterSamples(90).StarvationAfter(4700).Pass(4000), MissingKind.LostEvents));

    static PoolScript Idle(int max = 32767) => new PoolScript().Processors(8).Limits(8, max).CounterSamples(0).Pass(3000);

    static PoolScript Burst(int max = 32767) => Idle(max).Ramp(8).GateBegins().CounterSamples(32).StarvationAfter(1001)
        .CounterSamples(31).StarvationAfter(1001).CounterSamples(30).StarvationAfter(1001).CounterSamples(29).Pass(1900);

    static PoolScript OnOld() => new PoolScript().Opening().CounterSamples(0).Pass(3000)
        .CounterSamples(40).StarvationAfter(4001).CounterSamples(39).StarvationAfter(1001).CounterSamples(38).StarvationAfter(1001)
        .CounterSamples(37).Pass(1900);

    static PoolScript JustCome() => Idle().Ramp(8).GateBegins().CounterSamples(32).StarvationAfter(1001).Pass(100);
}
