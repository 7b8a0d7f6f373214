using Tpwatch.Diagnosis;

namespace Tpwatch.Screen.State;

/// <summary>A row of the table of findings: a finding of a rule, or a rule that could not be decided.</summary>
/// <param name="Id">Id of the rule.</param>
/// <param name="Found">The finding; null where the rule is undecided.</param>
/// <param name="Open">The undecided rule; null where there is a finding.</param>
sealed record FindingRow(string Id, Finding? Found, Undecided? Open)
{
    /// <summary>Returns the most serious findings first, among equals the finding of the headline; then the undecided rules.</summary>
    public static ImmutableArray<FindingRow> Of(Scene scene)
    {
        var (report, filter) = (scene.Report, scene.State.List.Filter);
        var leading = LeadingFinding.Of(report.Findings)?.Id;
        return
        [
            .. scene.Findings.Where(f => Filter.Matches(filter, f))
                .OrderByDescending(f => f.Severity).ThenByDescending(f => f.Id == leading)
                .Select(f => new FindingRow(f.Id, f, null)),
            .. report.Undecided.Where(u => Filter.Matches(filter, u)).Select(u => new FindingRow(u.Id, null, u)),
        ];
    }

    /// <summary>Index of the chosen row; 0 when the chosen row no longer exists, -1 without rows.</summary>
    public static int Cursor(ImmutableArray<FindingRow> rows, Scene scene) =>
        rows.IsEmpty ? -1 : Math.Max(0, rows.ToList().FindIndex(r => r.Id == scene.State.Rule));
}
