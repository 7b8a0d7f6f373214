using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>One finding rule or gap code as the catalogue has it.</summary>
/// <param name="Id">TPWnnn or Gn.</param>
/// <param name="Title">A few words; of a gap code its rule in one line.</param>
/// <param name="Text">What a person is told who asks about it.</param>
sealed record CatalogueEntry(string Id, string Title, FindingMeaning Text)
{
    /// <summary>The first sentence of the mechanism.</summary>
    public string Gist =>
        Text.Mechanism.IndexOf(". ", StringComparison.Ordinal) is > 0 and var end ? Text.Mechanism[..(end + 1)] : Text.Mechanism;
}

/// <summary>Everything that can be asked about by its id.</summary>
static class FindingCatalogue
{
    /// <summary>The finding rules, by id.</summary>
    public static ImmutableArray<CatalogueEntry> Findings { get; } =
        [.. FinderSet.All.OrderBy(r => r.Id, StringComparer.Ordinal).Select(r => new CatalogueEntry(r.Id, r.Title, r.Text))];

    /// <summary>The gap codes, by number.</summary>
    public static ImmutableArray<CatalogueEntry> Codes { get; } =
    [
        .. MechanismCatalogue.All.Select(c => new CatalogueEntry(c.Code, c.Line, c.Text)),
    ];

    /// <summary>The entry of that id, however its letters are written; null when there is none.</summary>
    public static CatalogueEntry? Find(string id) =>
        Findings.Concat(Codes).FirstOrDefault(e => e.Id.Equals(id.Trim(), StringComparison.OrdinalIgnoreCase));

    /// <summary>A rule as the question that it could not answer; its id where it is none of ours.</summary>
    public static string Question(string id) => $"{Find(id)?.Title ?? id}?";
}
