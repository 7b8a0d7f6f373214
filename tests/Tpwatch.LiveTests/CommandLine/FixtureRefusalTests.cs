using Tpwatch.Lab;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>A fixture that cannot do what it was asked for says so and does nothing: one sentence, one hint, code 3.</summary>
public sealed class FixtureRefusalTests
{
    const int TestLimit = 60_000;

    [Theory(Timeout = TestLimit)]
    [InlineData("", "No scenario was named")]
    [InlineData("no-such-scenario", "There is no scenario 'no-such-scenario'")]
    [InlineData("list --html", "'list' does not know '--html'")]
    [InlineData("pool-burst --itmes 5", "--itmes")]
    [InlineData("pool-burst --items five", "five")]
    [InlineData("pool-burst --items 0", "--items")]
    [InlineData("pool-burst --items", "--items")]
    [InlineData("configured-min --set-by machine.config", "machine.config")]
    [InlineData("trickle --arrival 300 --every 200", "Items would not arrive faster")]
    [InlineData("suspended --seconds 5", "The run would be over")]
    public async Task What_it_cannot_take(string words, string sentence) =>
        Refused(await RunAsync(BuiltPrograms.Fixtures, words), sentence);

    [Theory(Timeout = TestLimit)]
    [InlineData("steady --truth /no/such/folder/truth.ndjson")]
    [InlineData("steady --processors 4 --truth /no/such/folder/truth.ndjson")]
    [InlineData("steady --truth /proc/truth.ndjson")]
    public async Task A_truth_file_that_cannot_be_written_is_told_before_anything_runs(string words) =>
        Refused(await RunAsync(BuiltPrograms.Fixtures, words), "truth");

    [Theory(Timeout = TestLimit)]
    [InlineData("capped-blocking --max 4 --processors 8", "The pool did not take max 4: it has min 8 and max")]
    [InlineData("deadlock --max 4 --processors 8", "The pool did not take max 4: it has min 8 and max")]
    [InlineData("twenty-threads --min 30", "The pool did not take m")]
    [InlineData("configured-min --set-by call --max 8 --workers 16 --processors 4 --min 4", "The pool did not take min 16")]
    public async Task A_limit_that_the_runtime_refuses_is_not_pretended(string words, string sentence) =>
        Refused(await RunAsync(BuiltPrograms.Fixtures, words), sentence);

    [Fact(Timeout = TestLimit)]
    public async Task A_limit_that_is_beside_the_scenarios_point_is_told_as_refused_and_the_run_goes_on()
    {
        var run = await RunAsync(BuiltPrograms.Fixtures, "pool-burst --items 2 --hold 10 --processors 8 --max 1");
        Assert.True(run.Code == 0, run.Error);
        Assert.Contains("SetMaxThreads(1, 1000)", run.Out, StringComparison.Ordinal);
        Assert.Contains("refused", run.Out, StringComparison.OrdinalIgnoreCase);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("no-such-scenario", "There is no scenario 'no-such-scenario'")]
    [InlineData("web-async --callers none", "none")]
    [InlineData("web-async --truth /no/such/folder/truth.ndjson", "truth")]
    public async Task The_web_ones_refuse_alike(string words, string sentence) =>
        Refused(await RunAsync(BuiltPrograms.Web, words), sentence);

    static Task<ToolRun> RunAsync(string program, string words) =>
        ToolRun.Program(BuiltPrograms.Host, ["exec", program, .. words.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);

    static void Refused(ToolRun run, string word)
    {
        var lines = run.Error.TrimEnd('\n').Split('\n');
        Assert.True(run.Code == 3, $"code {run.Code} instead of 3:\n{run.Error}{run.Out}");
        Assert.Equal(2, lines.Length);
        Assert.StartsWith("fixtures: ", lines[0], StringComparison.Ordinal);
        Assert.Contains(word, lines[0], StringComparison.OrdinalIgnoreCase);
        Assert.StartsWith("hint: ", lines[1], StringComparison.Ordinal);
        Assert.DoesNotContain("READY", run.Out, StringComparison.Ordinal);
    }
}
