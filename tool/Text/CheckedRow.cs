namespace Tpwatch.Text;

/// <summary>A process and what a short look at it showed.</summary>
/// <param name="Row">The process.</param>
/// <param name="Report">What was seen; null when nothing could be.</param>
/// <param name="Failure">Why nothing could be seen, one sentence; null when something was.</param>
sealed record CheckedRow(ProcessRow Row, PoolReport? Report, string? Failure)
{
    /// <summary>The worst first; what could not be looked at last.</summary>
    public static IEnumerable<CheckedRow> WorstFirst(IEnumerable<CheckedRow> rows) =>
        rows.OrderBy(r => Place(r.Report)).ThenBy(r => r.Row.Pid);

    /// <summary>The headline, or why there is none.</summary>
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
