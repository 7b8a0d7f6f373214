using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Text;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Render.Text;

/// <summary>The report to act on fits on a screen, whatever was recorded, and speaks of one cause.</summary>
public sealed class ShortReportTests
{
    /// <summary>What somebody reads before acting.</summary>
    const int MostLines = 25;

    /// <summary>Its next step, a command, takes a line or two.</summary>
    const int MostOfAHealthyOne = 9;

    [Fact]
    public async Task No_recording_takes_more_lines_than_one_reads_and_none_is_cut()
    {
        foreach (var name in TestRecordings.All)
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            var lines = Lines(report);
            var most = report.Verdict == Verdict.Healthy ? MostOfAHealthyOne : MostLines;
            Assert.True(lines.Length <= most, $"{name}: {lines.Length} lines");
            Assert.All(lines, line => Assert.True(line.Length <= 100, $"{name}: {line}"));
            Assert.StartsWith(VerdictWords.Of(report.Verdict), lines[0], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Who_is_starved_is_told_what_to_do_in_the_second_sentence()
    {
        foreach (var name in TestRecordings.All)
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            if (report.Verdict.IsTrouble())
                Assert.Contains(Lines(report)[1..3], line => line.StartsWith("  do  ", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task An_empty_queue_is_not_told_as_starvation_now()
    {
        var lines = Lines(await TestRecordings.ReplayAsync(TestRecordings.File("capped-blocking.net8")));
        Assert.StartsWith("SILENTLY STARVED for 10.0 s, queue empty now: ", lines[0], StringComparison.Ordinal);
        Assert.Contains(lines, line => line.StartsWith("  queue       0 work items now, ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_duration_of_hung_work_is_said_once_and_nothing_of_what_was_before()
    {
        var lines = Lines(await TestRecordings.ReplayAsync(TestRecordings.File("held")));
        Assert.StartsWith("HELD, now for 13.0 s: ", lines[0], StringComparison.Ordinal);
        Assert.Contains(lines, line => line.StartsWith("  since ", StringComparison.Ordinal)
            && line.EndsWith("9.3 s into the 22.3 s watched", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, line => line.Contains("waited at least", StringComparison.Ordinal));
    }

    [Fact]
    public void Where_stacks_were_taken_the_call_stands_in_the_first_line_and_its_share_is_said_once_there()
    {
        var lines = Lines(DeepReports.Starved());
        Golden.Verify("Render/short-deep.txt", string.Join('\n', lines) + "\n");
        Assert.Equal("STARVED for 25.9 s, over now: 4 worker threads blocked in Shop.Orders.Load (lock).", lines[0]);
        Assert.Single(lines, line => line.StartsWith("  blocked in", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, line => line.Contains("--depth stacks", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_whole_report_says_no_evidence_and_no_remedy_twice()
    {
        foreach (var name in TestRecordings.All)
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            var told = FindingRenderer.Lines(report).Where(line => line.StartsWith("    - ", StringComparison.Ordinal)).ToArray();
            Assert.Equal(told.Distinct(), told);
        }
    }

    static string[] Lines(PoolReport report) =>
        ShortReportRenderer.Render(report, TimeStyle.Utc, showCommandLine: false).TrimEnd('\n').Split('\n');
}
