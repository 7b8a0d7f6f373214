using System.Collections.Immutable;
using System.Text.Json;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Render.Json;

/// <summary>The schemas beside the documents' code.</summary>
static class Schemas
{
    public const string Report = "tpwatch-report-1.schema.json";
    public const string WhatIf = "tpwatch-whatif-1.schema.json";
    public const string Compare = "tpwatch-compare-1.schema.json";
    public const string Lines = "tpwatch-lines-1.schema.json";

    static readonly ImmutableDictionary<string, JsonElement> All =
        ((string[])[Report, WhatIf, Compare, Lines]).ToImmutableDictionary(name => name, Read);

    /// <summary>What is wrong with a document.</summary>
    public static List<string> Errors(string schema, string json)
    {
        using var document = JsonDocument.Parse(json);
        return [.. new SchemaValidator(Named(schema), Named).Validate(document.RootElement)];
    }

    static JsonElement Named(string name) => All[name];

    static JsonElement Read(string name)
    {
        using var schema = JsonDocument.Parse(File.ReadAllText(Path.Combine(SourceTree.Root, "tool", "Export", name)));
        return schema.RootElement.Clone();
    }
}
