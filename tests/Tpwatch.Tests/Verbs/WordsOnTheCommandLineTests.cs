using Tpwatch.Run;

namespace Tpwatch.Tests.Verbs;

public sealed class WordsOnTheCommandLineTests
{
    [Theory]
    [InlineData("250ms", 0.25)]
    [InlineData("30s", 30)]
    [InlineData("1.5s", 1.5)]
    [InlineData("5m", 300)]
    [InlineData("5min", 300)]
    [InlineData("1h", 3600)]
    [InlineData("1m30s", 90)]
    [InlineData("2d", 172_800)]
    [InlineData("00:00:00:30", 30)]
    [InlineData("1:02:03:04", 93_784)]
    [InlineData("00:01:00", 60)]
    public void Durations_are_read(string text, double seconds)
    {
        Assert.True(DurationParser.TryParse(text, out var duration));
        Assert.Equal(seconds, duration.TotalSeconds);
    }

    [Theory]
    [InlineData("")]
    [InlineData("30")]
    [InlineData("0s")]
    [InlineData("-5s")]
    [InlineData("s")]
    [InlineData("5 s")]
    [InlineData("5x")]
    [InlineData("1..5s")]
    [InlineData("99999999d")]
    [InlineData("9999999999s")]
    [InlineData("32d")]
    [InlineData("25:00")]
    [InlineData("00:00:00:00")]
    [InlineData("00:00:61")]
    [InlineData("٣s")]
    public void What_is_no_duration_is_refused(string text) => Assert.False(DurationParser.TryParse(text, out _));

    [Theory]
    [InlineData("1", 1)]
    [InlineData("500kB", 512_000)]
    [InlineData("64MB", 67_108_864)]
    [InlineData("64 mb", 67_108_864)]
    [InlineData("1GiB", 1_073_741_824)]
    [InlineData("10b", 10)]
    public void Sizes_are_read(string text, long bytes)
    {
        Assert.True(ByteSizeParser.TryParse(text, out var size));
        Assert.Equal(bytes, size);
    }

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("MB")]
    [InlineData("-1MB")]
    [InlineData("1.5MB")]
    [InlineData("999999999999GB")]
    public void What_is_no_size_is_refused(string text) => Assert.False(ByteSizeParser.TryParse(text, out _));

    [Fact]
    public void A_recording_gets_a_name_that_every_file_system_takes() => Assert.Equal(
        "My_Api__x.Web_20261121_022906.nettrace",
        RecordingPath.NameFor("My Api:/x.Web".Replace(":/", "__", StringComparison.Ordinal), new(2026, 11, 21, 2, 29, 6, TimeSpan.Zero)));
}
