using System.Globalization;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks.Figures;

/// <summary>
/// A server at a rate of requests (0: as many as go): requests per processor-second with the session, as a share of those without.
/// </summary>
sealed record RequestRow(double Asked, double PerSecond, Spread With, Spread Nothing);

/// <summary>The section of tests/SCORES.md about what watching requests costs.</summary>
static class RequestPage
{
    /// <summary>Name of the section's markers.</summary>
    public const string Name = "requests";

    public const string Saturated = "as many as go";

    const double TargetThreads = 0.95;

    public static Goals GoalsOf(IEnumerable<RequestRow> rows) => rows.Where(r => r.Asked > 0)
        .Aggregate(new Goals(), (goals, row) => goals.AtLeast("share of the requests with --depth requests", row.With.Median,
            TargetThreads));

    public static string Of(IEnumerable<RequestRow> rows, string machine) =>
        $"""
        ## What watching requests costs the target

        {machine} Written by `requests --write`.

        A server on .NET whose endpoint does nothing: requests per processor-second of the target with the session, as a share of those
        without, in pairs, beside pairs without any session. The callers are another process on the same processors.

        | requests a second | served without a session | share with, median (least..most), pairs | without, in pairs | goal |
        |---|---|---|---|---|
        {string.Join('\n', rows.Select(Row))}
        """;

    static string Row(RequestRow row) => string.Create(
        CultureInfo.InvariantCulture,
        $"| {(row.Asked > 0 ? Format.Count((long)row.Asked) : Saturated)} | {Format.Count((long)row.PerSecond)} | {row.With.Ratio()} | "
            + $"{row.Nothing.Ratio()} | {(row.Asked > 0 ? $"at least {TargetThreads:0.00}" : "")} |");
}
