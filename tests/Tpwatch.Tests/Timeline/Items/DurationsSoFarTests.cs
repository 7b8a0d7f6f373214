using Tpwatch.Core;
using Tpwatch.Items;
using Tpwatch.Reports;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Timeline.Items;

/// <summary>Items that still wait or run belong to the quantiles.</summary>
public sealed class DurationsSoFarTests
{
    /// <summary>The middle of a bucket is off by so much at most.</summary>
    const double Bucket = 0.01;

    [Fact]
    public void Items_that_still_wait_make_lower_bounds_of_the_quantiles()
    {
        // Eight at once, four after the first checks, eighteen still there, the oldest for 13 s.
        var part = Of([.. Enumerable.Repeat(0.0, 8), .. Enumerable.Repeat(501.0, 4)], [.. Enumerable.Repeat(13_000.0, 18)]);

        Assert.Equal(13_000, part.P50Ms, 130.0);
        Assert.Equal(13_000, part.MaxMs);
        Assert.Equal(LowerBounds.P50 | LowerBounds.P90 | LowerBounds.P95 | LowerBounds.P99 | LowerBounds.P999 | LowerBounds.Max,
            part.AtLeast);
        Assert.Equal((12, 18), (part.Count, part.Unfinished));
    }

    [Fact]
    public void A_few_that_have_just_begun_change_nothing()
    {
        double[] over = [.. Enumerable.Range(1, 1000).Select(n => (double)n)];
        var (plain, part) = (Of(over, []), Of(over, [0.01, 0.02]));

        Assert.Equal((plain.P50Ms, plain.P99Ms, plain.P999Ms, plain.MaxMs), (part.P50Ms, part.P99Ms, part.P999Ms, part.MaxMs));
        Assert.Equal(LowerBounds.None, part.AtLeast);
    }

    [Fact]
    public void Where_none_is_over_what_waits_is_known_and_too_many_to_tell_prove_nothing()
    {
        var part = DistributionBuilder.Of(DurationCounts.None, 0, new([1000, 2000, 3000], 0));

        Assert.Equal((2000, 3000), (part.P50Ms, part.MaxMs));
        Assert.True(part.IsKnown);
        Assert.Equal((0, LowerBounds.P50), (Of([5], [], 10).P50Ms, Of([5], [], 10).AtLeast & LowerBounds.P50));
    }

    [Fact]
    public void A_lower_bound_lies_below_what_the_durations_come_to_be()
    {
        var bounds = 0;
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            double[] all = [.. Enumerable.Range(0, random.Next(1, 300)).Select(_ => Math.Exp(random.NextDouble() * 12))];
            double[] ages = [.. all.Select(_ => Math.Exp(random.NextDouble() * 14))];
            var (truth, part) = (Of(all, []), Of([.. all.Where((ms, i) => ms <= ages[i])], [.. ages.Where((age, i) => all[i] > age)]));
            bounds += part.AtLeast.HasFlag(LowerBounds.P999) ? 1 : 0;
            return IsBelow(part, LowerBounds.P50, part.P50Ms, truth.P50Ms) && IsBelow(part, LowerBounds.Max, part.MaxMs, truth.MaxMs)
                && part.P50Ms <= part.P90Ms && part.P90Ms <= part.P95Ms && part.P95Ms <= part.P99Ms && part.P99Ms <= part.P999Ms;
        });
        Assert.True(bounds > 10, $"only {bounds} lower bounds were tried");
    }

    [Fact]
    public void The_estimate_is_right_on_average_where_the_ended_ones_alone_are_not()
    {
        var (estimated, naive, truth) = (0.0, 0.0, 0.0);
        ForAnySeed(seed =>
        {
            var random = new Random(seed);
            double[] all = [.. Enumerable.Range(0, 400).Select(_ => -1000 * Math.Log(1 - random.NextDouble()))];
            double[] ages = [.. all.Select(_ => 3000 * random.NextDouble())];
            double[] over = [.. all.Where((ms, i) => ms <= ages[i])];
            estimated += Of(over, [.. ages.Where((age, i) => all[i] > age)]).P50Ms;
            (naive, truth) = (naive + Of(over, []).P50Ms, truth + Of(all, []).P50Ms);
            return true;
        }, tests: 50);
        Assert.InRange(estimated / truth, 0.95, 1.05);
        Assert.True(naive / truth < 0.85, "the ended ones alone would do: the test says nothing");
    }

    static bool IsBelow(Distribution part, LowerBounds which, double bound, double truth) =>
        !part.AtLeast.HasFlag(which) || bound <= truth * (1 + Bucket);

    static Distribution Of(double[] overMs, double[] agesMs, long others = 0)
    {
        var counter = new DurationCounter();
        Array.ForEach(overMs, ms => counter.Add((long)(ms * 1e6)));
        return DistributionBuilder.Of(counter.Snapshot(), 0, new(agesMs, others));
    }
}
