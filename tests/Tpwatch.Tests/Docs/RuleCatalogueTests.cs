using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Tpwatch.Model.Mechanisms;
using Tpwatch.Reporting;

namespace Tpwatch.Tests.Docs;

/// <summary>The catalogue of rules and codes is what the program says of them.</summary>
public sealed class RuleCatalogueTests
{
    const string Page = "probes/Model/README.md";

    [Fact]
    public void The_catalogue_has_every_finding() => GoldenPart.Verify(Page, "findings", Entries(RuleCatalogue.Findings));

    [Fact]
    public void The_catalogue_has_every_gap_code() => GoldenPart.Verify(Page, "codes", Entries(RuleCatalogue.Codes));

    [Fact]
    public void The_first_page_has_every_gap_code()
    {
        var table = new StringBuilder("| code | the rule |\n|---|---|\n");
        foreach (var code in GapRules.All)
        {
            table.Append(CultureInfo.InvariantCulture, $"| {code.Code} | {code.Line} |\n");
        }

        GoldenPart.Verify("README.md", "codes", table.ToString());
    }

    static string Entries(ImmutableArray<CatalogueEntry> entries) => string.Join('\n', entries.Select(Entry));

    static string Entry(CatalogueEntry entry) => $"""
        ### {entry.Id} {entry.Title}

        {entry.Text.Mechanism}

        - **Evidence needed.** {entry.Text.Needs}
        - **Remedy.** {entry.Text.Remedy}
        - **False alarms.** {entry.Text.FalseAlarms}

        """.ReplaceLineEndings("\n");
}
