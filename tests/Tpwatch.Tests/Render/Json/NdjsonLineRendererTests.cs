using System.Text.Json;
using Tpwatch.Export;

namespace Tpwatch.Tests.Render.Json;

public sealed class NdjsonLineRendererTests
{
    readonly NdjsonLineRenderer renderer = new(showCommandLine: false);

    [Fact]
    public void Every_line_is_one_object_with_kind_schema_and_wall_clock()
    {
        var report = SampleReports.Starved();
        string[] lines = [renderer.Decision(report.InjectionDelays[0], report),
            renderer.Finding(report.Findings[0], report), renderer.Summary(report)];
        var documents = lines.Select(l => JsonDocument.Parse(l).RootElement).ToList();
        Assert.All(lines, l => Assert.DoesNotContain('\n', l));
        Assert.Equal(["decision", "finding", "summary"], documents.Select(d => d.GetProperty("kind").GetString()));
        Assert.All(documents, d => Assert.Equal("tpwatch-report/1", d.GetProperty("schema").GetString()));
        Assert.All(documents, d => Assert.EndsWith("Z", d.GetProperty("utc").GetString(), StringComparison.Ordinal));
    }

    [Fact]
    public void Lines_look_like_their_golden_file()
    {
        var report = SampleReports.Starved();
        Golden.Verify("Render/lines.ndjson", string.Join('\n', [
            .. report.InjectionDelays.TakeLast(2).Select(g => renderer.Decision(g, report)),
            renderer.Finding(report.Findings[0], report), renderer.Summary(report),
        ]) + "\n");
    }
}
