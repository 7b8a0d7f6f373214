using Tpwatch.Core;
using Tpwatch.Watch;

namespace Tpwatch.Tests;

public sealed class ReaderLagTests
{
    readonly Time time = new();
    readonly ReaderLag lag;
    double event0;

    public ReaderLagTests() => lag = new(time);

    [Fact]
    public void Who_keeps_up_is_not_behind_whatever_the_origins_of_the_clocks()
    {
        Read(seconds: 20, everyMs: 100, lateMs: 5_000_000);
        Assert.Equal(0, lag.Now.TotalMilliseconds, 1.0);
    }

    [Fact]
    public void Who_reads_later_and_later_is_behind_by_as_much_and_catches_up_again()
    {
        Read(5, 100, 80);
        Read(5, 100, 2580);
        Assert.Equal(2500, lag.Now.TotalMilliseconds, 1.0);
        Read(3, 100, 90);
        Assert.Equal(10, lag.Now.TotalMilliseconds, 1.0);
    }

    [Fact]
    public void One_late_batch_among_others_is_no_lag()
    {
        Read(5, 100, 80);
        Read(0.1, 100, 3000);
        Read(3, 100, 80);
        Assert.Equal(0, lag.Now.TotalMilliseconds, 1.0);
    }

    [Fact]
    public void A_heartbeat_that_is_late_is_no_stream_that_is_too_fast()
    {
        Read(5, 1000, 80);
        Read(5, 1000, 2080);
        Assert.Equal(0, lag.Now.TotalMilliseconds, 1.0);
    }

    [Fact]
    public void Silence_is_no_lag()
    {
        Read(5, 1000, 80);
        time.Ms += 60_000;
        lag.Look(new EventTime(0).PlusMs(event0));
        Assert.Equal(0, lag.Now.TotalMilliseconds, 1.0);
    }

    void Read(double seconds, double everyMs, double lateMs)
    {
        for (var passed = 0.0; passed < seconds * 1000; passed += everyMs)
        {
            event0 += everyMs;
            time.Ms = event0 + lateMs;
            lag.Look(new EventTime(0).PlusMs(event0));
        }
    }

    sealed class Time : TimeProvider
    {
        public double Ms { get; set; }

        public override long TimestampFrequency => 1_000_000;

        public override long GetTimestamp() => (long)(Ms * 1000);
    }
}
