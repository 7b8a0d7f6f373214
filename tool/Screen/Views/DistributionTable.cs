using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>How long items waited or ran, of one kind.</summary>
sealed record DistributionRow(string Name, Distribution Of);

/// <summary>How long items waited or ran: percentiles first, then the shape over five decades.</summary>
static class DistributionTable
{
    /// <summary>
    /// A tenth of a millisecond to ten seconds: an item that is taken at once, and one that waited for a pool that starved.
    /// </summary>
    const double LeastMs = 0.1;

    const double MostMs = 10_000;

    const int ShapeColumns = 25;

    /// <summary>How many items were timed.</summary>
    public static string Head(IReadOnlyList<DistributionRow> rows, int width)
    {
        var (all, unmatched) = (rows.Max(r => r.Of.Count), rows.Max(r => r.Of.Unmatched));
        return TextFit.Fit([$"Single items (ms): {Format.Count(all)} timed",
            unmatched == 0 ? "" : $"{Format.Count(unmatched)} with start or end missing"], width, between: ", ");
    }

    public static IEnumerable<TableColumn<DistributionRow>> Columns(bool few, GlyphSet glyphs)
    {
        yield return new("", 7, 20, r => r.Name);
        yield return Number("p50", 19, LowerBounds.P50);
        if (!few)
        {
            yield return Number("p90", 14, LowerBounds.P90);
        }

        yield return Number("p99", 18, LowerBounds.P99);
        if (!few)
        {
            yield return Number("p99.9", 13, LowerBounds.P999);
        }

        yield return Number("max", 17, LowerBounds.Max);
        yield return new("count", 7, 16, r => Format.Brief(r.Of.Count)) { Right = true, Rank = r => r.Of.Count };
        yield return new("0.1 ms .. 10 s+, log", ShapeColumns, 15, r => Shape(r.Of, glyphs)) { Role = _ => Role.Queue };
    }

    static TableColumn<DistributionRow> Number(string head, int keep, LowerBounds which) =>
        new(head, 8, keep, r => Quantiles.Of(r.Of, which) is { OfFew: false } q ? q.Mark + Milliseconds(q.Ms) : "")
        {
            Right = true, Rank = r => Quantiles.Of(r.Of, which).Ms,
        };

    // Three digits are what such a number is worth.
    static string Milliseconds(double value) => value switch
    {
        < 99.95 => FormattableString.Invariant($"{value:0.0}"),
        < 999.5 => Format.Count((long)Math.Round(value)),
        < 9_995 => Format.Count((long)Math.Round(value / 10) * 10),
        _ => Format.Count((long)Math.Round(value / 100) * 100),
    };

    /// <summary>
    /// Counts over a logarithmic axis, the fullest column full; what is shorter or longer than the axis stands at its ends.
    /// </summary>
    public static string Shape(Distribution of, GlyphSet glyphs)
    {
        var columns = new long[ShapeColumns];
        foreach (var bucket in of.Buckets)
        {
            columns[ColumnOf(Math.Sqrt(Math.Max(bucket.FromMs, LeastMs / 2) * Math.Max(bucket.ToMs, LeastMs / 2)))] += bucket.Count;
        }

        var most = Math.Max(1, columns.Max());
        return string.Concat(columns.Select(c =>
            c == 0 ? ' ' : glyphs.Ramp[(int)Math.Clamp(Math.Round((double)c / most * glyphs.Ramp.Length) - 1, 0, glyphs.Ramp.Length - 1)]));
    }

    static int ColumnOf(double ms) =>
        Math.Clamp((int)(Math.Log10(ms / LeastMs) / Math.Log10(MostMs / LeastMs) * ShapeColumns), 0, ShapeColumns - 1);
}
