using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Replay;

/// <summary>A recording that broke off or was damaged: what can be read is reported, nothing throws, nothing hangs.</summary>
public sealed class DamagedRecordingTests : IDisposable
{
    /// <summary>Random, but the same each time, so that a failure can be looked at.</summary>
    const int Seed = 20_261_121;

    const int Cuts = 25;
    const int Damages = 40;
    const int MostFlips = 12;

    /// <summary>Less is not a recording at all, which is another test's question.</summary>
    const int Magic = 32;

    readonly TempFolder folder = new();

    public static TheoryData<string> Names => TestRecordings.Names;

    public void Dispose() => folder.Dispose();

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Cut_anywhere_it_reports_what_came_before(string name)
    {
        var whole = await File.ReadAllBytesAsync(TestRecordings.File(name), TestContext.Current.CancellationToken);
        var random = new Random(Seed);
        var last = 0;
        foreach (var length in Enumerable.Range(0, Cuts).Select(_ => random.Next(Magic, whole.Length - 1)).Order())
        {
            var report = await ReportAsync(name, whole[..length], $"cut at {length}");
            Assert.Equal(SessionEnd.RecordingBroken, report.End);
            Assert.Contains(report.Timeline.Quality.Remarks, r => r.Contains("is incomplete", StringComparison.Ordinal));
            var decisions = report.Journal.Length;
            Assert.True(decisions >= last, $"cut at {length}: {decisions} decisions, but {last} from less of it");
            last = decisions;
        }

        Assert.True(last > 0);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task With_flipped_bytes_it_still_ends_with_a_report(string name)
    {
        var whole = await File.ReadAllBytesAsync(TestRecordings.File(name), TestContext.Current.CancellationToken);
        var random = new Random(Seed);
        for (var damage = 0; damage < Damages; damage++)
        {
            var bytes = whole.ToArray();
            var places = Enumerable.Range(0, random.Next(1, MostFlips)).Select(_ => random.Next(Magic, bytes.Length)).ToArray();
            foreach (var place in places)
            {
                bytes[place] ^= (byte)random.Next(1, 256);
            }

            await ReportAsync(name, bytes, $"flipped at {string.Join(", ", places)}");
        }
    }

    [Theory]
    [InlineData("pool-burst", Verdict.Starved)]
    [InlineData("sync-over-async", Verdict.Starved)]
    [InlineData("trickle", Verdict.SilentlyStarved)]
    public async Task Without_its_side_car_it_still_reports_and_names_what_is_missing(string name, Verdict verdict)
    {
        File.Copy(TestRecordings.File(name), folder["alone.nettrace"]);
        var report = await TestRecordings.ReplayAsync(folder["alone.nettrace"]);

        Assert.Equal((SessionEnd.EndOfRecording, verdict), (report.End, report.Verdict));
        Assert.Equal("alone.nettrace.json is missing. Without that file, tpwatch does not know all settings of the process, "
            + "or whether the process was stopped (TPW014). If you have the file, put it next to the recording.",
            Assert.Single(report.Timeline.Quality.Remarks));
        Assert.Contains("alone.nettrace.json", TestRecordings.Text(report).ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Null(report.Timeline.Clock);
        Assert.DoesNotContain("TPW014", report.Clear);
        Assert.Contains(report.Undecided, u => u.Id == "TPW014" && u.Missing.Contains("was not read", StringComparison.Ordinal));
        // The runtime counts its processors in the stream itself; min is its default then.
        Assert.Equal((8, SettingSource.Event), (report.Timeline.Target.Processors.Value, report.Timeline.Target.Processors.Source));
        // A look at the coarse clock is a guess without its readings.
        Assert.DoesNotContain(
            report.InjectionDelays.SelectMany(g => g.Ticks), t => t is
            {
                Sure: true, Basis: Basis.Inferred,
                SinceDequeueMs: > 490 and < 510
            });
    }

    async Task<PoolReport> ReportAsync(string name, byte[] bytes, string what)
    {
        var file = folder["damaged.nettrace"];
        await File.WriteAllBytesAsync(file, bytes, TestContext.Current.CancellationToken);
        File.Copy(SideCarFile.PathFor(TestRecordings.File(name)), SideCarFile.PathFor(file), overwrite: true);
        try
        {
            var report = await TestRecordings.ReplayAsync(file);
            Assert.NotEmpty(TestRecordings.Text(report));
            Assert.NotEmpty(TestRecordings.Json(report));
            return report;
        }
        catch (Exception e) when (e is not Xunit.Sdk.XunitException and not OperationCanceledException)
        {
            throw new InvalidOperationException($"{name} {what}: {e.GetType().Name} {e.Message}", e);
        }
    }
}
