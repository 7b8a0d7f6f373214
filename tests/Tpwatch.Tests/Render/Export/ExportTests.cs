using System.Text.Json;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Render.Json;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Structure;
using Tpwatch.Tests.Verbs;

namespace Tpwatch.Tests.Render.Export;

public sealed class ExportTests
{
    public static TheoryData<string> Recorded => ["pool-burst", "sync-over-async", "trickle", "oscillation", "mixed-blocking", "suspended"];

    /// <summary>The phases that we use, and what the format asks of each.</summary>
    static readonly Dictionary<string, string[]> Asked =
        new() { ["M"] = ["args"], ["C"] = ["args"], ["X"] = ["dur", "args"], ["i"] = ["s", "args"] };

    [Theory]
    [MemberData(nameof(Recorded))]
    public async Task A_trace_keeps_to_its_format_and_holds_every_gap_tick_and_finding(string name)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        using var document = JsonDocument.Parse(ChromeTraceRenderer.Render(report, "0.0.0"));
        var events = document.RootElement.GetProperty("traceEvents").EnumerateArray().ToList();
        foreach (var e in events)
        {
            var phase = Text(e, "ph");
            Assert.All((string[])["name", "pid", "tid", "ts", .. Asked[phase]],
                field => Assert.True(e.TryGetProperty(field, out _), $"{phase} lacks {field}"));
            Assert.True(
                phase == "M" || e.GetProperty("ts").GetDouble() >= 0
                    || report.Timeline.Start > report.InjectionDelays[0].Start, e.GetRawText());
        }

