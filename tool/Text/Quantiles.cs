namespace Tpwatch.Text;

/// <summary>A quantile as it is written: a lower bound is marked, a quantile of too few items is empty.</summary>
/// <param name="Ms">The value, milliseconds.</param>
/// <param name="IsLeast">Whether the value is only a lower bound.</param>
/// <param name="OfFew">Whether there are too few items for this quantile.</param>
readonly record struct Quantile(double Ms, bool IsLeast, bool OfFew)
{
    /// <summary>The cell of a table; empty if there are too few items.</summary>
    public string Text => OfFew ? "" : $"{Mark}{Format.Duration(Ms)}";

    /// <summary><c>&gt;=</c> for a lower bound, else empty.</summary>
    public string Mark => IsLeast ? ">=" : "";
}

/// <summary>Makes the quantiles of a distribution.</summary>
static class Quantiles
{
    /// <summary>All quantiles, from the median to the maximum.</summary>
    public static Quantile[] Of(Distribution part) =>
    [
        Of(part, LowerBounds.P50), Of(part, LowerBounds.P90), Of(part, LowerBounds.P95), Of(part, LowerBounds.P99),
        Of(part, LowerBounds.P999), Of(part, LowerBounds.Max),
    ];

    public static Quantile Of(Distribution part, LowerBounds which) => new(
        which switch
        {
            LowerBounds.P50 => part.P50Ms,
            LowerBounds.P90 => part.P90Ms,
            LowerBounds.P95 => part.P95Ms,
            LowerBounds.P99 => part.P99Ms,
            LowerBounds.P999 => part.P999Ms,
            _ => part.MaxMs,
        },
        part.AtLeast.HasFlag(which), !part.HasEnoughFor(which));
}
