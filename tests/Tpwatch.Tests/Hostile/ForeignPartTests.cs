using System.Text.Json.Nodes;
using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Hostile;

/// <summary>A recording whose parts are somebody else's, cut, or made twice at once.</summary>
public sealed class ForeignPartTests : IDisposable
{
    const string Lock = "Deep/lock-convoy";
    const string Mixed = "Deep/mixed-blocking";

    readonly TempFolder folder = new();

    string Second => folder["a.deep.nettrace"];

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task Another_recordings_second_stream_is_refused_with_a_remark()
    {
        Bring(Lock);
        Assert.NotNull((await ReportAsync()).Items);
        File.Copy(DeepOf(Mixed), Second, overwrite: true);

        var report = await ReportAsync();

        Assert.Null(report.Items);
        Assert.Contains("belongs to another recording", Said(report), StringComparison.Ordinal);
    }

    /// <summary>Of the same process, begun a moment later: only the id tells.</summary>
    [Fact]
    public async Task The_id_of_a_side_car_has_the_last_word()
    {
        Bring(Lock);
        using (var first = File.OpenRead(Second))
        {
            Name(TraceHeader.Of(first)!.Id);
        }

        Assert.NotNull((await ReportAsync()).Items);
        Name("1-2");
        Assert.Contains("belongs to another recording", Said(await ReportAsync()), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0.5)]
    [InlineData(0.9)]
    [InlineData(0.999)]
    public async Task A_second_stream_that_was_cut_is_told(double share)
    {
        Bring(Lock);
        var bytes = await File.ReadAllBytesAsync(Second, TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(Second, bytes[..(int)(bytes.Length * share)], TestContext.Current.CancellationToken);
        Assert.Contains("is incomplete or damaged", Said(await ReportAsync()), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_second_stream_that_is_whole_needs_no_remark()
    {
        Bring(Lock);
        Assert.DoesNotContain("deep", Said(await ReportAsync()), StringComparison.Ordinal);
    }

    [Fact(Timeout = 30_000)]
    public async Task Of_two_that_record_to_one_file_the_second_is_refused_and_harms_nothing()
    {
        Bring(Lock);
        var options = new WatchOptions { RecordTo = folder["same"], ReplaySpeed = 1 };
        await using var first = ThreadPoolWatch.Replay(folder["a.nettrace"], options);
        var refused = Assert.Throws<UserErrorException>(() => ThreadPoolWatch.Replay(folder["a.nettrace"], options));
        while (new FileInfo(folder["same"]).Length == 0)
        {
            await Task.Delay(1, TestContext.Current.CancellationToken);
        }

        await first.StopAsync(TestContext.Current.CancellationToken);

        Assert.Equal(ExitCode.Arguments, refused.ExitCode);
        Assert.Equal(["same", "same.deep", "same.json"], Made("same*"));
        await using var again = RecordedSession.Open(folder["same"]);
        Assert.NotNull(again.SideCar);
    }

    /// <summary>The last of the three cannot be created: none is left.</summary>
    [Theory]
    [InlineData("same.json")]
    [InlineData("same.deep")]
    public void What_cannot_be_begun_leaves_nothing(string taken)
    {
        Bring(Lock);
        folder.Write(taken, "settings");
        Assert.Throws<UserErrorException>(() => ThreadPoolWatch.Replay(folder["a.nettrace"], new() { RecordTo = folder["same"] }));
        Assert.Equal([taken], Made("same*"));
        Assert.Equal("settings", File.ReadAllText(folder[taken]));
    }

    string[] Made(string pattern) =>
        [.. Directory.GetFiles(folder.Path, pattern).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)];

    void Name(string id)
    {
        var told = JsonNode.Parse(File.ReadAllText(folder["a.nettrace.json"]))!;
        told["deepId"] = id;
        File.WriteAllText(folder["a.nettrace.json"], told.ToJsonString());
    }

    void Bring(string name)
    {
        File.Copy(TestRecordings.File(name), folder["a.nettrace"]);
        File.Copy(TestRecordings.File(name) + ".json", folder["a.nettrace.json"]);
        File.Copy(DeepOf(name), Second);
    }

    Task<PoolReport> ReportAsync() => TestRecordings.ReplayAsync(folder["a.nettrace"]);

    static string DeepOf(string name) => SideStreamRecording.PathFor(TestRecordings.File(name));

    static string Said(PoolReport report) => string.Join('\n', report.Timeline.Quality.Remarks);
}
