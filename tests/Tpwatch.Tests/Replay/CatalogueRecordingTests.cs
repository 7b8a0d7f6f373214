using Tpwatch.Lab.Recording;
using Tpwatch.Reports;
using Tpwatch.Scoring.Checks;
using Tpwatch.Tests.Stored;

namespace Tpwatch.Tests.Replay;

/// <summary>Every run of the matrix is stored, and what the engine says of each is what its record says.</summary>
public sealed class CatalogueRecordingTests
{
    /// <summary>A window of 20 ms, and what rounding makes of it.</summary>
    const double WidestMs = 20.001;

    const long MostBytesInAll = 12_000_000;

    /// <summary>A third of the scenarios is run on the older runtimes and beside a neighbour.</summary>
    const int OneIn = 3;

    public static TheoryData<string> Names => [.. StoredRuns.Names];

    /// <summary>One of each row of the catalogues that is stored.</summary>
    public static TheoryData<string> Rows => [.. RunMatrix.All.Where(plan => plan.Name == plan.Row.Stem).Select(plan => plan.Name)];

    [Fact]
    public void Every_run_of_the_matrix_is_stored_and_no_other()
    {
        Assert.Equal(RunMatrix.All.Select(plan => plan.Name).Order(StringComparer.Ordinal), StoredRuns.Names);
        Assert.Equal(ScenarioRow.All.Select(row => row.Stem).Distinct(), ScenarioRow.All.Select(row => row.Stem));
        Assert.All((Func<RunPlan, bool>[])[plan => plan.Runtime == TargetRuntime.Net8,
            plan => plan.Runtime == TargetRuntime.Net9, plan => plan.Runtime == TargetRuntime.Net11, plan => plan.Loaded,
            plan => plan.LateMs is not null],
            which => Assert.True(RunMatrix.All.Where(which).Select(plan => plan.Row.Scenario.Name).Distinct()
                .Count() * OneIn >= ScenarioRow.All.Select(row => row.Scenario.Name).Distinct().Count()));
    }

    [Fact]
    public void The_readme_says_what_is_in_the_folder()
    {
        Golden.VerifyPage("tests/Recordings/README.md", RecordingsReadme.Write(TestRecordings.Folder));
        Assert.InRange(
            Directory.GetFiles(TestRecordings.Folder, "*", SearchOption.AllDirectories)
                .Sum(file => new FileInfo(file).Length), 1, MostBytesInAll);
    }

    [Fact]
    public async Task Every_verdict_is_the_true_one_of_some_run()
    {
        var right = await Task.WhenAll(StoredRuns.Names.Select(async name => TrueVerdict.Of(
            (await StoredRuns.OfAsync(name)).Truth, RunMatrix.Of(name).Row.Expectation.Work, (await StoredRuns.OfAsync(name)).From)));
        var alone = right.Where(verdicts => verdicts.Length == 1).Select(verdicts => verdicts[0])
            .Append(right.SelectMany(verdicts => verdicts).First(verdict => verdict == "undecided"));
        Assert.Equal(Enum.GetValues<Verdict>().Select(ExpectationCheck.Word).Order(StringComparer.Ordinal),
            alone.Distinct().Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_stored_run_is_told_as_its_record_says(string name)
    {
        var stored = await StoredRuns.ReadAsync(name);

        string[] differences = [.. ExpectationCheck.Differences(stored.Run, stored.Plan),
            .. TruthCheck.Differences(stored.Run, stored.Plan.Row)];
        Assert.True(
            differences.Length == 0,
            string.Join('\n', [.. differences, stored.Run.Report.Headline, ObservedRun.Describe(stored.Run.Report.InjectionDelays)]));
        // Where the record leaves several verdicts open, a run as its scenario is meant has the scenario's.
        if (stored.Plan is { Loaded: false, LateMs: null, Label: null })
        {
            Assert.Contains(ExpectationCheck.Word(stored.Run.Report.Verdict), stored.Plan.Row.Expectation.Verdicts);
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task The_ledger_adds_up_and_its_windows_are_narrow(string name)
    {
        var report = (await StoredRuns.OfAsync(name)).Report;
        var tally = report.Tally;

        Assert.Equal(SessionEnd.EndOfRecording, report.End);
        Assert.Equal(
            (0, 0, false), (report.Timeline.Quality.Lost, report.Timeline.Quality.Undecodable, report.Timeline.Quality.LossUnknown));
        Assert.Empty(report.Timeline.Quality.Remarks);
        Assert.Equal(tally.Total, tally.AsExpected + tally.Early + tally.Late + tally.NoRule + tally.NoData + tally.NotTimed + tally.Open);
        Assert.Equal(tally.Total, report.InjectionDelays.Length + report.Evicted);
        Assert.All(report.InjectionDelays,
            delay => Assert.All(delay.Windows, window => Assert.InRange(window.MaxMs - window.MinMs, 0,
                WidestMs + HinderedMs(report, delay))));
        Assert.All(report.InjectionDelays.Where(delay => delay is { Verdict: DelayVerdict.AsExpected, Windows.IsEmpty: false }),
            delay => Assert.Contains(delay.Windows, window => Holds(window, delay.ObservedMs)));
        Assert.All(report.InjectionDelays, delay => Assert.NotEmpty(delay.Because));
        Assert.NotEmpty(report.Headline);
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public async Task Read_at_a_pace_it_gives_the_same_bytes(string name)
    {
        var fast = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        var paced = await TestRecordings.ReplayAsync(TestRecordings.File(name), speed: 2000);

        Assert.Equal(TestRecordings.Text(fast), TestRecordings.Text(paced));
        Assert.Equal(TestRecordings.Json(fast), TestRecordings.Json(paced));
        Assert.Equal(TestRecordings.Lines(fast), TestRecordings.Lines(paced));
    }

    /// <summary>By as much as the process is known to have been kept from running, a window may be wider.</summary>
    static double HinderedMs(PoolReport report, InjectionDelay delay) => delay.Start is { } start
        ? report.Timeline.Hindrances.Where(hindrance => hindrance.Span.Touches(new(start, delay.End))).Sum(hindrance => hindrance.Ms)
        : 0;

    static bool Holds(DelayWindow window, double? ms) => window.MinMs <= ms && ms <= window.MaxMs;
}