        var rows = events.Where(e => Text(e, "ph") == "X").GroupBy(e => e.GetProperty("tid").GetInt32());
        Assert.All(rows, row => Assert.False(Overlap(row), "slices of a row overlap"));
        Assert.Equal(report.InjectionDelays.Select(g => g.Number).Order(),
            events.Where(e => e.TryGetProperty("args", out var a) && a.TryGetProperty("number", out _))
                .Select(e => e.GetProperty("args").GetProperty("number").GetInt32()).Order());
        Assert.Equal(report.InjectionDelays.Sum(g => g.Ticks.Length), events.Count(e => Text(e, "name") is "looks" or "adds one"));
        Assert.All(report.Findings, f => Assert.Contains(events, e => Text(e, "name").StartsWith(f.Id, StringComparison.Ordinal)));
        Assert.Superset(new HashSet<string> { "workers", "goal", "backlog" },
            events.Where(e => Text(e, "ph") == "C").Select(e => Text(e, "name")).ToHashSet());
    }

    [Fact]
    public void Stretches_that_overlap_get_rows_of_their_own()
    {
        (int From, int To)[] spans = [(0, 10), (5, 15), (10, 20), (12, 13), (15, 16)];
        var rows = TraceRowLayout.Of(spans, s => new(SampleReports.At(s.From), SampleReports.At(s.To))).Select(r => (r.Item.From, r.Row));
        Assert.Equal([(0, 0), (5, 1), (10, 0), (12, 2), (15, 1)], rows);
    }

    [Fact]
    public async Task A_table_of_gaps_has_a_row_a_gap_and_as_many_cells_as_its_header()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst"));
        var rows = Csv(CsvRenderer.InjectionDelays(report));
        Assert.Equal(report.InjectionDelays.Length + 1, rows.Count);
        Assert.All(rows, row => Assert.Equal(rows[0].Count, row.Count));
        Assert.Equal(report.InjectionDelays[^1].Because, rows[^1][rows[0].IndexOf("because")]);
        Assert.Equal("G1", rows[^1][rows[0].IndexOf("rule")]);
    }

    [Fact]
    public void What_is_not_known_is_an_empty_cell_and_a_comma_or_a_quote_breaks_nothing()
    {
        var report = SampleReports.Damaged();
        var hostile = report with { InjectionDelays = [report.InjectionDelays[0] with { Because = "a, \"b\"\nc" }] };
        var row = Csv(CsvRenderer.InjectionDelays(hostile))[1];
        Assert.Equal("a, \"b\" c", row[^1]);
        Assert.Equal(("", ""), (row[1], row[7]));
        Assert.All(Csv(CsvRenderer.Series(report)).Skip(1), cells => Assert.Equal(["", "", "", "", ""], cells[2..]));
    }

    [Fact]
    public void A_flame_graph_keeps_to_the_schema_of_speedscope_and_weighs_each_blocker()
    {
        var text = SpeedscopeRenderer.Render(Blocked(), "0.0.0");
        using var schema = JsonDocument.Parse(
            File.ReadAllText(Path.Combine(SourceTree.Root, "tests", "Tpwatch.Tests", "Render", "Export", "speedscope.schema.json")));
        using var document = JsonDocument.Parse(text);
        Assert.Empty(new SchemaValidator(schema.RootElement).Validate(document.RootElement));
        Golden.Verify("Render/blockers.speedscope.json", text);
        var profile = document.RootElement.GetProperty("profiles")[0];
        var frames = document.RootElement.GetProperty("shared").GetProperty("frames")
            .EnumerateArray().Select(f => f.GetProperty("name").GetString()).ToList();
        var outermostFirst = profile.GetProperty("samples")[0].EnumerateArray().Select(i => frames[i.GetInt32()]);
        Assert.Equal(["Main", "Cache.Get", "Monitor.Enter"], outermostFirst);
        Assert.Equal([62.5, 25], profile.GetProperty("weights").EnumerateArray().Select(w => w.GetDouble()));
        Assert.Equal(87.5, profile.GetProperty("endValue").GetDouble());
        Assert.NotEmpty(new SchemaValidator(schema.RootElement).Validate(
            JsonDocument.Parse(text.Replace("\"sampled\"", "\"simple\"", StringComparison.Ordinal)).RootElement));
    }

    [Fact]
    public async Task Without_stacks_there_is_a_sentence_instead_of_an_empty_graph()
    {
        var run = await CommandRun.Of("report", "-p", "41822", "--format", "speedscope");
        Assert.Equal(3, run.Code);
        Assert.Contains("no stacks were taken", run.Error, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("--depth stacks", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Out);
    }

    [Theory]
    [InlineData("perfetto", "{\"displayTimeUnit\"")]
    [InlineData("csv", "ms,utc,workers")]
    [InlineData("csv-gaps", "number,startMs")]
    [InlineData("svg", "<svg ")]
    [InlineData("html", "<!doctype html>")]
    public async Task The_verb_writes_each_of_them(string format, string begins)
    {
        var run = await CommandRun.Of("report", "-p", "41822", "--format", format);
        Assert.Equal(0, run.Code);
        Assert.StartsWith(begins, run.Out, StringComparison.Ordinal);
    }

    static PoolReport Blocked() => SampleReports.Starved() with
    {
        Blockers =
        [
            new("Cache.Get", 0.625, 10, BlockKind.Lock, ["Monitor.Enter", "Cache.Get", "Main"]),
            new("Db.Load", 0.25, 4, BlockKind.Io, ["Socket.Receive", "Db.Load", "Main"]),
        ],
    };

    // Twice the same edge is no overlap; times are rounded to a nanosecond.
    static bool Overlap(IEnumerable<JsonElement> row)
    {
        var end = double.NegativeInfinity;
        foreach (var (ts, dur) in row.Select(e => (Ts: e.GetProperty("ts").GetDouble(), Dur: e.GetProperty("dur").GetDouble()))
            .OrderBy(e => e.Ts))
        {
            if (ts < end - 0.002)
            {
                return true;
            }

            end = ts + dur;
        }

        return false;
    }

    static string Text(JsonElement e, string field) => e.GetProperty(field).GetString()!;

    // As a spreadsheet reads it.
    static List<List<string>> Csv(string text)
    {
        var rows = new List<List<string>> { new() { "" } };
        var quoted = false;
        foreach (var c in text)
        {
            if (c == '"')
            {
                // A doubled quote closes and opens again.
                rows[^1][^1] += !quoted && rows[^1][^1].Length > 0 ? "\"" : "";
                quoted = !quoted;
            }
            else if (!quoted && c == ',')
            {
                rows[^1].Add("");
            }
            else if (!quoted && c == '\n')
            {
                rows.Add([""]);
            }
            else
            {
                rows[^1][^1] += c;
            }
        }

        return rows[..^1];
    }
}
