using Tpwatch.Tests.Reporting;
using Tpwatch.Watching;

namespace Tpwatch.Tests.Watching;

public sealed class PacedReportsTests
{
    readonly ManualClock time = new();

    [Theory]
    [InlineData(0, 250)]
    [InlineData(1, 250)]
    [InlineData(2, 400)]
    [InlineData(50, 1000)]
    public void A_report_that_takes_longer_is_made_less_often_but_once_a_second(double reportMs, double pauseMs)
    {
        var made = 0;
        var report = new PoolScript().Pass(1000).Report();
        var paced = new PacedReports(
            () =>
            {
                made++;
                time.Advance(TimeSpan.FromMilliseconds(reportMs));
                return report;
            },
            time);
        Assert.Same(report, paced.Take());
        time.Advance(TimeSpan.FromMilliseconds(pauseMs - 1));
        paced.Take();
        Assert.Equal(1, made);

        time.Advance(TimeSpan.FromMilliseconds(1));
        paced.Take();

        Assert.Equal(2, made);
    }
}
