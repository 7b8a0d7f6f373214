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
            .. codes.SelectMany(c => Named(c.Id, c.Title)), "",
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
        Named(entry.Id, entry.Title).Concat(TextLayout.Wrap(entry.Text.Gist, IdWidth + 4));

    static IEnumerable<string> Named(string id, string title) =>
        TextLayout.Wrap(title, IdWidth + 2).Select((line, i) => i == 0 ? $"  {id.PadRight(IdWidth)}{line[(IdWidth + 2)..]}" : line);
}
