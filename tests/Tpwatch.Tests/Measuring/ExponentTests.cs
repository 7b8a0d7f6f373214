using Tpwatch.Lab.Growth;

namespace Tpwatch.Tests.Measuring;

/// <summary>
/// How fast a cost grows is told by the slope of its logarithms, and how well that is known by how far they are off the line.
/// </summary>
public sealed class ExponentTests
{
    const int Digits = 9;

    static readonly double[] Sizes = [1, 10, 100, 1000, 10_000];

    [Theory]
    [InlineData(0, true)]
    [InlineData(0.5, true)]
    [InlineData(1, true)]
    [InlineData(1.2, false)]
    [InlineData(2, false)]
    public void A_pure_power_is_told_as_it_is(double power, bool atMostLinear)
    {
        var told = Of(size => 0.3 * Math.Pow(size, power));
        Assert.Equal((power, 0), (Math.Round(told.Power, Digits), Math.Round(told.Spread, Digits)));
        Assert.Equal(atMostLinear, told.IsAtMostLinear);
    }

    /// <summary>
    /// By hand, in logarithms to the base 10: (0, 0), (1, 1.2), (2, 1.8). Slope 0.9; off the line by -0.1, 0.2, -0.1; so the variance is
    /// 0.06 by one, the standard error the root of 0.06 by 2.
    /// </summary>
    [Fact]
    public void The_spread_is_two_standard_errors()
    {
        var told = Exponent.Of([new(1, 1), new(10, Math.Pow(10, 1.2)), new(100, Math.Pow(10, 1.8))]);
        Assert.Equal(0.9, told.Power, Digits);
        Assert.Equal(2 * Math.Sqrt(0.03), told.Spread, Digits);
        Assert.Equal("0.90 ± 0.35", told.ToString());
    }

    [Fact]
    public void A_fixed_part_makes_it_less_and_the_square_above_it_shows_in_the_largest()
    {
        double Cost(double size) => 1000 + 0.001 * size * size;
        Assert.InRange(Of(Cost).Power, 0.2, 0.8);
        Assert.InRange(Exponent.Of(new double[] { 3000, 10_000, 30_000 }.Select(size => new CostAt(size, Cost(size)))).Power, 1.7, 2);
    }

    [Theory]
    [InlineData(144, 480, 1440)]
    [InlineData(2016, 6000, 20_160)]
    [InlineData(50_000, 150_000, 500_000)]
    public void What_takes_a_logarithm_more_is_told_from_the_machine(double small, double middle, double large) =>
        Assert.InRange(
            Exponent.Of(new[] { small, middle, large }.Select(size => new CostAt(size, size * Math.Log(size)))).Power, 1.07, 1.2);

    [Fact]
    public void More_than_in_proportion_within_its_spread_is_no_miss_and_a_spread_that_tells_nothing_is_one()
    {
        Assert.True(new Exponent(1.04, 0.05).IsAtMostLinear);
        Assert.False(new Exponent(1.06, 0.05).IsAtMostLinear);
        Assert.False(new Exponent(0.5, 0.9).IsAtMostLinear);
        Assert.False(Exponent.Of([new(1, 1), new(10, 2)]).IsAtMostLinear);
    }

    [Fact]
    public void A_scale_ends_with_whole_powers_of_ten_and_gives_each_the_same_room()
    {
        var scale = LogScale.Of([0.5, 20, 700], 0, 400);
        Assert.Equal(["0.0", "100.0", "200.0", "300.0", "400.0"], new[] { 0.1, 1, 10, 100, 1000 }.Select(scale.At));
        Assert.Equal([-1, 0, 1, 2, 3], scale.Decades.Select(decade => Math.Round(Math.Log10(decade))));
        Assert.Equal([0, 1], LogScale.Of([1, 1], 0, 400).Decades.Select(Math.Log10));
    }

    static Exponent Of(Func<double, double> cost) => Exponent.Of(Sizes.Select(size => new CostAt(size, cost(size))));
}
