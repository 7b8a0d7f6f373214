using System.Collections.Immutable;
using Tpwatch.Reports;

namespace Tpwatch.Reporting;

/// <summary>
/// The finding that says why. Several findings may follow from one cause; headline, report and lines speak of this one, so that they say
/// the same.
/// </summary>
static class LeadingFinding
{
    /// <summary>
    /// Findings that say why, before those that say what: a pool whose detector is off, that is wedged or in a deadlock also starves, and
    /// what helps against starvation in general does not help there.
    /// </summary>
    static readonly ImmutableArray<string> ClosestCauseFirst =
        ["TPW017", "TPW016", "TPW018", "TPW010", "TPW006", "TPW005", "TPW008", "TPW007", "TPW002", "TPW001", "TPW015", "TPW003"];

    /// <summary>Threads that are held, seen from different sides: whoever mends one mends all.</summary>
    static readonly ImmutableArray<string> OfHeldThreads =
        ["TPW001", "TPW002", "TPW003", "TPW004", "TPW005", "TPW007", "TPW009", "TPW010", "TPW011", "TPW018"];

    /// <summary>
    /// The most serious one; of several as serious the one that names the cause most closely. Null where nothing was found.
    /// </summary>
    public static Finding? Of(PoolReport report) => report.Findings
        .Where(f => !f.Remedies.IsEmpty)
        .OrderByDescending(f => f.Severity)
        .ThenBy(f => ClosestCauseFirst.IndexOf(f.Id) is >= 0 and var place ? place : ClosestCauseFirst.Length)
        .FirstOrDefault();

    /// <summary>The same where it asks for something: the notes of a healthy pool do not.</summary>
    public static Finding? ToActOn(PoolReport report) =>
        Of(report) is { } leading && (leading.Severity > Severity.Note || report.Verdict.IsTrouble()) ? leading : null;

    /// <summary>Whether it tells of threads that are held by something.</summary>
    public static bool IsOfHeldThreads(Finding finding) => OfHeldThreads.Contains(finding.Id);

    /// <summary>What else is worth acting on and has a cause of its own; a guess is not.</summary>
    public static IEnumerable<Finding> Others(PoolReport report)
    {
        var leading = Of(report);
        return report.Findings.Where(f => f.Id != leading?.Id && f.Severity > Severity.Note && f.Confidence > Confidence.Low
            && !f.Remedies.IsEmpty && (leading is null || !IsOfHeldThreads(f)));
    }
}
