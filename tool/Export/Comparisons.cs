using System.Text;
using System.Text.Json;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON document of a comparison, schema <c>tpwatch-compare/1</c>. Times are in milliseconds, unknown values are null.</summary>
sealed record CompareDocument(
    string Schema, ToolSection Tool, string Outcome, string Sentence, ComparedSection Before, ComparedSection After,
    IReadOnlyList<ComparedCauseSection> Culprits, IReadOnlyList<ComparedSettingSection> Conditions)
{
    public const string SchemaName = "tpwatch-compare/1";

    /// <summary>Returns the document as text; ends with a line break.</summary>
    public static string Render(Comparison of, string version) => JsonSerializer.Serialize(
        new CompareDocument(
            SchemaName, new(version), Words.Of(of.Outcome), of.Sentence, ComparedSection.Of(of.Before), ComparedSection.Of(of.After),
            [.. of.Culprits.Select(c => new ComparedCauseSection(c.Id, c.Name, Words.Of(c.Change), c.Missing))],
            [.. of.Conditions.Select(c => new ComparedSettingSection(c.Name, c.Before, c.After))]),
        JsonDocuments.Indented.CompareDocument) + "\n";
}

/// <summary>JSON object for one of the two compared captures.</summary>
sealed record ComparedSection(
    string File, string Process, string? Runtime, int? Processors, int? MinWorkers, int? MaxWorkers, double WatchedMs, string Verdict,
    double? WaitedMs, ShareSection? WaitedShare, double UnknownMs, double ProvenWaitMs, double? CompletedPerSecond, int? MostWorkers,
    long? MaxBacklog, IReadOnlyDictionary<string, int> Adjustments, double? InjectionsPerSecond, double? LongestDelayMs, string Quality,
    long? Lost)
{
    public static ComparedSection Of(ComparedReport r) => new(
        r.File, r.Process, r.Runtime, r.Processors, r.MinThreads, r.MaxThreads, r.WatchedMs, Words.Of(r.Verdict), Numbers.Ms(r.TroubleMs),
        r.Share is { } share ? new(Numbers.Share(share.Least), Numbers.Share(share.Most)) : null, Numbers.Ms(r.UnknownMs) ?? 0,
        Numbers.Ms(r.ProvenWaitMs) ?? 0, Numbers.Rounded(r.CompletedPerSecond, 2), r.MostThreads, r.LongestQueue, r.Adjustments,
        r.WatchedMs > 0
            ? Numbers.Rounded(r.Adjustments.GetValueOrDefault(nameof(AdjustmentReason.Starvation)) * 1000 / r.WatchedMs, 2) : null,
        Numbers.Ms(r.LongestDelayMs), Words.Of(r.Grade), r.Lost);
}

/// <summary>JSON object for the lower and upper bound of a share of the watched time, each from 0 to 1.</summary>
sealed record ShareSection(double? Least, double? Most);

/// <summary>JSON object for a cause: a finding, or a blocking call without an id. <c>Change</c> says which captures have it.</summary>
sealed record ComparedCauseSection(string? Id, string Name, string Change, string? Missing);

/// <summary>JSON object for a condition, such as the number of processors, that differs between the two captures.</summary>
sealed record ComparedSettingSection(string Name, string Before, string After);

