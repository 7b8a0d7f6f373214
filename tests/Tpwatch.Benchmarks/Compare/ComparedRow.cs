namespace Tpwatch.Benchmarks.Compare;

/// <summary>A row of the page of performance.</summary>
/// <param name="What">What was measured.</param>
/// <param name="Beside">What it was measured beside, or what it is a share of.</param>
/// <param name="Measured">The figure with its spread.</param>
/// <param name="Budget">What it may be; null is none, a row that only shows how much chance is in the others.</param>
/// <param name="Holds">Null where there is no budget, or it could not be measured here.</param>
sealed record ComparedRow(string What, string Beside, string Measured, string? Budget, bool? Holds)
{
    /// <summary>A ratio of pairs.</summary>
    public static ComparedRow Ratio(string what, string beside, Spread ratios, double? most, string also = "")
    {
        var measured = FormattableString.Invariant(
            $"{ratios.Median:0.00} times ({ratios.Least:0.00} to {ratios.Most:0.00}, {ratios.Count} pairs){also}");
        return most is { } budget
            ? new(what, beside, measured, FormattableString.Invariant($"at most {budget:0.00}"), ratios.Median <= budget)
            : new(what, beside, measured, null, null);
    }

    /// <summary>A budget that is held as well by what a person waits, milliseconds.</summary>
    public ComparedRow OrMs(Spread times, double most) => this with
    {
        Budget = FormattableString.Invariant($"{Budget}, or {most:0} ms"),
        Holds = Holds == true || times.Median <= most,
    };

    /// <summary>A row of the table.</summary>
    public override string ToString() =>
        $"| {What} | {Beside} | {Measured} | {Budget ?? "none"} | {Holds switch { true => "held", false => "missed", null => "" }} |";
}
