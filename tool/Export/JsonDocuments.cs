using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Tpwatch.Export;

/// <summary>Provides the serializer metadata of all JSON documents, generated at build time.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(ReportDocument))]
[JsonSerializable(typeof(WhatIfDocument))]
[JsonSerializable(typeof(DelayDocument))]
[JsonSerializable(typeof(FindingDocument))]
[JsonSerializable(typeof(SummaryDocument))]
[JsonSerializable(typeof(ProcessListDocument))]
[JsonSerializable(typeof(RulesDocument))]
[JsonSerializable(typeof(DumpDocument))]
[JsonSerializable(typeof(CompareDocument))]
[JsonSerializable(typeof(SavedReport))]
sealed partial class JsonDocuments : JsonSerializerContext
{
    /// <summary>The serializer context for whole documents, which are indented.</summary>
    public static JsonDocuments Indented { get; } = new(Spelling(indented: true));

    public static JsonDocuments Line { get; } = new(Spelling(indented: false));

    // Relaxed escaping keeps text such as ">500" readable. It is safe because no document is put into a web page unescaped.
    static JsonSerializerOptions Spelling(bool indented) => new()
    {
        WriteIndented = indented,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };
}

/// <summary>JSON document of finding rules and injection delay codes, schema <c>tpwatch-rules/1</c>.</summary>
sealed record RulesDocument(string Schema, IReadOnlyList<RuleSection> Rules, IReadOnlyList<RuleSection> Codes)
{
    public const string SchemaName = "tpwatch-rules/1";

    /// <summary>Returns the document as text; ends with a line break.</summary>
    public static string Render(IEnumerable<FindingCatalogueEntry> findings, IEnumerable<FindingCatalogueEntry> codes) =>
        JsonSerializer.Serialize(new(SchemaName, Sections(findings), Sections(codes)), JsonDocuments.Indented.RulesDocument) + "\n";

    static ImmutableArray<RuleSection> Sections(IEnumerable<FindingCatalogueEntry> entries) =>
        [.. entries.Select(e => new RuleSection(e.Id, e.Title, e.Text.Mechanism, e.Text.Needs, e.Text.Remedy, e.Text.FalseAlarms))];
}

/// <summary>JSON object for one finding rule or injection delay code.</summary>
sealed record RuleSection(string Id, string Title, string Mechanism, string Needs, string Remedy, string FalseAlarms);

/// <summary>JSON document of a core dump, schema <c>tpwatch-dump/1</c>. The verdict is based on a single moment.</summary>
sealed record DumpDocument(string Schema, string Tool, string File, string Verdict, string Summary, InsideSection Inside)
{
    const string Name = "tpwatch-dump/1";

    /// <summary>Returns the document as text; ends with a line break.</summary>
    public static string Render(InsideReading reading, string file, string version)
    {
        var moment = InsideJudgement.Of(reading);
        var document = new DumpDocument(
            Name, version, file, Words.Of(moment.Verdict), moment.Sentence, InsideSection.Of(reading, at: null));
        return System.Text.Json.JsonSerializer.Serialize(document, JsonDocuments.Indented.DumpDocument) + "\n";
    }
}
