namespace Tpwatch.LiveTests.CommandLine;

/// <summary>Arguments, files and outputs that are wrong, as a shell would give them.</summary>
public sealed class WrongArgumentsTests
{
    const int TestLimit = 90_000;

    [Theory(Timeout = TestLimit)]
    [InlineData("-p abc", "'abc' is not a valid number")]
    [InlineData("-p 1 -n x", "two targets")]
    [InlineData("reprot", "no command 'reprot'")]
    [InlineData("", "no process was named")]
    [InlineData("replay no-such-file", "no file")]
    [InlineData("report no-such-file", "no file")]
    [InlineData("demo no-such-scenario", "no-such-scenario")]
    public async Task Mistakes_are_code_3(string words, string word) =>
        (await ToolRun.Of(words.Split(' ', StringSplitOptions.RemoveEmptyEntries))).IsFailure(3, word);

    [Theory(Timeout = TestLimit)]
    [InlineData("--help")]
    [InlineData("ps")]
    [InlineData("ps --format json")]
    public async Task A_full_disk_is_told(string words)
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "needs /dev/full");
        var run = await ToolRun.Shell($"T {words} > /dev/full");
        Assert.Equal(3, run.Code);
        Assert.Contains(
            "tpwatch: Cannot write to standard output: No space left on device.\n  ", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("ps --show-command-line")]
    [InlineData("--help")]
    public async Task A_reader_that_has_gone_is_no_failure(string words)
    {
        // The reader closes the pipe before the tool writes.
        var run = await ToolRun.Shell($"{{ sleep 1; T {words}; echo code $? >&2; }} | true");
        Assert.Contains("code 0\n", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("bug", run.Error, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Output_is_appended_where_others_write_too()
    {
        var run = await ToolRun.Shell("F=$(mktemp); { echo before; T --version; echo after; } > $F; cat $F; rm $F");
        var lines = run.Out.TrimEnd('\n').Split('\n');
        Assert.Equal(3, lines.Length);
        Assert.Equal(("before", "after"), (lines[0], lines[2]));
    }
}
