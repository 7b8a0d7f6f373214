namespace Tpwatch.Benchmarks.Figures;

/// <summary>The section of tests/SCORES.md about how soon a line is there.</summary>
static class LatencyPage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "latency";

    /// <summary>Milliseconds, at the 95th percentile: a person who looks at both sees no delay between an event and its line.</summary>
    const double GoalMs = 300;

    public static Goals GoalsOf(IReadOnlyCollection<(string Reason, Spread LateMs)> lines) => lines.Aggregate(
        new Goals().Add("no line of an adjustment was seen", lines.Count > 0),
        (goals, line) => goals.AtMost($"{line.Reason}, ms after the event at the 95th percentile", line.LateMs.Percentile(0.95), GoalMs));

    public static string Of(IEnumerable<(string Reason, Spread LateMs)> lines, string machine) =>
        $"""
        ## How soon a line is there

        {machine} From an adjustment's event to its line on standard output, a pipe. Written by `latency --write`.

        | adjustment | 95th percentile | median | most | lines | goal |
        |---|---|---|---|---|---|
        {string.Join('\n', lines.Select(line => Row(line.Reason, line.LateMs)))}
        """;

    static string Row(string reason, Spread late) => FormattableString.Invariant(
        $"| {reason} | {late.Percentile(0.95):0} ms | {late.Median:0} ms | {late.Most:0} ms | {late.Count} | at most {GoalMs:0} ms |");
}
