using System.Xml.Linq;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Verbs;

public sealed class FailOnTests
{
    [Theory]
    [InlineData("starvation", 10, "--fail-on starvation is met: The thread pool was starved for 25.9 s from 2026-11-21T02:29:01.600Z")]
    [InlineData("any", 10, "--fail-on any is met: TPW001 ")]
    [InlineData("SERIOUS", 10, "--fail-on serious is met: TPW001 ")]
    [InlineData("tpw001", 10, "--fail-on TPW001 is met: ")]
    [InlineData("TPW003", 0, "")]
    [InlineData("TPW019", 12, "--fail-on TPW019 cannot be answered: the check is undecided: request times")]
    [InlineData("gap>600ms", 10, "--fail-on gap>600ms is met: the longest wait for a worker thread was 1.0 s, more than 600 ms")]
    [InlineData("gap > 2s", 0, "")]
    [InlineData("queue-delay-p99>50ms", 12, "cannot be answered: tpwatch did not measure single items")]
    [InlineData("TPW003, TPW019,starved>1s", 10, "--fail-on TPW019 cannot be answered")]
    public async Task A_condition_gives_10_or_12_with_its_reason(string list, int code, string said)
    {
        foreach (var verb in (string[][])[["-p", "41822"], ["report", "-p", "41822"]])
        {
            var run = await CommandRun.Of([.. verb, "--fail-on", list]);
            Assert.Equal(code, run.Code);
            Assert.Contains(said, run.Error, StringComparison.Ordinal);
            Assert.Contains("STARVED", run.Out, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_replay_asks_as_well()
    {
        var run = await CommandRun.Of("replay", TestRecordings.File("trickle"), "--fail-on", "starvation");
        Assert.Equal(10, run.Code);
    }

    [Fact]
    public async Task What_was_found_counts_more_than_a_stream_that_broke_and_that_more_than_an_open_question()
    {
        Assert.Equal(10, (await With(SampleReports.Starved() with { End = SessionEnd.StreamBroken }, "starvation")).Code);
        Assert.Equal(2, (await With(SampleReports.Healthy() with { End = SessionEnd.StreamBroken }, "starvation")).Code);
    }

    [Fact]
    public async Task A_command_that_fails_by_itself_keeps_its_code_unless_a_condition_is_met()
    {
        var failing = new FakeEngine { ChildExit = 5 };
        Assert.Equal(10, (await CommandRun.Of(failing, "report", "--fail-on", "starvation", "--", "app")).Code);
        Assert.Equal(5, (await CommandRun.Of(failing, "report", "--fail-on", "TPW003", "--", "app")).Code);
    }

    [Theory]
    [InlineData("starvatoin", "'starvatoin' is not a condition of --fail-on", "did you mean 'starvation'?")]
    [InlineData("NAY", "'NAY' is not a condition of --fail-on", "did you mean 'any'?")]
    [InlineData("TPW099", "'TPW099' is not a condition of --fail-on", "did you mean 'TPW0")]
    [InlineData("nonsense", "'nonsense' is not a condition of --fail-on", "write starvation, any, warning, serious")]
    [InlineData("gap", "'gap' has no limit in --fail-on", "'gap>600ms'")]
    [InlineData("gap>fast", "'fast' is not a duration in --fail-on 'gap>fast'", "write 50ms, 1.5s or 1m")]
    [InlineData("backlog>1ms", "'1ms' is not a number in --fail-on 'backlog>1ms'", "write a whole number")]
    [InlineData("latency>5ms", "--fail-on cannot compare 'latency'", "choose one of gap, starved")]
    [InlineData(",", "--fail-on has no condition", "write starvation")]
    public async Task A_bad_list_is_one_sentence_and_a_hint(string list, string sentence, string hint)
    {
        var run = await CommandRun.Of("-p", "41822", "--fail-on", list);
        Assert.Equal(3, run.Code);
        Assert.Equal(2, run.ErrorLines.Length);
        Assert.Contains(sentence, run.ErrorLines[0], StringComparison.Ordinal);
        Assert.Contains(hint, run.ErrorLines[1], StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task Github_gets_its_page_on_standard_output_and_its_annotations_beside()
    {
        var run = await CommandRun.Of("-p", "41822", "--format", "github", "--fail-on", "starvation");
        Assert.Equal(10, run.Code);
        Assert.StartsWith("## STARVED, over: OrderApi\n", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("::error", run.Out, StringComparison.Ordinal);
        Assert.Contains("\n::error title=tpwatch --fail-on starvation is met::The thread pool was", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Junit_has_a_test_case_a_rule_and_nothing_before_it()
    {
        var run = await CommandRun.Of("report", "-p", "41822", "--format", "junit", "--fail-on", "TPW001,TPW003");
        var suites = XDocument.Parse(run.Out).Root!.Elements("testsuite").ToList();
        Assert.Equal(FindingCatalogue.Findings.Length, suites[0].Elements("testcase").Count());
        Assert.Equal(["TPW001", "TPW003"], suites[1].Elements("testcase").Select(c => (string?)c.Attribute("name")));
        Assert.Single(suites[1].Descendants("failure"));
    }

    static Task<CommandRun> With(PoolReport report, string list)
    {
        var engine = new FakeEngine();
        engine.Reports.Clear();
        engine.Reports.Add(report);
        return CommandRun.Of(engine, "report", "-p", "41822", "--fail-on", list);
    }
}
