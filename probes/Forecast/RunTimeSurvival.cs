using Tpwatch.Reports.Items;

namespace Tpwatch.Forecast;

/// <summary>
/// How long items run, from those that ended and those that still do: to take the ended ones alone would miss just the long ones. The
/// product-limit estimate of E. Kaplan and P. Meier, Journal of the American Statistical Association 53 (1958).
/// </summary>
sealed class RunTimeSurvival
{
    /// <summary>What some ran, ascending, milliseconds.</summary>
    readonly List<double> times = [];

    /// <summary>The share of all that ran at most so long.</summary>
    readonly List<double> shares = [];

    /// <summary>The mean, milliseconds.</summary>
    public double MeanMs { get; private set; }

    /// <param name="ended">Run times of those that ended.</param>
    /// <param name="agesMs">How long the others have run so far.</param>
    public static RunTimeSurvival Of(DurationCounts ended, IEnumerable<double> agesMs)
    {
        var survival = new RunTimeSurvival();
        var ages = agesMs.OrderDescending().ToArray();
        var (left, atRisk) = (1.0, ended.Count);
        foreach (var bucket in ended.Filled)
        {
            var ms = ended.MiddleMs(bucket.Index);
            left *= 1 - bucket.Count / (double)(atRisk + ages.TakeWhile(age => age >= ms).Count());
            atRisk -= bucket.Count;
            survival.Add(ms, 1 - left);
        }

        // Those that run longer than any that ended are half through.
        if (ages.Length > 0 && left > 0)
        {
            survival.Add(Math.Max(ended.MaxNs / 1e6, 2 * ages[0]), 1);
        }

        return survival;
    }

    /// <summary>So long that share of the items runs at most, share 0 to 1, milliseconds.</summary>
    public double QuantileMs(double share) => times[FirstAt(shares, share)];

    /// <summary>The same of items that have run longer than <paramref name="ageMs"/> already; if none did, as long again.</summary>
    public double QuantileMs(double share, double ageMs)
    {
        if (ageMs >= times[^1])
        {
            return 2 * ageMs;
        }

        var before = times.FindLastIndex(t => t <= ageMs) is var at and >= 0 ? shares[at] : 0;
        return Math.Max(ageMs, QuantileMs(before + share * (1 - before)));
    }

    static int FirstAt(List<double> ascending, double value)
    {
        var at = ascending.BinarySearch(value);
        return Math.Min(at >= 0 ? at : ~at, ascending.Count - 1);
    }

    void Add(double ms, double share)
    {
        MeanMs += ms * (share - (shares.Count > 0 ? shares[^1] : 0));
        times.Add(ms);
        shares.Add(share);
    }
}
