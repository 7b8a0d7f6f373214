using Tpwatch.Reports;

namespace Tpwatch.Tests.Replay;

/// <summary>A recording gives one report, whatever the speed at which it is read.</summary>
public sealed class ReplayTests
{
    public static TheoryData<string> Names => TestRecordings.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_recording_gives_its_golden_text(string name) =>
        Golden.Verify($"Replay/{name}.txt", TestRecordings.Text(await TestRecordings.ReplayAsync(TestRecordings.File(name))));

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_recording_gives_its_golden_json(string name) =>
        Golden.Verify($"Replay/{name}.json", TestRecordings.Json(await TestRecordings.ReplayAsync(TestRecordings.File(name))));

    [Theory]
    [InlineData("pool-burst", Verdict.Starved)]
    [InlineData("sync-over-async", Verdict.Starved)]
    [InlineData("trickle", Verdict.SilentlyStarved)]
    public async Task A_recording_is_whole_and_judged_as_what_it_is(string name, Verdict verdict)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));

        Assert.Equal((SessionEnd.EndOfRecording, verdict), (report.End, report.Verdict));
        Assert.Equal((0, false), (report.Timeline.Quality.Lost, report.Timeline.Quality.LossUnknown));
        Assert.Empty(report.Timeline.Quality.Remarks);
        Assert.DoesNotContain(report.Undecided, u => u.Kind == MissingKind.Check);
        Assert.True(report.Tally.Early + report.Tally.Late + report.Tally.NoRule + report.Tally.NoData <= 1, report.Tally.ToString());
        Assert.InRange(new FileInfo(TestRecordings.File(name)).Length, 1, 300_000);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Every_speed_gives_the_same_bytes(string name)
    {
        var fast = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        foreach (var speed in (double[])[200, 2000])
        {
            var paced = await TestRecordings.ReplayAsync(TestRecordings.File(name), speed);
            Assert.Equal(TestRecordings.Text(fast), TestRecordings.Text(paced));
            Assert.Equal(TestRecordings.Json(fast), TestRecordings.Json(paced));
            Assert.Equal(TestRecordings.Lines(fast), TestRecordings.Lines(paced));
        }
    }
}
