using System.Text.Json;
using Tpwatch.Diagnosis;

namespace Tpwatch.Export;

/// <summary>JSON document of finding rules and injection delay codes, schema <c>tpwatch-rules/1</c>: all, or the requested one.</summary>
sealed record RulesDocument(string Schema, IReadOnlyList<RuleSection> Rules, IReadOnlyList<RuleSection> Codes)
{
    /// <summary>Name and version of the schema.</summary>
    public const string SchemaName = "tpwatch-rules/1";

    /// <summary>Returns the document as text; ends with a line break.</summary>
    public static string Render(IEnumerable<CatalogueEntry> findings, IEnumerable<CatalogueEntry> codes) =>
        JsonSerializer.Serialize(new(SchemaName, Sections(findings), Sections(codes)), JsonDocuments.Indented.RulesDocument) + "\n";

    static ImmutableArray<RuleSection> Sections(IEnumerable<CatalogueEntry> entries) =>
        [.. entries.Select(e => new RuleSection(e.Id, e.Title, e.Text.Mechanism, e.Text.Needs, e.Text.Remedy, e.Text.FalseAlarms))];
}

/// <summary>JSON object for one finding rule or injection delay code.</summary>
sealed record RuleSection(string Id, string Title, string Mechanism, string Needs, string Remedy, string FalseAlarms);
