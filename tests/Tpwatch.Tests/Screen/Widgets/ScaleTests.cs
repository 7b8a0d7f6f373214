using Tpwatch.Screen.Commands;
using Tpwatch.Screen.Drawing;

namespace Tpwatch.Tests.Screen.Widgets;

public sealed class ScaleTests
{
    static readonly int[] Zooms = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

    [Fact]
    public void Labels_of_the_axis_never_touch_and_fit_their_ticks()
    {
        foreach (var zoom in Zooms)
        {
            for (var width = 0; width <= 300; width++)
            {
                foreach (var follows in (bool[])[true, false])
                {
                    var end = -10;
                    foreach (var (x, label) in TimeAxis.Ticks(new TimeWindow(Some.Start, zoom, 1000, width), follows))
                    {
                        var start = x + 1 + label.Length / 2 - label.Length;
                        Assert.True(start > end + 1, $"{label} at {x}, {zoom} ms");
                        end = start + label.Length - 1;
                    }
                }
            }
        }
    }

    [Fact]
    public void Labels_of_the_axis_are_round()
    {
        var labels = TimeAxis.Ticks(new TimeWindow(Some.Start, 250, 0, 76), fromNow: true).Select(t => t.Label);
        Assert.Equal(["-18s", "-15s", "-12s", "-9s", "-6s", "-3s", "now"], labels);
    }

    [Fact]
    public void All_values_lie_within_the_rows_at_any_range()
    {
        var random = new Random(12);
        for (var i = 0; i < 20000; i++)
        {
            var low = random.Next(0, i % 2 == 0 ? 40 : 40000);
            var (high, rows) = (low + random.Next(i % 3 == 0 ? 5 : 33000), random.Next(1, 20));
            var scale = ThreadScale.For(new LaneScales(low, high, 0, 0), rows);
            Assert.InRange(scale.RowOf(low), 0, rows - 1);
            Assert.InRange(scale.RowOf(high), 0, rows - 1);
            Assert.InRange(scale.DotOf(high), 0, rows * 4 - 1);
            Assert.Equal(0, scale.Base % scale.Step);
        }
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(10, 10)]
    [InlineData(11, 20)]
    [InlineData(165, 200)]
    [InlineData(510, 600)]
    [InlineData(801, 1000)]
    public void A_ceiling_is_round_and_not_below_the_value(double value, double ceiling) => Assert.Equal(ceiling, AreaLane.Nice(value, 10));
}
