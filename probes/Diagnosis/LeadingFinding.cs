using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Selects the finding that explains the verdict. Several findings may follow from one cause; headline, report and lines use this one, so
/// that they agree.
/// </summary>
static class LeadingFinding
{
    /// <summary>The most severe finding; among equals the one that names the cause most closely. Null when there is none.</summary>
    public static Finding? Of(ImmutableArray<Finding> findings) => findings
        .Where(f => !f.Remedies.IsEmpty)
        .OrderByDescending(f => f.Severity)
        .ThenByDescending(f => f.Cause.Kind)
        .FirstOrDefault();

    /// <summary>The leading finding if it needs action; null for the notes of a healthy pool.</summary>
    public static Finding? ToActOn(PoolReport report) =>
        Of(report.Findings) is { } leading && (leading.Severity > Severity.Note || report.Verdict.IsTrouble()) ? leading : null;

    /// <summary>The finding about the program's own code that blocks threads outside the pool; null when there is none.</summary>
    public static Finding? Outside(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Id == Tpw021Outside.Code);

    /// <summary>The finding about threads that wait for each other's locks; null when there is none.</summary>
    public static Finding? Deadlock(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Id == Tpw022LockCycle.Code);

    /// <summary>
    /// The finding that says where to look when the pool is healthy and requests are slow anyway; null when there is none.
    /// </summary>
    public static Finding? Elsewhere(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Cause.Kind == CauseKind.Elsewhere);

    /// <summary>Further findings that need action and have a cause of their own; guesses are left out.</summary>
    public static IEnumerable<Finding> Others(PoolReport report)
    {
        var leading = Of(report.Findings);
        return report.Findings.Where(f => f.Id != leading?.Id && f.Severity > Severity.Note && f.Confidence > Confidence.Low
            && !f.Remedies.IsEmpty && (leading is null || !f.Cause.OfHeldThreads));
    }
}
