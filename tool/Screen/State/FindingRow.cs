using Tpwatch.Diagnosis;

namespace Tpwatch.Screen.State;

/// <summary>A rule's answer as a row: something found, or what is missing to decide.</summary>
/// <param name="Id">The rule.</param>
/// <param name="Found">What was found, or null.</param>
/// <param name="Missing">What is missing, or null.</param>
sealed record FindingRow(string Id, Finding? Found, string? Missing)
{
    /// <summary>
    /// What was found, the most serious first, of those the one that the headline speaks of; then what could not be decided.
    /// </summary>
    public static ImmutableArray<FindingRow> Of(Scene scene)
    {
        var (report, filter) = (scene.Report, scene.State.List.Filter);
        var leading = LeadingFinding.Of(report)?.Id;
        return
        [
            .. scene.Findings.Where(f => Filter.Matches(filter, f))
                .OrderByDescending(f => f.Severity).ThenByDescending(f => f.Id == leading)
                .Select(f => new FindingRow(f.Id, f, null)),
            .. report.Undecided.Where(u => Filter.Matches(filter, u)).Select(u => new FindingRow(u.Id, null, u.Missing)),
        ];
    }

    /// <summary>Index of the chosen row; the first when it is not there any more, -1 when there are none.</summary>
    public static int Cursor(ImmutableArray<FindingRow> rows, Scene scene) =>
        rows.IsEmpty ? -1 : Math.Max(0, rows.ToList().FindIndex(r => r.Id == scene.State.Rule));
}
