using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>One finding rule or injection delay code in the catalogue.</summary>
/// <param name="Id">TPWnnn or Gn.</param>
/// <param name="Title">A few words; for an injection delay code, its rule in one line.</param>
/// <param name="Text">The explanation for users.</param>
sealed record CatalogueEntry(string Id, string Title, FindingMeaning Text);

/// <summary>All entries that a user can look up by id.</summary>
static class FindingCatalogue
{
    /// <summary>The finding rules, ordered by id.</summary>
    public static ImmutableArray<CatalogueEntry> Findings { get; } =
        [.. FinderSet.All.OrderBy(r => r.Id, StringComparer.Ordinal).Select(r => new CatalogueEntry(r.Id, r.Title, r.Text))];

    /// <summary>The injection delay codes, ordered by number.</summary>
    public static ImmutableArray<CatalogueEntry> Codes { get; } =
    [
        .. MechanismCatalogue.All.Select(c => new CatalogueEntry(c.Code, c.Line, c.Text)),
    ];

    /// <summary>The entry with that id, ignoring case; null when there is none.</summary>
    public static CatalogueEntry? Find(string id) =>
        Findings.Concat(Codes).FirstOrDefault(e => e.Id.Equals(id.Trim(), StringComparison.OrdinalIgnoreCase));

    /// <summary>The title of a rule as a question that it could not answer; the id if it is unknown.</summary>
    public static string Question(string id) => $"{Find(id)?.Title ?? id}?";
}
