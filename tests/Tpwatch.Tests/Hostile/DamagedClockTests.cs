using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Hostile;

/// <summary>A header whose clock cannot be: times stay within what a difference can hold.</summary>
public sealed class DamagedClockTests : IDisposable
{
    /// <summary>Where the header has the clock's moment of the start, and behind it the ticks of a second.</summary>
    const int StartAt = 0x45;
    const int TicksAt = 0x4D;

    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData(TicksAt, 0)]
    [InlineData(TicksAt, -1)]
    [InlineData(TicksAt, 1)]
    [InlineData(StartAt, long.MinValue)]
    [InlineData(StartAt, long.MaxValue)]
    public async Task A_capture_has_a_length_whatever_the_header_says(int at, long value)
    {
        var file = folder["a.nettrace"];
        var bytes = await File.ReadAllBytesAsync(TestRecordings.File("sync-over-async"), TestContext.Current.CancellationToken);
        Assert.Equal(1_000_000_000, BitConverter.ToInt64(bytes, TicksAt));
        BitConverter.TryWriteBytes(bytes.AsSpan(at), value);
        await File.WriteAllBytesAsync(file, bytes, TestContext.Current.CancellationToken);

        var timeline = (await TestRecordings.ReplayAsync(file)).Timeline;

        Assert.InRange(timeline.Now.MsSince(timeline.Start), 0, double.MaxValue);
        Assert.All(timeline.CounterSamples, b => Assert.InRange(b.At.Nanoseconds, 0, long.MaxValue / 2));
    }
}
