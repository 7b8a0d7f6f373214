namespace Tpwatch.Scoring.Scores;

/// <summary>Some measurements of the same thing, in order of size.</summary>
sealed class Spread(IEnumerable<double> values)
{
    readonly double[] sorted = [.. values.Order()];

    public int Count => sorted.Length;

    public double Least => sorted.Length == 0 ? double.NaN : sorted[0];

    public double Most => sorted.Length == 0 ? double.NaN : sorted[^1];

    public double Median => sorted.Length == 0 ? double.NaN : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;

    /// <summary>The smallest value that <paramref name="share"/> of all do not exceed.</summary>
    public double Percentile(double share) =>
        sorted.Length == 0 ? double.NaN : sorted[Math.Clamp((int)Math.Ceiling(share * sorted.Length) - 1, 0, sorted.Length - 1)];

    /// <summary><c>0.997 (0.956..1.024), 12</c>.</summary>
    public string Ratio() => FormattableString.Invariant($"{Median:0.000} ({Least:0.000}..{Most:0.000}), {Count}");
}