/// <summary>
/// The part of a JSON report that a comparison reads. A report without a required property is refused; other properties are ignored.
/// </summary>
sealed record SavedReport(
    SavedTarget Target, SavedCapture Capture, SavedSummary Summary, IReadOnlyList<SavedEpisode> Episodes, IReadOnlyList<SavedPoint> Series,
    IReadOnlyList<SavedDelay> Gaps, IReadOnlyList<SavedFinding> Findings, IReadOnlyList<UndecidedSection> Undecided,
    IReadOnlyList<ClearSection> Clear, IReadOnlyList<SavedBlocker>? Blockers = null)
{
    /// <summary>Maximum size of a report, bytes: ten times the largest report seen, which covers a capture of about a day.</summary>
    const long MostBytes = 64 << 20;

    static readonly JsonDocuments Strict = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true,
    });

    /// <summary>Whether a file begins like JSON. Sets the position of the file to 0.</summary>
    public static bool IsJson(Stream file)
    {
        Span<byte> head = stackalloc byte[64];
        var text = Encoding.UTF8.GetString(head[..file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)]);
        file.Position = 0;
        return text.TrimStart('\uFEFF', ' ', '\t', '\r', '\n') is ['{' or '[', ..];
    }

    /// <summary>Reads a report that <c>report --format json</c> has written.</summary>
    /// <exception cref="UserErrorException">The file is not such a report, or has the schema of another version.</exception>
    public static ComparedReport Read(Stream file, string name)
    {
        if (file.Length > MostBytes)
        {
            throw Refused(name, "is too large for a JSON report");
        }

        try
        {
            using var json = JsonDocument.Parse(file);
            var schema = json.RootElement.ValueKind == JsonValueKind.Object && json.RootElement.TryGetProperty("schema", out var named)
                && named.ValueKind == JsonValueKind.String ? Words.OneLine(named.GetString()!) : null;
            return schema == ReportDocument.SchemaName ? json.Deserialize(Strict.SavedReport)!.Whole().Compared(name)
                : throw (schema?.StartsWith("tpwatch-report/", StringComparison.Ordinal) == true
                    ? new UserErrorException($"'{name}' has the schema {schema}, and this tpwatch reads {ReportDocument.SchemaName}",
                        "use the version of tpwatch that wrote the report, or compare the recordings", ExitCode.Arguments)
                    : Refused(name, schema is null ? "is not a JSON report of tpwatch" : $"is not a report: its schema is {schema}"));
        }
        catch (JsonException e)
        {
            throw Refused(name, e.Path is { } path ? $"is not a whole report: see {Words.OneLine(path)}" : "is not valid JSON", e);
        }
    }

    // Throws if a list contains null, because the serializer does not check the elements of lists.
    SavedReport Whole() => ((IEnumerable<object?>)[.. Episodes, .. Series, .. Gaps, .. Findings, .. Undecided, .. Clear, .. Blockers ?? []])
        .Contains(null) ? throw new JsonException(null, "$", null, null) : this;

    ComparedReport Compared(string file)
    {
        var verdict = Word<Verdict>(Summary.Verdict, "$.summary.verdict");
        var held = Episodes.Where(e => e.Kind == Words.Of(Verdict.Held)).Sum(e => e.To - e.From);
        return new()
        {
            File = file,
            Process = Target.Name,
            Runtime = Target.Runtime,
            Processors = Target.Processors.Value,
            MinThreads = Target.MinWorkers.Value,
            MaxThreads = Target.MaxWorkers.Value,
            WatchedMs = NotNegative(Capture.Duration, "$.capture.duration"),
            Verdict = verdict,
            IsNow = Summary.Since is null ? null : Summary.State == "now",
            Headline = Summary.Headline,
            TroubleMs = Summary.StarvedMs is { } starved ? NotNegative(starved, "$.summary.starvedMs") + Math.Max(0, held) : null,
            UnknownMs = Series.Count == 0 ? 0 : Capture.Duration * Series.Count(IsUnknown) / Series.Count,
            ProvenWaitMs = Episodes.Select(e => e.ProvenWaitMs).DefaultIfEmpty().Max(),
            CompletedPerSecond = Series.Average(p => p.CompletedPerSecond),
            MostThreads = Summary.MaxWorkers,
            LongestQueue = Summary.MaxBacklog,
            Adjustments = Summary.Injections.ByReason.ToImmutableSortedDictionary(StringComparer.Ordinal),
            LongestDelayMs = Gaps.Where(g => g.Reason == nameof(AdjustmentReason.Starvation)).Max(g => g.ObservedMs),
            Grade = Word<CaptureGrade>(Capture.Quality, "$.capture.quality"),
            Lost = Capture.Lost,
            Findings = [.. Findings.Select(f => new ComparedFinding(f.Id, f.Title)).DistinctBy(f => f.Id)],
            Undecided = Undecided.DistinctBy(u => u.Id).ToImmutableSortedDictionary(u => u.Id, u => u.Missing, StringComparer.Ordinal),
            Clear = [.. Clear.Select(c => c.Id)],
            Blockers = Blockers is { } calls ? [.. calls.Select(b => $"{b.Frame} ({b.Kind})").Distinct()] : null,
        };
    }

    bool IsUnknown(SavedPoint point) => point.Backlog is null && !Episodes.Any(e => e.From <= point.T && point.T <= e.To);

    static T Word<T>(string word, string path) where T : struct, Enum => Enum.GetValues<T>().FirstOrDefault(v => Words.Of(v) == word)
        is var value && Words.Of(value) == word ? value : throw new JsonException(null, path, null, null);

    static double NotNegative(double value, string path) => value >= 0 ? value : throw new JsonException(null, path, null, null);

    static UserErrorException Refused(string file, string why, Exception? cause = null) => new(
        $"'{file}' {why}", "give a .nettrace file, or a report written with --format json", ExitCode.Arguments, cause);
}

