using System.Text.Json;
using Tpwatch.Core;
using Tpwatch.Tests.Render;
using Tpwatch.Text;

namespace Tpwatch.Tests.Verbs;

/// <summary><c>ps --check</c>: which of many is starved.</summary>
public sealed class ShortLookTests
{
    static readonly ProcessRow Other = new(7, "Worker", "8.0.11", "www-data", "/srv/Worker");
    static readonly ProcessRow Theirs = new(9, "Nightly", "10.0.1", "root", null, "Process 9 (Nightly) belongs to root.");

    [Fact]
    public async Task Each_that_can_be_attached_to_gets_a_verdict_and_is_left()
    {
        var engine = new FakeEngine { GoesOn = true, Processes = { Other, Theirs } };
        var run = await CommandRun.Of(engine, "ps", "--check", "2s");
        Assert.Equal(0, run.Code);
        var lines = run.Out.TrimEnd('\n').Split('\n');
        Assert.Equal(3, lines.Length);
        Assert.StartsWith("  pid  name      verdict  since             cause", lines[0], StringComparison.Ordinal);
        Assert.All(lines[1..], line => Assert.Contains("STARVED", line, StringComparison.Ordinal));
        Assert.Contains("attaching to 2 processes, 8 at a time, 2.0 s each: 2.0 s in all", run.Error, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("others that listen to 7 get samples", run.Error, StringComparison.Ordinal);
        Assert.Contains("Cannot watch 9 (Nightly)", run.Error, StringComparison.Ordinal);
        Assert.True(engine.Watch is { Stopped: true, Disposed: true });
    }

    [Fact]
    public void A_row_is_one_line_of_120_columns_or_of_the_terminal()
    {
        var name = new string('n', 200);
        var starved = SampleReports.SilentlyStarved() with { Findings = SampleReports.Starved().Findings };
        ProcessCheckResult[] rows = [new(new(7, name, "10.0.1", null, null), starved, null), new(Other, null, new string('x', 200))];
        foreach (var (width, most) in ((int?, int)[])[(null, 120), (80, 80)])
        {
            var lines = ProcessCheckRenderer.Render(rows, width).TrimEnd('\n').Split('\n');
            Assert.Equal(3, lines.Length);
            Assert.All(lines, line => Assert.InRange(line.Length, 1, most));
            Assert.Contains("SILENTLY STARVED  before 02:29:01Z", lines[1], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task The_json_says_the_same()
    {
        var run = await CommandRun.Of(new FakeEngine { GoesOn = true }, "ps", "--check", "1s", "--format", "json");
        var check = JsonDocument.Parse(run.Out).RootElement.GetProperty("processes")[0].GetProperty("check");
        Assert.Equal("starved", check.GetProperty("verdict").GetString());
        Assert.False(string.IsNullOrEmpty(check.GetProperty("headline").GetString()));
        Assert.Equal(JsonValueKind.Null, check.GetProperty("failure").ValueKind);
    }

    [Fact]
    public async Task One_that_cannot_be_looked_at_says_why_in_its_row_and_alone_it_is_code_1()
    {
        var engine = new FakeEngine { Refusal = new("it did not answer within 3 s", "try again", ExitCode.NoSession) };
        var run = await CommandRun.Of(engine, "ps", "--check", "1s");
        Assert.Equal(1, run.Code);
        Assert.Contains("not seen", run.Out, StringComparison.Ordinal);
        Assert.Contains("it did not answer within 3 s", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_check_nobody_is_attached_to_and_the_json_has_none()
    {
        var engine = new FakeEngine();
        var run = await CommandRun.Of(engine, "ps", "--format", "json");
        Assert.Null(engine.Watch);
        Assert.DoesNotContain("check", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_to_check_is_no_failure()
    {
        var engine = new FakeEngine();
        engine.Processes.Clear();
        Assert.Equal(0, (await CommandRun.Of(engine, "ps", "--check", "1s")).Code);
    }
}
