namespace Tpwatch.LiveTests.Packaging;

/// <summary>What the tally says of results, complete and not; a build is red or green by it.</summary>
public sealed class TallyTests(TallyFolder folder) : IClassFixture<TallyFolder>
{
    /// <summary>The first of them builds the program, beside everything else that runs.</summary>
    const int LimitMs = 240_000;

    static readonly TallyRun Fast = new("Some.Tests", ["Passed", "Passed"], "Completed");
    static readonly TallyRun Live = new("Some.LiveTests", ["Passed"], "Completed");

    [Fact(Timeout = LimitMs)]
    public async Task All_there_and_all_passed_is_green()
    {
        folder.Begin("", Fast, Live);
        var (exit, lines) = await TallyAsync();
        Assert.Equal((0, "3 passed, 0 failed"), (exit, lines[^1]));
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_failure_is_red_and_named()
    {
        folder.Begin("", Fast, Live with { Outcomes = ["Failed", "Passed"], Summary = "Failed" });
        var (exit, lines) = await TallyAsync();
        Assert.Equal((1, "3 passed, 1 failed"), (exit, lines[^1]));
        Assert.Contains("failed: T0: ", lines);
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_project_without_results_is_red_and_named()
    {
        folder.Begin("", Fast);
        var (exit, lines) = await TallyAsync();
        Assert.Equal((1, "2 passed, 0 failed"), (exit, lines[^1]));
        Assert.Equal("missing: no results of Some.LiveTests in artifacts/tests", lines[^2]);
    }

    [Fact(Timeout = LimitMs)]
    public async Task No_results_at_all_are_red()
    {
        folder.Begin("");
        var (exit, lines) = await TallyAsync();
        Assert.Equal((1, "0 passed, 0 failed"), (exit, lines[^1]));
        Assert.Equal(2, lines.Count(line => line.StartsWith("missing: ", StringComparison.Ordinal)));
    }

    [Fact(Timeout = LimitMs)]
    public async Task A_run_that_ended_before_its_tests_is_red()
    {
        folder.Begin("", Fast, Live with { Summary = "Failed" });
        var (exit, lines) = await TallyAsync();
        Assert.Equal((1, "3 passed, 0 failed"), (exit, lines[^1]));
        Assert.Equal("missing: Some.LiveTests.trx was broken off before all tests had run", lines[^2]);
    }

    /// <summary>On a build machine; elsewhere a skip is no failure.</summary>
    [Fact(Timeout = LimitMs)]
    public async Task A_skip_is_red_and_what_runs_only_when_asked_for_is_not()
    {
        folder.Begin("", Fast, Live with { Outcomes = ["Passed", "NotExecuted"] });
        var (exit, lines) = await TallyAsync(isBuildMachine: true);
        Assert.Equal((0, "left out: 1 that run only when asked for", "3 passed, 0 failed"), (exit, lines[^2], lines[^1]));

        folder.Begin("", Fast, Live with { Outcomes = ["Passed", "NotExecuted:no tmux"] });
        (exit, lines) = await TallyAsync(isBuildMachine: true);
        Assert.Equal((1, "3 passed, 0 failed, 1 skipped"), (exit, lines[^1]));
        Assert.Contains("skipped: T1: no tmux", lines);
        Assert.Equal(0, (await TallyAsync()).Exit);
    }

    [Theory(Timeout = LimitMs)]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(3, 1)]
    public async Task Void_rows_are_counted_and_more_than_two_are_red(int rows, int code)
    {
        folder.Begin(string.Concat(Enumerable.Range(1, rows).Select(n => $"row {n}: the machine stood still\n")), Fast, Live);
        var (exit, lines) = await TallyAsync();
        Assert.Equal((code, "3 passed, 0 failed"), (exit, lines[^1]));
        Assert.Equal($"void: {rows} in all, at most 2", lines[^2]);
        Assert.Contains($"void: row {rows}: the machine stood still", lines);
    }

    Task<(int Exit, string[] Lines)> TallyAsync(bool isBuildMachine = false) =>
        folder.TallyAsync(TestContext.Current.CancellationToken, isBuildMachine);
}
