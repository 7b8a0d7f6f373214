using System.Text.Json;
using Tpwatch.Attach;
using Tpwatch.Benchmarks.Recording;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;

namespace Tpwatch.Tests.Replay;

/// <summary>Every scenario has a recording, and each recording shows what its scenario must show.</summary>
public sealed class CatalogueRecordingTests
{
    /// <summary>A window of 20 ms, and what rounding makes of it.</summary>
    const double WidestMs = 20.001;

    const long MostBytesInAll = 5_000_000;

    public static TheoryData<string> Names => [.. Recordings.All];

    [Fact]
    public void Every_row_of_the_catalogues_has_a_recording_or_a_reason()
    {
        var rows = CatalogueRun.All.Select(row => row.Stem).ToArray();
        Assert.Equal(rows.Distinct(), rows);
        Assert.Empty(Recordings.All.Except(rows));
        Assert.Empty(rows.Except(Recordings.All).Except(RecordingExceptions.MayLack.Keys));
        Assert.Empty(RecordingExceptions.MayLack.Keys.Except(rows));
        Assert.Empty(RecordingExceptions.OwnWords.Keys.Except(rows));
        Assert.All(RecordingExceptions.MayLack.Values, Assert.NotEmpty);
    }

    [Fact]
    public void The_index_and_the_readme_say_what_is_in_the_folder()
    {
        var index = RecordingIndex.Read(Recordings.Folder);

        Assert.Equal(Recordings.All, index.Recordings.Select(one => one.Name));
        Assert.All(index.Recordings, one => Assert.Equal(new FileInfo(Recordings.File(one.Name)).Length, one.Bytes));
        Assert.All(index.Recordings, one => Assert.StartsWith(Row(one.Name).Scenario.Name, one.Arguments, StringComparison.Ordinal));
        Assert.Equal(RecordingsReadme.Write(index), File.ReadAllText(Path.Combine(Recordings.Folder, "README.md")).ReplaceLineEndings("\n"));
        Assert.InRange(index.Recordings.Sum(one => one.Bytes), 1, MostBytesInAll);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_recording_shows_what_its_scenario_must_show(string name)
    {
        var report = await Recordings.ReplayAsync(Recordings.File(name));

        Assert.Null(RecordingRule.Complaint(report, Row(name).Expectation, new FileInfo(Recordings.File(name)).Length));
        Assert.Equal(RecordingIndex.Read(Recordings.Folder).Recordings.Single(one => one.Name == name).Verdict, JsonNamingPolicy.CamelCase.ConvertName(report.Verdict.ToString()));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task The_ledger_adds_up_and_its_windows_are_narrow(string name)
    {
        var report = await Recordings.ReplayAsync(Recordings.File(name));
        var tally = report.Tally;

        Assert.Equal(SessionEnd.EndOfRecording, report.End);
        Assert.Equal((0, 0, false), (report.Timeline.Quality.Lost, report.Timeline.Quality.Undecodable, report.Timeline.Quality.LossUnknown));
        Assert.Empty(report.Timeline.Quality.Remarks);
        Assert.Equal(tally.Total, tally.Fits + tally.Early + tally.Late + tally.NoRule + tally.NoData + tally.NotTimed + tally.Open);
        Assert.Equal(tally.Total, report.Gaps.Length + report.Evicted);
        Assert.All(report.Gaps, gap => Assert.All(gap.Windows, window => Assert.InRange(window.MaxMs - window.MinMs, 0, WidestMs + HinderedMs(report, gap))));
        Assert.All(report.Gaps.Where(gap => gap is { Verdict: GapVerdict.Fits, Windows.IsEmpty: false }), gap => Assert.Contains(gap.Windows, window => Holds(window, gap.ObservedMs)));
        Assert.All(report.Gaps, gap => Assert.NotEmpty(gap.Because));
        Assert.NotEmpty(report.Headline);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Read_at_a_pace_it_gives_the_same_bytes(string name)
    {
        var fast = await Recordings.ReplayAsync(Recordings.File(name));
        var paced = await Recordings.ReplayAsync(Recordings.File(name), speed: 2000);

        Assert.Equal(Recordings.Text(fast), Recordings.Text(paced));
        Assert.Equal(Recordings.Json(fast), Recordings.Json(paced));
        Assert.Equal(Recordings.Lines(fast), Recordings.Lines(paced));
    }

    /// <summary>By as much as the process is known to have been kept from running, a window may be wider.</summary>
    static double HinderedMs(PoolReport report, Gap gap) => gap.Start is { } start
        ? report.Timeline.Hindrances.Where(hindrance => hindrance.Span.Touches(new(start, gap.End))).Sum(hindrance => hindrance.Ms)
        : 0;

    static CatalogueRun Row(string name) => CatalogueRun.All.Single(row => row.Stem == name);

    static bool Holds(GapWindow window, double? ms) => window.MinMs <= ms && ms <= window.MaxMs;
}
