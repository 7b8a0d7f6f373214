using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Replay;

/// <summary>A replay that is itself recorded: how a recording begins and ends, without a process.</summary>
public sealed class RecordingAgainTests : IDisposable
{
    static readonly string Source = TestRecordings.File("pool-burst");

    readonly TempFolder folder = new();

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task A_recording_that_reached_its_limit_is_not_damaged_but_one_that_was_cut_is()
    {
        await using (var watch = ThreadPoolWatch.Replay(
            Source, new() { RecordTo = folder["a"], RecordLimitBytes = new FileInfo(Source).Length / 2 }))
        {
            await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
            Assert.Contains("limit", watch.RecordingEnded, StringComparison.Ordinal);
            Assert.False(watch.RecordingFailed);
        }

        var report = await TestRecordings.ReplayAsync(folder["a"]);
        Assert.Equal(SessionEnd.EndOfRecording, report.End);
        Assert.Contains(report.Timeline.Quality.Remarks, r => r.Contains("limit", StringComparison.Ordinal));

        var bytes = await File.ReadAllBytesAsync(folder["a"], Cancel);
        await File.WriteAllBytesAsync(folder["a"], bytes[..^1000], Cancel);
        Assert.Equal(SessionEnd.RecordingBroken, (await TestRecordings.ReplayAsync(folder["a"])).End);
    }

    [Fact]
    public void A_side_car_that_cannot_be_written_is_told_at_the_start()
    {
        Directory.CreateDirectory(folder["a.json"]);
        var e = Assert.Throws<UserErrorException>(() => ThreadPoolWatch.Replay(Source, new() { RecordTo = folder["a"] }));
        Assert.Equal(ExitCode.Arguments, e.ExitCode);
    }

    [Fact]
    public async Task A_side_car_that_cannot_be_written_at_the_end_is_a_remark_and_the_report_is_there()
    {
        await using var watch = ThreadPoolWatch.Replay(Source, new() { RecordTo = folder["a"], ReplaySpeed = 1 });
        Assert.True(File.Exists(folder["a.json"]));
        File.Delete(folder["a.json"]);
        Directory.CreateDirectory(folder["a.json"]);
        await watch.StopAsync(Cancel);
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
        Assert.True(watch.RecordingFailed);
        Assert.Contains(watch.Report().Timeline.Quality.Remarks, r => r.Contains("a.json cannot be written", StringComparison.Ordinal));
    }

    [Fact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task A_device_gets_no_side_car()
    {
        await using var watch = ThreadPoolWatch.Replay(Source, new() { RecordTo = "/dev/null" });
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
        Assert.False(watch.RecordingFailed);
        Assert.False(File.Exists("/dev/null.json"));
    }

    [Fact]
    public async Task A_replay_that_is_stopped_was_stopped_by_us_and_reads_no_further()
    {
        var whole = (await TestRecordings.ReplayAsync(Source)).Timeline.Quality.Events;
        await using var watch = ThreadPoolWatch.Replay(Source, new() { ReplaySpeed = 1 });
        await watch.StopAsync(Cancel);
        Assert.Equal(SessionEnd.StoppedByUs, await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel));
        Assert.InRange(watch.Report().Timeline.Quality.Events, 0, whole - 1);
        Assert.DoesNotContain(watch.Report().Timeline.Quality.Remarks, r => r.Contains("is incomplete", StringComparison.Ordinal));
    }
}
