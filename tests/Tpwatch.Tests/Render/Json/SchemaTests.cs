using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Render.Json;

/// <summary>Every document that can be made of a recording keeps to its schema, and each schema notices a breach.</summary>
public sealed class SchemaTests
{
    /// <summary>One run a row of the catalogues: on other runtimes and under load the documents have no other parts.</summary>
    public static TheoryData<string> All => [.. TestRecordings.All.Where(name => !name.Contains('.', StringComparison.Ordinal))];

    public static TheoryData<string> GoldenReports => [.. Directory.GetFiles(Expected, "*.json", SearchOption.AllDirectories)
        .Where(f => !Path.GetFileName(f).StartsWith("whatif", StringComparison.Ordinal)
            && !f.Contains(".speedscope.", StringComparison.Ordinal) && !f.Contains(".received", StringComparison.Ordinal))
        .Select(f => Path.GetRelativePath(Expected, f))
        .Where(f => f.StartsWith("Re", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    static string Expected => Path.Combine(Path.GetDirectoryName(TestRecordings.Folder)!, "Tpwatch.Tests", "Expected");

    [Theory]
    [MemberData(nameof(All))]
    public async Task Every_recording_gives_documents_that_keep_to_their_schemas(string name)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        var answers = StandardWhatIfs.Answers(report, new EstimatedItems());
        Assert.Empty(Schemas.Errors(Schemas.Report, TestRecordings.Json(StandardWhatIfs.AddTo(report, answers))));
        Assert.All(Lines(report), line => Assert.Empty(Schemas.Errors(Schemas.Lines, line)));
        Assert.All(answers, answer => Assert.Empty(Schemas.Errors(Schemas.WhatIf, WhatIf(report, answer))));
    }

    [Theory]
    [MemberData(nameof(GoldenReports))]
    public void Every_golden_report_keeps_to_its_schema(string file) =>
        Assert.Empty(Schemas.Errors(Schemas.Report, File.ReadAllText(Path.Combine(Expected, file))));

    [Fact]
    public void The_golden_answer_and_lines_keep_to_their_schemas()
    {
        Assert.Empty(Schemas.Errors(Schemas.WhatIf, File.ReadAllText(Path.Combine(Expected, "Render", "whatif-pool-burst.json"))));
        Assert.All(
            File.ReadAllLines(Path.Combine(Expected, "Render", "lines.ndjson")), line => Assert.Empty(Schemas.Errors(Schemas.Lines, line)));
    }

    [Theory]
    [InlineData("\"kind\":\"finding\"", "\"kind\":\"found\"")]
    [InlineData("\"headline\":", "\"headLine\":")]
    [InlineData("\"severity\":\"serious\"", "\"severity\":\"grave\"")]
    public void The_schema_of_lines_notices_what_is_wrong(string right, string wrong)
    {
        var line = Lines(SampleReports.Starved()).Single(l => l.Contains("\"kind\":\"finding\"", StringComparison.Ordinal));
        Assert.Empty(Schemas.Errors(Schemas.Lines, line));
        Assert.NotEmpty(Schemas.Errors(Schemas.Lines, line.Replace(right, wrong, StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("\"clock\": \"windows\"", "\"clock\": \"sundial\"")]
    [InlineData("\"basis\":", "\"base\":")]
    [InlineData("\"processors\": {", "\"processor\": {")]
    public void The_schema_of_answers_notices_what_is_wrong(string right, string wrong)
    {
        var answer = File.ReadAllText(Path.Combine(Expected, "Render", "whatif-pool-burst.json"));
        Assert.Contains(right, answer, StringComparison.Ordinal);
        Assert.NotEmpty(Schemas.Errors(Schemas.WhatIf, answer.Replace(right, wrong, StringComparison.Ordinal)));
    }

    static IEnumerable<string> Lines(PoolReport report)
    {
        var lines = new NdjsonLineRenderer(showCommandLine: false);
        return report.Journal.Select(g => lines.Decision(g, report)!)
            .Concat(report.Findings.Select(f => lines.Finding(f, report)!)).Append(lines.Summary(report));
    }

    static string WhatIf(PoolReport report, WhatIfAnswer answer) =>
        JsonWhatIfRenderer.Render(report, answer, DateTime.UnixEpoch, "0.0.0", false);
}
