using System.Collections.Immutable;
using Tpwatch.Fixtures.Catalogue;
using Tpwatch.Fixtures.Scenarios;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Fixtures;

/// <summary>The numbers of the full run, as they stand in the README of the fixtures.</summary>
public sealed class FullRunTests
{
    static readonly FullRunEntry Counting = new()
    {
        Words = "ten-counting-threads",
        Processors = 2,
        Verdict = "healthy",
        Figures = [new("T0", "10", "11"), new("T1", "20", "21"), new("T2", "30 ██░░ ", "31"), new("took", "1 s", null)],
        Unexpected = ["a finding TPW004"],
    };

    [Fact]
    public void Without_a_run_nothing_is_said()
    {
        Assert.Empty(FullRunMarkdown.Write(ScenarioCatalogue.All, null));
        Assert.Empty(FullRunMarkdown.Write([], new FullRun("", [Counting])));
    }

    [Fact]
    public void Of_figures_that_differ_by_their_number_the_first_and_the_last_are_shown()
    {
        var text = FullRunMarkdown.Write(ScenarioCatalogue.All, new FullRun("a machine.", [Counting]));

        Assert.Contains("| `ten-counting-threads`, 2 | healthy | T0 | 10 | 11 |\n|  |  | T2 | 30 | 31 |\n|  |  | took | 1 s |  |\n",
            text, StringComparison.Ordinal);
        Assert.Contains("- `ten-counting-threads`: as in the article", text, StringComparison.Ordinal);
        Assert.Contains("other than expected: a finding TPW004", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_new_run_replaces_the_old_one_and_the_order_is_the_catalogues()
    {
        var older = Counting with { Verdict = "undecided" };
        var other = Counting with { Words = "pool-burst --min 100" };
        var gone = Counting with { Words = "no-such-scenario" };

        var full = new FullRun("", [older, gone]).With([other, Counting], ["pool-burst", "pool-burst --min 100", "ten-counting-threads"]);

        Assert.Equal(["pool-burst --min 100", "ten-counting-threads"], full.Runs.Select(run => run.Words));
        Assert.Equal("healthy", full.Runs[1].Verdict);
    }

    [Fact]
    public void Every_run_with_a_figure_of_the_article_has_a_reason_for_the_difference()
    {
        var file = Path.Combine(TestRecordings.Folder, "..", "..", "fixtures", FullRun.FileName);
        var known = ScenarioRow.All.Select(row => string.Join(' ', row.FullWords)).ToImmutableHashSet();

        Assert.All(FullRun.Read(file)?.Runs ?? [], run =>
        {
            Assert.Contains(run.Words, known);
            Assert.True(run.Figures.All(figure => figure.Article is null) || ArticleDifferences.Explains(run.Words), run.Words);
        });
    }
}
