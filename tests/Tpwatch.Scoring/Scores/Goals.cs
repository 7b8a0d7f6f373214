namespace Tpwatch.Scoring.Scores;

/// <summary>
/// The goals of one measuring command: each is said with what was measured, and one that is missed makes the command end with 1. What could
/// not be measured is missed, too, since a measurement that yields nothing proves nothing.
/// </summary>
sealed class Goals
{
    readonly List<string> missed = [];

    /// <summary>0 when all are met.</summary>
    public int ExitCode => missed.Count > 0 ? 1 : 0;

    /// <summary>The missed ones, a line each.</summary>
    public IEnumerable<string> Missed => missed.Select(what => $"missed: {what}");

    /// <summary>A goal whose measure is a sentence of its own.</summary>
    public Goals Add(string what, bool met)
    {
        if (!met)
        {
            missed.Add(what);
        }

        return this;
    }

    public Goals AtMost(string what, double measured, double targetThreads) =>
        Add($"{what}: {measured:0.###}, at most {targetThreads:0.###}", measured <= targetThreads);

    public Goals AtLeast(string what, double measured, double targetThreads) =>
        Add($"{what}: {measured:0.###}, at least {targetThreads:0.###}", measured >= targetThreads);

    /// <summary>Says what was missed; the exit code.</summary>
    public int Conclude()
    {
        foreach (var line in Missed)
        {
            Console.WriteLine(line);
        }

        return ExitCode;
    }
}

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
    public string Ratio() => $"{Median:0.000} ({Least:0.000}..{Most:0.000}), {Count}";
}

/// <summary>So many of so many.</summary>
readonly record struct Share(int Part, int Of)
{
    /// <summary>0 to 1; nothing of nothing is not a number.</summary>
    public double Ratio => Of == 0 ? double.NaN : Part / (double)Of;

    public static Share operator +(Share one, Share other) => new(one.Part + other.Part, one.Of + other.Of);

    public static Share Sum(IEnumerable<Share> shares) => shares.Aggregate(default(Share), (sum, one) => sum + one);

    /// <summary><c>98.7 % (75 of 76)</c>; rounded down, so that a goal that is missed does not look met.</summary>
    public override string ToString() => Of == 0
        ? "none"
        : $"{Math.Floor(Ratio * 1000) / 10:0.0} % ({Part} of {Of})";
}
