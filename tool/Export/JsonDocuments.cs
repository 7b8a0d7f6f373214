using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Tpwatch.Export;

/// <summary>The serializer metadata of all JSON documents, generated at build time.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(ReportDocument))]
[JsonSerializable(typeof(WhatIfDocument))]
[JsonSerializable(typeof(DecisionDocument))]
[JsonSerializable(typeof(FindingDocument))]
[JsonSerializable(typeof(SummaryDocument))]
[JsonSerializable(typeof(ProcessListDocument))]
[JsonSerializable(typeof(RulesDocument))]
[JsonSerializable(typeof(DumpDocument))]
[JsonSerializable(typeof(CompareDocument))]
[JsonSerializable(typeof(ReadReport))]
sealed partial class JsonDocuments : JsonSerializerContext
{
    /// <summary>The serializer context for documents, which are indented.</summary>
    public static JsonDocuments Indented { get; } = new(Spelling(indented: true));

    public static JsonDocuments Line { get; } = new(Spelling(indented: false));

    // Relaxed escaping keeps text such as ">500" readable, and is safe because no document gets into a web page unescaped.
    static JsonSerializerOptions Spelling(bool indented) => new()
    {
        WriteIndented = indented,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };
}
