using Tpwatch.Watch;

namespace Tpwatch.Tests.Capture;

public sealed class StreamActivityTests
{
    readonly ManualClock time = new();

    [Fact]
    public void Of_a_live_stream_a_read_that_brought_nothing_publishes_nothing()
    {
        var news = new StreamActivity(time, isLive: true);
        news.Come();

        Assert.True(news.IsDue());
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(news.IsDue());
    }

    [Fact]
    public void Of_a_live_stream_what_came_is_published_at_once()
    {
        var news = new StreamActivity(time, isLive: true);
        news.Come();
        _ = news.IsDue();
        news.Come();

        Assert.True(news.IsDue());
    }

    [Fact]
    public void A_recording_is_published_twenty_times_a_second_at_most()
    {
        var news = new StreamActivity(time, isLive: false);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(news.IsDue());
        time.Advance(TimeSpan.FromMilliseconds(49));
        Assert.False(news.IsDue());
        time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.True(news.IsDue());
    }

    [Fact]
    public void Silence_ends_with_bytes_whatever_they_bring()
    {
        var news = new StreamActivity(time, isLive: true);
        time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(TimeSpan.FromSeconds(3), news.Silence);

        _ = news.IsDue();

        Assert.Equal(TimeSpan.Zero, news.Silence);
    }
}
