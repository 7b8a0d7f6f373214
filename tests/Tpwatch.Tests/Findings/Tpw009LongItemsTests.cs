using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw009LongItemsTests
{
    readonly Tpw009LongItems rule = new();

    [Fact]
    public void The_run_time_follows_from_workers_and_completions()
    {
        var finding = Ask.Found(rule, new PoolScript().Opening(8).CounterSamples(100, 4).Pass(6000));

        Assert.Equal((Severity.Warning, Confidence.Medium), (finding.Severity, finding.Confidence));
        Assert.Equal(2000, Ask.Value(finding, "Mean time an item holds its thread"));
        Assert.Contains(finding.Remedies, r => r.Setting?.Contains("TaskCreationOptions.LongRunning", StringComparison.Ordinal) == true);
    }

    [Fact]
    public void A_stretch_in_which_none_ended_is_a_lower_bound()
    {
        var finding = Ask.Found(rule, Ask.Starving().CounterSamples(20, 9).Pass(1500));

        Assert.Equal(Confidence.High, finding.Confidence);
        Assert.Equal(3000, Ask.Value(finding, "Some items ran")!.Value, 1);
        Assert.Contains("no item completed for 3.0 s: running items", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Items_of_half_a_second_are_not_long() => Ask.Clear(rule, new PoolScript().Opening().CounterSamples(100, 16).Pass(6000));

    [Fact]
    public void Long_items_that_nobody_waits_behind_do_no_harm() =>
        Ask.Clear(rule, new PoolScript().Opening().CounterSamples(0, 1).Pass(9000));

    [Fact]
    public void Items_that_compute_are_another_finding() =>
        Ask.Clear(rule, new PoolScript().Opening(2).CounterSamples(50, 1, cpu: 0.99).Pass(6000));

    [Fact]
    public void Where_none_ends_it_is_undecided() => Ask.Open(rule, Ask.Starving(), "slow items from hung ones");

    [Fact]
    public void Without_a_heartbeat_it_is_undecided() =>
        Ask.Open(rule, new PoolScript().Opening().Pass(5000).WorkerSleeps(), "counter samples");

    [Fact]
    public void Items_half_of_which_took_no_time_are_not_told_as_half_of_them_long()
    {
        var report = Ask.Starving().Report() with { RunTime = new(10, 0, 0, 8000, 9000, 9000, 9000, []) };
        var finding = Ask.Found(rule, report);

        Assert.Contains("One item in ten held a thread for at least 8.0 s", finding.Headline, StringComparison.Ordinal);
        Assert.DoesNotContain("Half", finding.Headline, StringComparison.Ordinal);
        Assert.DoesNotContain(finding.Evidence, e => e.Text.StartsWith("Half", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_few_items_the_longest_is_told_and_no_percentile()
    {
        var few = Ask.Found(rule, Ask.Starving().Report() with { RunTime = new(9, 0, 2000, 9000, 9000, 9000, 13_500, []) });
        Assert.EndsWith("Half of the 9 items that started held a thread for at least 2.0 s.", few.Headline, StringComparison.Ordinal);
        Assert.Contains(few.Evidence, e => e is { Text: "The longest of 9 items held its thread for at least", Value: 13_500 });

        var many = Ask.Found(rule, Ask.Starving().Report() with { RunTime = new(100, 0, 2000, 9000, 9000, 9000, 13_500, []) });
        Assert.Contains(many.Evidence, e => e is { Text: "One in a hundred items held its thread for at least", Value: 9000 });
    }

    [Fact]
    public void A_reading_that_is_missing_joins_nothing()
    {
        var script = new PoolScript().Opening().CounterSample(90, null, 8, 0.02).StarvationAfter(1001).Lose().Pass(3000);

        Ask.Open(rule, script.CounterSample(90, null, 9, 0.02).Pass(500), "events were lost");
    }
}
