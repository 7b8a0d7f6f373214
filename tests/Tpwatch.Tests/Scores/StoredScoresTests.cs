using System.Collections.Immutable;
using Tpwatch.Lab.Scores;
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

    /// <summary>Beside a neighbour two are, of 22 and 18 moments: too few to tell them from half.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true, "moments at which the start delay was nearer than by that rate",
        "moments at which it was nearer than the constant answer")]
    public async Task No_other_goal_is_missed(bool loaded, params string[] missed)
    {
        var runs = await Task.WhenAll(StoredRuns.Names.Where(name => RunMatrix.Of(name).Loaded == loaded).Select(StoredRuns.ReadAsync));
        var scores = await Task.WhenAll(runs.Select(run => run.ScoreAsync()));

        Assert.Equal(missed, ScoreBoard.Of(scores, quiet: !loaded).Where(row => row.Met == false).Select(row => row.Measure));
    }
}
