namespace Tpwatch.Text;

/// <summary>A figure of a distribution as it is written: a lower bound says so, one of too few items is left out.</summary>
/// <param name="Ms">Milliseconds.</param>
/// <param name="IsLeast">Whether no more is known than "at least so long".</param>
/// <param name="OfFew">Whether there are too few items for it.</param>
readonly record struct Quantile(double Ms, bool IsLeast, bool OfFew)
{
    /// <summary>For tables.</summary>
    public string Text => OfFew ? "" : $"{Mark}{Format.Duration(Ms)}";

    /// <summary>Before a lower bound.</summary>
    public string Mark => IsLeast ? ">=" : "";
}

/// <summary>The figures of a distribution in their order.</summary>
static class Quantiles
{
    /// <summary>From the median to the longest.</summary>
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
