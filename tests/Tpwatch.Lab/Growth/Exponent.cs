using System.Globalization;

namespace Tpwatch.Lab.Growth;

/// <summary>A size and what it cost; both above 0, since their logarithms are taken.</summary>
readonly record struct CostAt(double Size, double Cost);

/// <summary>
/// By which power of the size a cost grows: 0 stands still, 1 grows in proportion, 2 with the square. The slope of the straight line that
/// lies nearest to the logarithms, by least squares.
/// </summary>
/// <param name="Power">The slope.</param>
/// <param name="Spread">Two standard errors of it; not a number where there are too few points to know.</param>
sealed record Exponent(double Power, double Spread)
{
    /// <summary>About nineteen of twenty slopes lie within so many standard errors.</summary>
    const double Errors = 2;

    /// <summary>A line takes two numbers; with no more points than that nothing says how far they are off.</summary>
    const int Taken = 2;

    /// <summary>With more nobody can tell what stands still from what grows in proportion, or that from the square.</summary>
    const double MostSpread = 0.4;

    /// <summary>Nothing worse than in proportion; where the spread is unknown or wide, nobody can say so.</summary>
    public bool IsAtMostLinear => Power - Spread <= 1 && Spread <= MostSpread;

    public static Exponent Of(IEnumerable<CostAt> costs)
    {
        var logs = costs.Select(c => (X: Math.Log(c.Size), Y: Math.Log(c.Cost))).ToArray();
        var (x, y) = (logs.Average(l => l.X), logs.Average(l => l.Y));
        var width = logs.Sum(l => Square(l.X - x));
        var power = logs.Sum(l => (l.X - x) * (l.Y - y)) / width;
        var left = logs.Sum(l => Square(l.Y - y - power * (l.X - x)));
        var free = logs.Length - Taken;
        return new(power, free > 0 ? Errors * Math.Sqrt(left / free / width) : double.NaN);
    }

    /// <summary><c>0.98 ± 0.03</c>.</summary>
    public override string ToString() => $"{Power:0.00} ± {Spread:0.00}";

    static double Square(double value) => value * value;
}

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
