namespace Tpwatch.Text;

/// <summary>Renders the catalogue of finding rules and injection delay codes.</summary>
static class RuleTextRenderer
{
    const int IdWidth = 8;

    public static string List(ImmutableArray<FindingCatalogueEntry> findings, ImmutableArray<FindingCatalogueEntry> codes)
    {
        IEnumerable<string> lines =
        [
            "Findings", .. findings.SelectMany(Finding), "",
            "Codes of injection delays: the runtime's rules that explain them",
            .. codes.SelectMany(c => TextLayout.Fact(c.Id, c.Title, labelWidth: IdWidth)), "",
            "'dotnet tpwatch rules ID' explains one of them.",
        ];
        return string.Join('\n', lines) + "\n";
    }

    /// <summary>Returns one entry in detail: mechanism, evidence needed, remedy, false alarms.</summary>
    public static string Detail(FindingCatalogueEntry entry)
    {
        var sections = new[]
        {
            ("Mechanism", entry.Text.Mechanism), ("Evidence needed", entry.Text.Needs),
            ("Remedy", entry.Text.Remedy), ("False alarms", entry.Text.FalseAlarms),
        };
        return string.Join('\n', TextLayout.Wrap($"{entry.Id} {entry.Title}")) + "\n"
            + string.Concat(sections.Select(s => $"\n{s.Item1}\n{string.Join('\n', TextLayout.Wrap(s.Item2, 2))}\n"));
    }

    static IEnumerable<string> Finding(FindingCatalogueEntry entry) =>
        TextLayout.Fact(entry.Id, entry.Title, labelWidth: IdWidth).Concat(TextLayout.Wrap(entry.Text.Gist, IdWidth + 4));
}
