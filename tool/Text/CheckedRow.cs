namespace Tpwatch.Text;

/// <summary>A process and the result of a short watch of it.</summary>
/// <param name="Row">The process.</param>
/// <param name="Report">The report; null when the process could not be watched.</param>
/// <param name="Failure">Why the process could not be watched, one sentence; null when there is a report.</param>
sealed record CheckedRow(ProcessRow Row, PoolReport? Report, string? Failure)
{
    /// <summary>The worst first; processes without a report last.</summary>
    public static IEnumerable<CheckedRow> WorstFirst(IEnumerable<CheckedRow> rows) =>
        rows.OrderBy(r => Place(r.Report)).ThenBy(r => r.Row.Pid);

    /// <summary>The headline, or the failure if there is none.</summary>
    public string Says => Words.OneLine(Report?.Headline ?? Failure ?? "");

    static int Place(PoolReport? report) => report switch
    {
        null => 9,
        { IsNow: true } when report.Verdict.IsStarvation() => 0,
        _ when report.Verdict.IsStarvation() => 1,
        { Verdict: Verdict.Saturated } => 2,
        { Verdict: Verdict.Undecided } => 3,
        { Verdict: Verdict.NotThePool } => 4,
        { Verdict: Verdict.Compensated } => 5,
        _ => 6,
    };
}
