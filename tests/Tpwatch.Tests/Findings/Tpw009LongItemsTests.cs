using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw009LongItemsTests
{
    static readonly Tpw009LongItems Rule = new();

    internal static IEnumerable<PoolReport> Told =>
    [
        Of(new(10, 0, 0, 8000, 9000, 9000, 9000, [])), Of(new(9, 0, 2000, 9000, 9000, 9000, 13_500, [])),
        Of(new(100, 0, 2000, 9000, 9000, 9000, 13_500, [])),
    ];

    [Fact]
    public void The_run_time_follows_from_workers_and_completions()
    {
        var finding = Rule.Found(new PoolScript().Opening(8).CounterSamples(100, 4).Pass(6000));

        Assert.Equal((Severity.Warning, Confidence.Medium), (finding.Severity, finding.Confidence));
        Assert.Equal(2000, finding.Value("Mean time an item holds its thread"));
        Assert.Contains(finding.Remedies, r => r.Setting?.Contains("TaskCreationOptions.LongRunning", StringComparison.Ordinal) == true);
    }

    [Fact]
    public void A_stretch_in_which_none_ended_is_a_lower_bound()
    {
        var finding = Rule.Found(Ask.Starving().CounterSamples(20, 9).Pass(1500));

        Assert.Equal(Confidence.High, finding.Confidence);
        Assert.Equal(3000, finding.Value("Some items ran")!.Value, 1);
    }

    /// <summary>Five readings without an end; where the first follows an empty queue, the items may have started just before it.</summary>
    [Theory]
    [InlineData(0, 4000)]
    [InlineData(30, 5000)]
    public void A_second_in_which_the_items_may_have_started_is_no_part_of_it(long queuedBefore, double ran) =>
        Assert.Equal(ran, Rule.Found(new PoolScript().Opening().CounterSample(0, 0, 8, 0.02).Queues(20, 8, queuedBefore)
            .Queues(0, 8, 90, 90, 90, 90, 90).Queues(9, 8, 81, 72)).Value("Some items ran")!.Value, 1);

    [Fact]
    public void Short_items_those_that_compute_and_those_that_none_waits_behind_do_no_harm() => Rule.Clear(
        ("items of half a second", new PoolScript().Opening().CounterSamples(100, 16).Pass(6000)),
        ("long items that none waits behind", new PoolScript().Opening().CounterSamples(0, 1).Pass(9000)),
        ("items that compute", new PoolScript().Opening(2).CounterSamples(50, 1, cpu: 0.99).Pass(6000)));

    [Fact]
    public void Where_none_ends_or_a_reading_is_missing_it_is_undecided() => Rule.Open(
        ("none ends", Ask.Starving(), MissingKind.Stacks),
        ("a reading is missing", new PoolScript().Opening().CounterSample(90, null, 8, 0.02).StarvationAfter(1001).Lose().Pass(3000)
            .CounterSample(90, null, 9, 0.02).Pass(500), MissingKind.LostEvents));

    [Fact]
    public void Items_half_of_which_took_no_time_are_not_told_as_half_of_them_long()
    {
        var finding = Rule.Found(Of(new(10, 0, 0, 8000, 9000, 9000, 9000, [])));
        Assert.Contains("One item in ten held a thread for at least 8.0 s", finding.Headline, StringComparison.Ordinal);
        Assert.DoesNotContain(finding.Evidence, e => e.Text.StartsWith("Half", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_few_items_the_longest_is_told_and_no_percentile()
    {
        var few = Rule.Found(Of(new(9, 0, 2000, 9000, 9000, 9000, 13_500, [])));
        Assert.Contains(few.Evidence, e => e is { Text: "The longest of 9 items held its thread for at least", Value: 13_500 });
        var many = Rule.Found(Of(new(100, 0, 2000, 9000, 9000, 9000, 13_500, [])));
        Assert.Contains(many.Evidence, e => e is { Text: "One in a hundred items held its thread for at least", Value: 9000 });
    }

    static PoolReport Of(Distribution items) => Ask.Starving().Report() with { RunTime = items };
}
