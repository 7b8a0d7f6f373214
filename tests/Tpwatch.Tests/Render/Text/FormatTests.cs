using Tpwatch.Core;

namespace Tpwatch.Tests.Render.Text;

public sealed class FormatTests
{
    [Theory]
    [InlineData(9.94, "9.9 ms")]
    [InlineData(979, "979 ms")]
    [InlineData(979.5, "1.0 s")]
    [InlineData(59_949, "59.9 s")]
    [InlineData(59_950, "1 min 00 s")]
    [InlineData(60_000, "1 min 00 s")]
    [InlineData(98_900, "1 min 38 s")]
    [InlineData(7_199_499, "119 min 59 s")]
    [InlineData(7_199_500, "2 h 00 min")]
    [InlineData(-250, "-250 ms")]
    public void A_duration_has_the_unit_of_its_size(double ms, string expected) => Assert.Equal(expected, Format.Duration(ms));

    [Theory]
    [InlineData(59_949, "60 s")]
    [InlineData(59_960, "1 min 00 s")]
    [InlineData(140_400, "2 min 20 s")]
    public void An_estimate_is_rounded(double ms, string expected) => Assert.Equal(expected, Format.Rough(ms));
}
