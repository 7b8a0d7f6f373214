using System.Text.Json;
using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Render.Json;
using Tpwatch.Text;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Render;

/// <summary>Items and stacks in text and JSON.</summary>
public sealed class DeepSectionsTests
{
    static readonly PoolReport Report = DeepReports.Starved();

    [Fact]
    public void Waits_through_an_episode_are_starved_whenever_the_item_was_taken()
    {
        Assert.Equal((102L, 0L), (Report.QueueDelay!.Count, Report.QueueDelay.Unmatched));
        Assert.Equal((100L, 2L), (Report.Items!.HealthyDelay!.Count, Report.Items.StarvedDelay!.Count));
        // One waits on, in healthy time: it belongs to the healthy part, as a lower bound.
        Assert.Equal((0.2, 500.0), (Math.Round(Report.Items.HealthyDelay.P99Ms, 1), Report.Items.HealthyDelay.MaxMs));
        Assert.True(Report.Items.HealthyDelay.AtLeast.HasFlag(LowerBounds.Max));
        Assert.Equal((1, 500.0), (Report.Items.Waiting, Report.Items.OldestWaitMs));
        Assert.Equal(102, Report.QueueDelay.Buckets.Sum(b => b.Count));
    }

    [Fact]
    public void The_slowest_items_name_the_injection_that_freed_them()
    {
        var delay = SampleReports.GateCheck(25);
        Assert.Equal([26_905.0, 25_005], Report.Items!.Slowest.Take(2).Select(s => s.WaitMs));
        Assert.Equal([null, delay.Number], Report.Items.Slowest.Take(2).Select(s => s.FreedBy));
        Assert.Equal(2000, Report.Items.Slowest[1].RunMs);
    }

    [Fact]
    public void The_document_keeps_to_the_schema_and_says_what_was_on()
    {
        var json = JsonReportRenderer.Render(
            Report, new DateTime(2026, 11, 21, 3, 0, 0, DateTimeKind.Utc), "0.1.0", showCommandLine: false);
        using var document = JsonDocument.Parse(json);
        Assert.Equal("stacks", document.RootElement.GetProperty("capture").GetProperty("depth").GetString());
        Assert.Equal("lock", document.RootElement.GetProperty("blockers")[0].GetProperty("kind").GetString());
        Assert.Equal(2, document.RootElement.GetProperty("queueDelay").GetProperty("starved").GetProperty("count").GetInt32());
        Assert.Empty(Schemas.Errors(Schemas.Report, json));
    }

    [Fact]
    public void The_text_says_who_holds_the_workers_and_how_long_items_waited()
    {
        var text = TextReportRenderer.Render(Report, TimeStyle.Elapsed, showCommandLine: false);
        var flowing = string.Join(' ', text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains("Orders.Load > Monitor.Enter (lock), at most 4 worker threads", flowing, StringComparison.Ordinal);
        Assert.Contains("held by thread 3, a worker thread, in Orders.Load > Thread.Sleep", flowing, StringComparison.Ordinal);
        Assert.Contains("  queue time", text, StringComparison.Ordinal);
        Assert.Contains("started by thread injection #25 (Starvation)", flowing, StringComparison.Ordinal);
        Assert.All(text.Split('\n'), line => Assert.InRange(line.Length, 0, 100));
    }

    [Fact]
    public void Findings_name_the_call_and_the_percentiles()
    {
        var judged = FindingRuleSet.Ask(Report);
        var starvation = judged.Findings.Single(f => f.Id == "TPW001");
        Assert.Contains(
            starvation.Evidence, e => e.Text.Contains("Orders.Load > Monitor.Enter", StringComparison.Ordinal) && e.Value == 100);
        Assert.Contains(starvation.Evidence, e => e.Text == "Longest queue time" && e.Value == 26_905);
        var waiting = Report with { Items = null, QueueDelay = Report.QueueDelay! with { AtLeast = LowerBounds.Max } };
        Assert.Contains(FindingRuleSet.Ask(waiting).Findings.Single(f => f.Id == "TPW001").Evidence,
            e => EvidenceText.Of(e).StartsWith("Longest queue time: at least ", StringComparison.Ordinal));
        Assert.StartsWith("Hold the lock for a shorter time", starvation.Remedies[0].Text, StringComparison.Ordinal);
    }
}
