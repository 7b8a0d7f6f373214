using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw004ColdBurstTests
{
    readonly Tpw004ColdBurst rule = new();

    [Fact]
    public void Work_that_comes_at_once_after_idleness_is_found_with_its_size()
    {
        var finding = Ask.Found(rule, Burst().CounterSamples(0, 30).Pass(2000));

        Assert.Equal((Severity.Warning, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(40, Ask.Value(finding, "Items in the burst"));
        Assert.Equal(8, Ask.Value(finding, "Threads at the first counter sample after the burst"));
        Assert.Equal(3, Ask.Value(finding, "Threads added later because of starvation"));
    }

    [Fact]
    public void The_min_that_would_have_absorbed_it_is_computed()
    {
        var remedy = Ask.Found(rule, Burst()).Remedies[^1];

        Assert.Contains("set MinThreads to 40 (one per item of the burst", remedy.Text, StringComparison.Ordinal);
        Assert.StartsWith("ThreadPool.SetMinThreads(40, 8), or ", remedy.Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void A_burst_astride_a_heartbeat_is_one_burst()
    {
        var script = Idle().NoBeats().Ramp(8).GateBegins().Pass(500).CounterSample(10, 0, 8, 0.02)
            .Pass(1000).CounterSample(50, 0, 8, 0.02).StarvationAfter(1001)
            .Repeat(3, s => s.Pass(1000).CounterSample(50, 0, 8, 0.02));

        Assert.Equal(58, Ask.Value(Ask.Found(rule, script), "Items in the burst"));
    }

    [Fact]
    public void A_load_that_begins_and_goes_on_is_no_burst()
    {
        var script = Idle().NoBeats().Ramp(8);
        foreach (var queueLength in (long[])[50, 150, 250, 350, 450])
        {
            script.Pass(1000).CounterSample(queueLength, 16, 8, 0.02);
        }

        Assert.Equal(Verdict.SilentlyStarved, script.Report().Verdict);
        Ask.Clear(rule, script);
    }

    [Fact]
    public void A_burst_onto_a_pool_that_works_is_not_cold() =>
        Ask.Clear(rule, new PoolScript().Opening().CounterSamples(0, 500).Pass(3000)
            .CounterSamples(90).Pass(1000).StarvationAfter(4700).Pass(4000));

    [Fact]
    public void What_min_absorbs_is_no_burst_though_its_threads_start_slowly() =>
        Ask.Clear(rule, Idle().Ramp(5).GateBegins().CounterSamples(3).StarvationAfter(1001).Pass(900).CounterSamples(0).Pass(3000));

    [Fact]
    public void A_burst_that_is_gone_within_a_second_is_none_to_speak_of() =>
        Ask.Clear(rule,
            Idle().NoBeats().Ramp(8).CounterSample(30, 0, 8, 0.02).Pass(900).CounterSample(0, 38, 8, 0.02).Pass(1000)
                .CounterSample(0, 0, 8, 0.02));

    // A library that sleeps and retries holds each worker for long; a few items come, and the workers that are held are not among them.
    [Fact]
    public void A_pool_whose_workers_are_held_was_not_idle() =>
        Ask.Clear(rule, new PoolScript().Processors(2).Limits(2, 32767).Repeat(18, s => s.WorkerAppears()).TargetThreads(18)
            .CounterSamples(0).Pass(3000)
            .CounterSamples(2).StarvationAfter(4001).StarvationAfter(1001).StarvationAfter(1001).Pass(900));

    [Fact]
    public void Workers_from_before_are_not_counted_as_items_but_the_min_that_absorbs_it_is_for_both()
    {
        var finding = Ask.Found(rule, new PoolScript().Opening().CounterSamples(0).Pass(3000)
            .CounterSamples(40).StarvationAfter(4001).CounterSamples(39).StarvationAfter(1001).CounterSamples(38).StarvationAfter(1001)
            .CounterSamples(37).Pass(1900));

        Assert.Equal(40, Ask.Value(finding, "Items in the burst"));
        Assert.StartsWith(
            "No item waited, then about 40 items arrived within 1.0 s. "
                + "At the first counter sample, the pool had 8 threads, of which 8 existed before. ",
            finding.Headline, StringComparison.Ordinal);
        Assert.Contains(
            "set MinThreads to 50 (the burst plus the threads that existed before", finding.Remedies[^1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_max_stands_in_the_way_the_burst_is_a_note() =>
        Assert.Equal(Severity.Note, Ask.Found(rule, Burst(max: 11).Pass(4000)).Severity);

    [Fact]
    public void Where_steps_for_task_waits_bring_the_workers_the_burst_is_a_note()
    {
        var script = Idle().Ramp(8).GateBegins().CounterSamples(60).Pass(100)
            .CooperativeAfter(110, by: 8).Repeat(8, s => s.CooperativeAfter(25.6)).Pass(5000);

        Assert.Equal(Severity.Note, Ask.Found(rule, script).Severity);
    }

    [Fact]
    public void Right_after_it_came_it_is_undecided() =>
        Ask.Open(rule, Idle().Ramp(8).GateBegins().CounterSamples(32).StarvationAfter(1001).Pass(100), "two more counter samples");

    [Fact]
    public void A_backlog_from_before_the_capture_is_undecided() =>
        Ask.Open(rule, Ask.Starving(), "items already waited at the first counter sample");

    [Fact]
    public void Without_a_heartbeat_it_is_undecided() =>
        Ask.Open(rule, new PoolScript().Opening().StarvationAfter(1001).Pass(500), "counter samples");

    [Fact]
    public void After_loss_a_starving_pool_is_undecided() =>
        Ask.Open(rule,
            new PoolScript().Opening().CounterSamples(0, 500).Pass(3000).Lose()
                .CounterSamples(90).StarvationAfter(4700).Pass(4000), "events were lost");

    static PoolScript Idle(int max = 32767) => new PoolScript().Processors(8).Limits(8, max).CounterSamples(0).Pass(3000);

    static PoolScript Burst(int max = 32767) => Idle(max).Ramp(8).GateBegins().CounterSamples(32).StarvationAfter(1001)
        .CounterSamples(31).StarvationAfter(1001).CounterSamples(30).StarvationAfter(1001).CounterSamples(29).Pass(1900);
}