// The following records have only the properties that a comparison reads.

sealed record SavedTarget(string Name, string? Runtime, SourcedNumber Processors, SourcedNumber MinWorkers, SourcedNumber MaxWorkers);

sealed record SavedCapture(double Duration, long? Lost, string Quality);

sealed record SavedSummary(
    string Verdict, string State, double? Since, string Headline, double? StarvedMs, AdjustmentCountsSection Injections, int? MaxWorkers,
    long? MaxBacklog);

sealed record SavedEpisode(double From, double To, string Kind, double ProvenWaitMs);

sealed record SavedPoint(double T, long? Backlog, double? CompletedPerSecond);

sealed record SavedDelay(string? Reason, double? ObservedMs);

sealed record SavedFinding(string Id, string Title);

sealed record SavedBlocker(string Frame, string Kind);

/// <summary>Renders a comparison as one self-contained HTML page without a script.</summary>
static class HtmlComparisonRenderer
{
    /// <summary>Returns the page; ends with a line break.</summary>
    public static string Render(Comparison of, string version)
    {
        var style = EmbeddedFiles.TimelineCss + EmbeddedFiles.PageCss;
        return Markup.Of($"""
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{HtmlReportRenderer.Hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
            <title>{ComparisonRenderer.Headline(of.Outcome)}: {of.Before.Process}, before and after</title>
            <style>{new Markup(style)}</style></head>
            <body><main><header class="{Look(of.Outcome)}"><p class="process"><bdi>{ComparisonRenderer.Source(of.Before)}</bdi><br><bdi>{ComparisonRenderer.Source(of.After)}</bdi></p>
            <h1>{ComparisonRenderer.Headline(of.Outcome)}</h1><p class="headline">{of.Sentence}</p></header>
            <section><h2>Before and after</h2><div class="scroll"><table><thead><tr><th><th>before<th>after</thead><tbody>{of.Rows.Select(Row)}</tbody></table></div></section>
            <section><h2>Causes</h2><ul>{of.Culprits.Select(c => Markup.Of($"<li><b>{ComparisonRenderer.Of(c.Change)}</b> <bdi>{ComparisonRenderer.Of(c)}</bdi></li>"))}</ul></section>
            {Conditions([.. of.Conditions])}</main>
            <footer>Written by dotnet tpwatch {version}. This page needs no network and holds everything it shows.</footer></body></html>

            """).Source;
    }

    static Markup Row(ComparedRow row) =>
        Markup.Of($"<tr><th scope=\"row\">{row.Name}<td><bdi>{row.Before}</bdi><td><bdi>{row.After}</bdi>");

    static Markup Conditions(ImmutableArray<ComparedRow> differ) => differ.IsEmpty ? Markup.None : Markup.Of($"""
        <section><h2>What else differs</h2><table><thead><tr><th><th>before<th>after</thead><tbody>{differ.Select(Row)}</tbody></table></section>
        """);

    static string Look(ComparedOutcome outcome) => outcome switch
    {
        ComparedOutcome.Better => "good",
        ComparedOutcome.Worse => "bad",
        _ => "unsure",
    };
}
