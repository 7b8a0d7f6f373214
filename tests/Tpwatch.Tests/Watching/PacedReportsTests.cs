using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Watching;

public sealed class PacedReportsTests
{
    static readonly PoolReport Any = new PoolScript().Pass(1000).Report();

    readonly ManualClock time = new();
    int made;
    PoolReport newest = Any;

    [Theory]
    [InlineData(0, 250)]
    [InlineData(1, 250)]
    [InlineData(2, 400)]
    [InlineData(50, 800)]
    public void Reports_that_take_longer_are_made_less_often_but_once_a_second(double reportMs, double pauseMs)
    {
        var paced = Paced(() => reportMs);
        paced.Take();
        Pass(250);
        paced.Take();
        Assert.Equal(2, made);

        Pass(pauseMs - 1);
        paced.Take();
        Assert.Equal(2, made);
        Pass(1);
        paced.Take();
        Assert.Equal(3, made);
    }

    [Fact]
    public void One_that_took_long_alone_does_not_hold_up_the_next()
    {
        var paced = Paced(() => made == 2 ? 50 : 1);
        paced.Take();
        Pass(250);
        paced.Take();
        Pass(250);
        paced.Take();

        Assert.Equal(3, made);
    }

    [Fact]
    public void Where_nothing_is_new_the_next_look_asks_again()
    {
        var paced = new PacedReports(() => newest, time);
        paced.Take();
        Pass(250);
        Assert.Same(Any, paced.Take());
        newest = Any with { Headline = "new" };

        Assert.Same(newest, paced.Take());
    }

    PacedReports Paced(Func<double> tookMs) => new(
        () =>
        {
            made++;
            Pass(tookMs());
            return Any with { Headline = made.ToString(System.Globalization.CultureInfo.InvariantCulture) };
        },
        time);

    void Pass(double ms) => time.Advance(TimeSpan.FromMilliseconds(ms));
}
