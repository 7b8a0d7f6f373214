using System.Text.Json;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Render.Json;
using Tpwatch.Text;

namespace Tpwatch.Tests.Render;

/// <summary>Requests in text and in JSON.</summary>
public sealed class RequestSectionsTests
{
    static readonly PoolReport Report = RequestReports.Starved();

    [Fact]
    public void The_text_tells_the_route_that_lost_most_time_before_in_and_after() => Golden.Verify(
        "Render/requests.txt", string.Join('\n',
            [.. TextLayout.Lines(RequestsRenderer.Brief(Report), TextLayout.Width), "", .. RequestsRenderer.Lines(Report)]) + "\n");

    [Fact]
    public void The_document_and_the_summary_line_keep_to_their_schemas()
    {
        var json = JsonReportRenderer.Render(
            Report, new DateTime(2026, 11, 21, 3, 0, 0, DateTimeKind.Utc), "0.1.0", showCommandLine: false);
        Assert.Empty(Schemas.Errors(Schemas.Report, json));
        var line = new NdjsonLineRenderer(showCommandLine: false).Summary(Report);
        Assert.Empty(Schemas.Errors(Schemas.Lines, line));
        using var document = JsonDocument.Parse(json);
        var first = document.RootElement.GetProperty("requests").GetProperty("routes")[0];
        Assert.Equal("GET /orders/{n}", first.GetProperty("route").GetString());
        double Half(string part) => first.GetProperty(part).GetProperty("p50Ms").GetDouble();
        Assert.True(Half("during") > Half("before"));
    }
}
