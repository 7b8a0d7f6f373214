using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// The finding that says why. Several findings may follow from one cause; headline, report and lines speak of this one, so that they say
/// the same.
/// </summary>
static class LeadingFinding
{
    /// <summary>
    /// The most serious one; of several as serious the one that names the cause most closely. Null where nothing was found.
    /// </summary>
    public static Finding? Of(PoolReport report) => report.Findings
        .Where(f => !f.Remedies.IsEmpty)
        .OrderByDescending(f => f.Severity)
        .ThenByDescending(f => f.Cause.Kind)
        .FirstOrDefault();

    /// <summary>The same where it asks for something: the notes of a healthy pool do not.</summary>
    public static Finding? ToActOn(PoolReport report) =>
        Of(report) is { } leading && (leading.Severity > Severity.Note || report.Verdict.IsTrouble()) ? leading : null;

    /// <summary>Own code that blocks threads outside the pool; null where none was seen.</summary>
    public static Finding? Outside(PoolReport report) => report.Findings.FirstOrDefault(f => f.Id == Tpw021Outside.Code);

    /// <summary>Threads that wait for each other's locks; null where none were seen.</summary>
    public static Finding? Deadlock(PoolReport report) => report.Findings.FirstOrDefault(f => f.Id == Tpw022LockCycle.Code);

    /// <summary>Where to look when the pool is healthy and requests are slow all the same; null where nothing says so.</summary>
    public static Finding? Elsewhere(PoolReport report) => report.Findings.FirstOrDefault(f => f.Cause.Kind == CauseKind.Elsewhere);

    /// <summary>What else is worth acting on and has a cause of its own; a guess is not.</summary>
    public static IEnumerable<Finding> Others(PoolReport report)
    {
        var leading = Of(report);
        return report.Findings.Where(f => f.Id != leading?.Id && f.Severity > Severity.Note && f.Confidence > Confidence.Low
            && !f.Remedies.IsEmpty && (leading is null || !f.Cause.OfHeldThreads));
    }
}
