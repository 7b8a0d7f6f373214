using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>Durations of items that still wait or run.</summary>
/// <param name="AgesMs">The age of each item so far, milliseconds.</param>
/// <param name="Others">Number of further items whose age is not known.</param>
sealed record OpenDurations(IReadOnlyList<double> AgesMs, long Others)
{
    public static OpenDurations None { get; } = new([], 0);
}

/// <summary>
/// Computes quantiles of durations of which some are incomplete; the complete durations alone would omit the longest. With enough complete
/// durations, the result is the product-limit estimate of E. Kaplan and P. Meier, Journal of the American Statistical Association 53
/// (1958). Otherwise, the result is the proven value, as if all durations ended now, marked as a lower bound. Callers ask for the smallest
/// share first.
/// </summary>
sealed class DurationsSoFar
{
    /// <summary>Tolerance for rounding errors.</summary>
    const double Nothing = 1e-9;

    readonly DurationCounts over;
    readonly double[] ages;
    readonly long others;
    readonly List<(double Ms, double Share)> estimate = [];
    double before;

    public DurationsSoFar(DurationCounts over, OpenDurations open)
    {
        (this.over, ages, others) = (over, [.. open.AgesMs.Order()], open.Others);
        if (Unfinished > 0 && others == 0)
        {
            Estimate();
        }
    }

    /// <summary>Number of incomplete durations.</summary>
    public long Unfinished => ages.Length + others;

    /// <summary>The values requested so far that are only lower bounds.</summary>
    public LowerBounds AtLeast { get; private set; }

    /// <summary>
    /// The quantile of <paramref name="share"/> (0 to 1), milliseconds; adds <paramref name="name"/> to <see cref="AtLeast"/> if the
    /// quantile is a lower bound.
    /// </summary>
    public double Next(double share, LowerBounds name)
    {
        if (Unfinished == 0)
        {
            return over.Count == 0 ? 0 : over.QuantileMs(share);
        }

        var at = estimate.FindIndex(e => e.Share >= share - Nothing);
        AtLeast |= at < 0 ? name : LowerBounds.None;
        return before = Math.Max(before, at < 0 ? ProvenMs(share) : estimate[at].Ms);
    }

    /// <summary>The longest duration so far, milliseconds.</summary>
    public double Longest()
    {
        var (longest, oldest) = (over.MaxNs / 1e6, ages.Length == 0 ? 0 : ages[^1]);
        AtLeast |= others > 0 || oldest > longest ? LowerBounds.Max : LowerBounds.None;
        return Math.Max(longest, oldest);
    }

    void Estimate()
    {
        var (left, atRisk, younger) = (1.0, over.Count, 0);
        foreach (var bucket in over.Filled)
        {
            var ms = over.MiddleMs(bucket.Index);
            while (younger < ages.Length && ages[younger] < ms)
            {
                younger++;
            }

            left *= 1 - bucket.Count / (double)(atRisk + ages.Length - younger);
            atRisk -= bucket.Count;
            estimate.Add((ms, 1 - left));
        }
    }

    // The quantile by the nearest rank if all durations ended now; durations of unknown age count as zero.
    double ProvenMs(double share)
    {
        var rank = (long)Math.Ceiling(share * (over.Count + Unfinished)) - others;
        if (rank <= 0)
        {
            return 0;
        }

        var (seen, young) = (0L, 0);
        foreach (var bucket in over.Filled)
        {
            var ms = over.MiddleMs(bucket.Index);
            for (; young < ages.Length && ages[young] < ms; young++)
            {
                if (++seen >= rank)
                {
                    return ages[young];
                }
            }

            seen += bucket.Count;
            if (seen >= rank)
            {
                return ms;
            }
        }

        return ages.Length == 0 ? over.MaxNs / 1e6 : ages[Math.Clamp((int)(young + rank - seen) - 1, 0, ages.Length - 1)];
    }
}
