using Tpwatch.Screen.FrontEnds.Ansi;

namespace Tpwatch.Tests.Screen.FrontEnds.Ansi;

public sealed class WakerTests
{
    [Fact]
    public void Whoever_was_woken_before_he_waits_does_not_wait()
    {
        using var waker = new Waker();
        waker.Wake();
        waker.WaitOne(Timeout.InfiniteTimeSpan);
    }

    [Fact]
    public void The_handler_of_a_signal_that_comes_after_the_end_is_not_in_the_way()
    {
        var waker = new Waker();
        waker.Dispose();
        Assert.Null(Record.Exception(waker.Wake));
    }

    [Fact]
    public void A_wait_below_a_millisecond_waits_all_the_same()
    {
        var wait = TimeSpan.FromMilliseconds(0.9);
        using var waker = new Waker();
        var start = TimeProvider.System.GetTimestamp();

        waker.WaitOne(wait);

        Assert.True(TimeProvider.System.GetElapsedTime(start) >= wait);
    }
}
