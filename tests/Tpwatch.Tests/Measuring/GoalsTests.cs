using Tpwatch.Lab.Figures;

namespace Tpwatch.Tests.Measuring;

/// <summary>A command that measures ends with 1 when a goal that it prints is missed, and says which.</summary>
public sealed class GoalsTests
{
    [Theory]
    [InlineData(4.9, 0)]
    [InlineData(5.0, 0)]
    [InlineData(5.1, 1)]
    [InlineData(double.NaN, 1)]
    public void At_most_is_missed_by_more_and_by_nothing(double measured, int code) =>
        Assert.Equal(code, new Goals().AtMost("ms", measured, 5).ExitCode);

    [Theory]
    [InlineData(0.99, 0)]
    [InlineData(0.98, 0)]
    [InlineData(0.97, 1)]
    [InlineData(double.NaN, 1)]
    public void At_least_is_missed_by_less_and_by_nothing(double measured, int code) =>
        Assert.Equal(code, new Goals().AtLeast("share", measured, 0.98).ExitCode);

    [Fact]
    public void One_missed_of_many_is_enough_and_is_named()
    {
        var goals = new Goals().AtMost("first", 1, 2).AtMost("second", 7.25, 5).Add("third", met: true);
        Assert.Equal(1, goals.ExitCode);
        Assert.Equal(["missed: second: 7.25, at most 5"], goals.Missed);
    }

    [Fact]
    public void Without_goals_nothing_is_missed() => Assert.Equal(0, new Goals().ExitCode);

    [Fact]
    public void Of_the_scores_every_row_with_a_goal_counts_and_no_other()
    {
        ScoreRow[] met = [ScoreRow.AtLeast("a", 0.9, new(9, 10)), ScoreRow.Without("b", "1 %"), ScoreRow.Zero("c", 0, "3 runs")];
        Assert.Equal(0, ScoreRow.GoalsOf(met).ExitCode);
        var goals = ScoreRow.GoalsOf([.. met, ScoreRow.Zero("wrong verdicts", 1, "3 runs")]);
        Assert.Equal((1, "missed: wrong verdicts: 1 of 3 runs, goal 0"), (goals.ExitCode, goals.Missed.Single()));
    }

    [Theory]
    [InlineData(0.99, 0.81, 0)]
    [InlineData(0.97, 0.81, 1)]
    [InlineData(0.99, 0.79, 1)]
    public void A_price_above_its_goal_is_missed(double basic, double items, int code) =>
        Assert.Equal(code, PricePage.GoalsOf(new(new([basic]), new([items]), new([1]), 250_000)).ExitCode);

    [Theory]
    [InlineData(11_999_000, 0)]
    [InlineData(12_001_000, 1)]
    public void A_package_above_its_budget_is_missed(long bytes, int code) => Assert.Equal(code, ArtifactsPage.GoalsOf(bytes).ExitCode);

    [Fact]
    public void A_late_line_and_no_line_at_all_are_missed()
    {
        Assert.Equal(0, LatencyPage.GoalsOf([("Starvation", new([100, 105]))]).ExitCode);
        Assert.Equal(1, LatencyPage.GoalsOf([("Starvation", new([100, 130]))]).ExitCode);
        Assert.Equal(1, LatencyPage.GoalsOf([]).ExitCode);
    }
}
