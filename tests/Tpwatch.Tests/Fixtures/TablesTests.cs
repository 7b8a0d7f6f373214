using Tpwatch.Fixtures.Options;
using Tpwatch.Fixtures.Running;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Tests.Fixtures;

/// <summary>The two scenarios that draw what pools of other times do.</summary>
public sealed class TablesTests
{
    [Fact]
    public void The_hold_off_table_is_the_published_formula_quantised_to_the_gates_ticks()
    {
        var summary = new HoldoffTable().Summarise(Noted(new HoldoffTable()));

        Assert.Equal(4_477, summary.Headline);
        Assert.Equal(" 500 ms, at the tick of 1000 ms ██░░", Row(summary, 1).Here.TrimEnd());
        Assert.Equal("1071 ms, at the tick of 1500 ms ████░░", Row(summary, 9).Here.TrimEnd());
        Assert.Equal("4477 ms, at the tick of 4500 ms ██████████████████", Row(summary, 24).Here.TrimEnd());
    }

    [Fact]
    public void The_articles_column_is_one_power_further()
    {
        var summary = new HoldoffTable().Summarise(Noted(new HoldoffTable()));

        Assert.Equal(" 550 ms", Row(summary, 1).Article);
        Assert.Equal("4477 ms", Row(summary, 23).Article);
        Assert.Equal("5417 ms (\"5.4 seconds\")",
            summary.Lines.Single(line => line.What.StartsWith("25 workers", StringComparison.Ordinal)).Article);
    }

    [Fact]
    public void A_products_letter_is_its_thread_and_one_that_never_started_has_none()
    {
        var drawn = new MultiplicationTable().Draw(Products(), colours: false);

        Assert.Equal(["a product's letter is its thread", "   ×   1   2", "   1   A   B", "   2   A   C", "   3   B   ·"], drawn.Take(5));
    }

    [Fact]
    public void With_colours_each_thread_has_its_own_and_the_product_is_written_on_it()
    {
        var drawn = new MultiplicationTable().Draw(Products(), colours: true);
        var cells = drawn[2].Split("\e[0m")[0..2];

        Assert.EndsWith("   1", cells[0], StringComparison.Ordinal);
        Assert.EndsWith("   2", cells[1], StringComparison.Ordinal);
        Assert.NotEqual(Background(cells[0]), Background(cells[1]));
        Assert.Equal(Background(cells[0]), Background(drawn[3]));
    }

    [Fact]
    public void No_two_of_two_hundred_threads_have_the_same_colour() =>
        Assert.Distinct(Enumerable.Range(0, 216).Select(thread => Background(Colours.On(thread, ""))));

    /// <summary>144 products of 5 s on two processors: totals and workers of a simulation written by other means.</summary>
    [Theory]
    [InlineData('1', 28_500, 49)]
    [InlineData('3', 35_500, 31)]
    [InlineData('r', 49_000, 23)]
    public void The_same_arrivals_take_as_long_under_each_pool_as_its_formula_says(char mark, double totalMs, int workers)
    {
        var pool = PoolOfItsTime.Of(Burst(144, 5_000), 5_000).Single(pool => pool.Mark == mark);

        Assert.Equal(totalMs, pool.TotalMs!.Value, 1.0);
        Assert.Equal(workers, pool.MostWorkers);
    }

    [Fact]
    public void The_ratio_is_told_beside_the_articles()
    {
        var summary = new MultiplicationTable().Summarise(Burst(144, 5_000));

        var ratio = summary.Lines.Single(line => line.What == ".NET 3.5 takes, beside .NET 1.1");
        Assert.Equal(("1.25 times", "about twice"), (ratio.Here, ratio.Article));
    }

    [Fact]
    public void The_chart_draws_the_run_on_top()
    {
        var lines = WorkerChart.Draw(1_000, [('a', ms => ms < 500 ? 1 : 2), ('*', ms => ms > 250 ? null : 1)]).ToArray();

        Assert.Equal(
            ["    2 │" + new string(' ', 32) + new string('a', 32), "    1 │" + new string('*', 16) + new string('a', 16)], lines.Take(2));
        Assert.EndsWith("1000 ms", lines[^1], StringComparison.Ordinal);
    }

    static string Background(string cell) => cell[cell.IndexOf("48;5;", StringComparison.Ordinal)..].Split('m')[0];

    static SummaryLine Row(ScenarioSummary summary, int workers) => summary.Lines[workers - 1];

    static RunTruth Noted(HoldoffTable scenario)
    {
        var run = new ScenarioRun(new OptionParser(scenario, []).Parse().Values, new WorkLog(1), new StopSignal());
        scenario.Run(run);
        return SampleTruth.Of(100) with { Figures = run.Figures.ReadAt(long.MaxValue) };
    }

    static RunTruth Products() => Table(SampleTruth.Of(
        9_000, (0, 1, 5_001, 7), (0, 2, 5_002, 9), (0, 5_001, 8_000, 7), (0, 1_000, 6_000, 4), (0, 5_002, null, 9), (0, null, null, 0)), 2);

    static RunTruth Burst(int items, double holdMs)
    {
        var truth = Table(
            SampleTruth.Of(holdMs, [.. Enumerable.Range(0, items).Select(item => (0.0, (double?)0, (double?)holdMs, item + 1))]), 12);
        return truth with { Header = truth.Header with { Processors = 2, MinWorkers = 2 } };
    }

    static RunTruth Table(RunTruth truth, int columns) => truth with
    {
        Header = truth.Header with { Options = truth.Header.Options.SetItem("columns", columns).SetItem("hold", 5_000) },
    };
}
