using System.Text.Json;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Stacks;
using Tpwatch.Tests.Render.Json;
using Tpwatch.Tests.Stacks;
using Tpwatch.Text;
using Tpwatch.Wording;
using HtmlSection = Tpwatch.Export.InsideHtml;

namespace Tpwatch.Tests.Render;

/// <summary>A reading of the memory in text, JSON, HTML and on the screen.</summary>
public sealed class InsideSectionsTests
{
    static readonly DateTime Now = new(2026, 11, 21, 3, 0, 0, DateTimeKind.Utc);

    static readonly PoolReport Report = Deepened.WithStacks(
        SampleReports.Starved() with { Depth = CaptureDepth.Inside }, StacksSeen.None.WithReading(SomeInside.Starved()));

    [Fact]
    public void The_short_report_has_at_most_three_lines_of_it()
    {
        var lines = InsideRenderer.Short(Report).ToArray();

        Assert.Equal(["waits for", "", "in queue"], lines.Select(l => l.Label));
        Assert.Contains("Task.Delay, due for 4.1 s: its callback waits for a worker thread", lines[0].Text, StringComparison.Ordinal);
        Assert.Contains("async OrderImporter.ImportAsync", lines[2].Text, StringComparison.Ordinal);
        Assert.Contains("waits for", ShortReportRenderer.Render(Report, TimeStyle.Elapsed, false), StringComparison.Ordinal);
        var one = Report with { Inside = Report.Inside! with { Waits = [Report.Inside!.Waits[0]] } };
        Assert.Equal(["waits for", "in queue", "limits"], InsideRenderer.Short(one).Select(l => l.Label));
        Assert.Empty(InsideRenderer.Short(Report with { Inside = null }));
    }

    [Fact]
    public void The_whole_report_has_all_of_it() => Golden.Verify(
        "inside.txt", string.Join('\n', InsideRenderer.Lines(Report, TimeStyle.Elapsed)) + "\n");

    [Fact]
    public void The_document_keeps_to_the_schema()
    {
        var json = JsonReportRenderer.Render(Report, Now, "0.1.0", showCommandLine: false);
        using var document = JsonDocument.Parse(json);
        var inside = document.RootElement.GetProperty("inside");

        Assert.Equal("inside", document.RootElement.GetProperty("capture").GetProperty("depth").GetString());
        Assert.Equal(5042, inside.GetProperty("queue").GetProperty("total").GetInt64());
        Assert.Equal("dueTimer", inside.GetProperty("waits")[0].GetProperty("end").GetString());
        Assert.Equal("locks", inside.GetProperty("unknown")[0].GetProperty("part").GetString());
        Assert.True(document.RootElement.GetProperty("bursts").GetProperty("taken")[0].GetProperty("reading").GetBoolean());
        Assert.Empty(Schemas.Errors(Schemas.Report, json));
        var none = JsonReportRenderer.Render(Report with { Inside = Nothing }, Now, "0.1.0", showCommandLine: false);
        Assert.Empty(Schemas.Errors(Schemas.Report, none));
    }

    [Fact]
    public void The_page_has_a_section_of_it_and_none_without()
    {
        var page = HtmlSection.Of(Report).Source;

        Assert.Contains("waits for PriceAsync &gt; Task.Delay, due for 4.1 s", page, StringComparison.Ordinal);
        Assert.Contains("SocketAsyncEngine (38 inside)", page, StringComparison.Ordinal);
        Assert.Equal("", HtmlSection.Of(Report with { Inside = null }).Source);
        Assert.DoesNotContain("<ol>", HtmlSection.Of(Report with { Inside = Nothing }).Source, StringComparison.Ordinal);
    }

    [Fact]
    public void The_screen_lists_waits_and_the_queue()
    {
        var lines = InsideText.Lines(Report, 200).Select(l => l.Text).ToArray();

        Assert.StartsWith("Waits for  5 worker threads: Baskets.Total", lines[0], StringComparison.Ordinal);
        Assert.Contains(lines, l => l.StartsWith("In queue   ", StringComparison.Ordinal));
        Assert.Empty(InsideText.Lines(Report with { Inside = null }, 200));
    }

    [Fact]
    public void What_was_read_paused_nothing()
    {
        Assert.Equal("1 reading of the memory", Phrases.Taken(Report.Bursts!));
        Assert.Contains("the process was not paused", string.Join('\n', BlockersRenderer.Lines(Report)), StringComparison.Ordinal);
    }

    static InsideReading Nothing => new() { At = SampleReports.At(12_000), Unknown = [new(InsidePart.All, "The process ended.")] };
}
