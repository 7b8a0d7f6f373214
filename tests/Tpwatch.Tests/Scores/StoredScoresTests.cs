using System.Collections.Immutable;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Scoring.Recorded;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Stored;

namespace Tpwatch.Tests.Scores;

/// <summary>The stored runs scored by the engine as it is: what must be nought is, and the page says what came out.</summary>
public sealed class StoredScoresTests
{
    static readonly string Page = Path.Combine(TestRecordings.Folder, "..", "SCORES.md");

    [Fact]
    public async Task The_page_says_what_comes_out_now()
    {
        var runs = await Task.WhenAll(StoredRuns.Names.Select(StoredRuns.ReadAsync));
        var scores = (await Task.WhenAll(runs.Select(run => run.ScoreAsync()))).ToImmutableDictionary(score => score.Name);
        var page = File.ReadAllText(Page).ReplaceLineEndings("\n");
        var now = GeneratedPart.Replace(page, "recorded", RecordedScores.Section(runs, scores));
        if (Golden.IsAccepted)
        {
            File.WriteAllText(Page, now);
        }

        Assert.Equal(now, page);
    }

    [Fact]
    public async Task No_goal_is_missed_on_the_runs_of_a_machine_left_alone()
    {
        var runs = await Task.WhenAll(
            StoredRuns.Names.Where(name => !RunMatrix.Of(name).Loaded && !NotYetRight.Runs.ContainsKey(name)).Select(StoredRuns.ReadAsync));
        var scores = await Task.WhenAll(runs.Select(run => run.ScoreAsync()));

        Assert.Empty(
            ScoreBoard.Of(scores, quiet: true).Where(row => row.Met == false)
                .Select(row => $"{row.Measure}: {row.Measured}, {row.TargetThreads}"));
    }
}
