using Tpwatch.Assertions;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Assertions;

public sealed class PoolAssertionTests
{
    [Fact]
    public void A_pool_that_starved_fails_with_a_message_that_reads_like_the_report()
    {
        var failure = Assert.Throws<PoolAssertionException>(() => SampleReports.Starved().ShouldNotStarve());
        Golden.Verify("Docs/should-not-starve.txt", failure.Message + "\n");
        Assert.Equal(25, failure.Report.InjectionDelays.Count(g => g.IsWait));
    }

    [Fact]
    public void A_healthy_pool_passes_everything_and_is_handed_on()
    {
        var report = SampleReports.Healthy() with { Clear = ["TPW001"] };
        Assert.Same(report, report.ShouldNotStarve().ShouldNotFind("TPW001").ShouldNotWaitLongerThan(TimeSpan.Zero));
    }

    [Fact]
    public void A_capture_that_cannot_say_fails_and_says_so()
    {
        var tooShort = SampleReports.Healthy() with { Timeline = SampleReports.Healthy().Timeline with { Now = SampleReports.At(800) } };
        var failure = Assert.Throws<PoolAssertionException>(tooShort.ShouldNotStarve);
        Assert.StartsWith(
            "It is not known whether the thread pool starved: the capture is too short: 800 ms", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_rule_and_a_wait_fail_with_their_own_first_line()
    {
        Assert.StartsWith("TPW001 was found.\n",
            Assert.Throws<PoolAssertionException>(() => SampleReports.Starved().ShouldNotFind("TPW002", "TPW001")).Message,
            StringComparison.Ordinal);
        Assert.StartsWith("It is not known whether TPW019 applies: the check is undecided",
            Assert.Throws<PoolAssertionException>(() => SampleReports.Starved().ShouldNotFind("TPW019")).Message, StringComparison.Ordinal);
        Assert.StartsWith("Items waited for a worker thread for more than 500 ms.", Assert.Throws<PoolAssertionException>(() =>
            SampleReports.Starved().ShouldNotWaitLongerThan(TimeSpan.FromMilliseconds(500))).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => SampleReports.Healthy().ShouldNotFind("TPW999"));
    }

    [Fact]
    public void Percentiles_are_durations() =>
        Assert.Equal(TimeSpan.FromMilliseconds(60),
            (SampleReports.Healthy() with { QueueDelay = new(10, 0, 1, 20, 60, 90, 120, []) }).QueueDelay!.P99);

    [Fact]
    public void Test_frameworks_know_the_failure_by_the_name_of_its_interface() =>
        Assert.Contains(typeof(PoolAssertionException).GetInterfaces(), i => i.Name == "IAssertionException");
}
