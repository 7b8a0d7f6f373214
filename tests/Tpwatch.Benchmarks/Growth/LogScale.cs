using System.Globalization;

namespace Tpwatch.Benchmarks.Growth;

/// <summary>Where on a line of pixels a value lies; each power of ten takes as much as the next.</summary>
sealed record LogScale(double Least, double Most, int From, int To)
{
    /// <summary>So that whole powers of ten lie at both ends.</summary>
    public static LogScale Of(IEnumerable<double> values, int from, int to)
    {
        var all = values.ToArray();
        var (least, most) = (Math.Floor(Math.Log10(all.Min())), Math.Ceiling(Math.Log10(all.Max())));
        return new(Math.Pow(10, least), Math.Pow(10, Math.Max(most, least + 1)), from, to);
    }

    /// <summary>The powers of ten, both ends among them.</summary>
    public IEnumerable<double> Decades =>
        Enumerable.Range(0, (int)Math.Round(Math.Log10(Most / Least)) + 1).Select(n => Least * Math.Pow(10, n));

    public string At(double value) =>
        (From + (To - From) * Math.Log10(value / Least) / Math.Log10(Most / Least)).ToString("0.0", CultureInfo.InvariantCulture);
}
