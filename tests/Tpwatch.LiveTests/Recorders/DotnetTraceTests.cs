using Tpwatch.Core;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Recorders;

/// <summary>What dotnet-trace saves is as good as what we save, but for what only our side-car knows.</summary>
public sealed class DotnetTraceTests
{
    const int LimitMs = 240_000;

    /// <summary>
    /// The pool's events, collections, settings, and the runtime's meters as dotnet-counters shares them: what README tells to ask for.
    /// </summary>
    const string Whole = "Microsoft-Windows-DotNETRuntime:0x10001:4,System.Runtime:0x3:4,"
        + "System.Diagnostics.Metrics:0x2:4:SessionId=SHARED;Metrics=System.Runtime;RefreshInterval=1;MaxTimeSeries=1000;MaxHistograms=10";

    const double SameMs = 1;

    /// <summary>The first may be under way already when the last recorder joins.</summary>
    const int IdleBeats = 2;

    const string PoolAlone = "Microsoft-Windows-DotNETRuntime:0x10000:4";

    [Fact(Timeout = LimitMs)]
    public async Task Its_recording_gives_the_same_gaps_reasons_and_rules_as_ours_of_the_same_run()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var folder = new TempFolder();
        string[] files =
        [
            .. ((string[])["ours", "whole", "pool-alone"]).Select(name => Path.Combine(folder.Path, name + ".nettrace")),
        ];
        await RecordAsync(files, cancel);
        var (ours, whole, alone) = (await ReplayAsync(files[0], cancel),
            await ReplayAsync(files[1], cancel), await ReplayAsync(files[2], cancel));

        Assert.True(ours.InjectionDelays.Count(g => g.Reason is not null) >= 4, "the run starved too little to compare anything");
        SameGaps(ours, whole, rules: true);
        Assert.Equal(ours.Verdict, whole.Verdict);
        Assert.Equal(ours.Findings.Where(f => f.Id is "TPW001" or "TPW004").Select(f => (f.Id, f.Severity)),
            whole.Findings.Where(f => f.Id is "TPW001" or "TPW004").Select(f => (f.Id, f.Severity)));
        Assert.Contains(
            whole.Timeline.Quality.Remarks, r => r.Contains("whole.nettrace.json", StringComparison.Ordinal)
                && r.Contains("settings", StringComparison.Ordinal) && r.Contains("TPW014", StringComparison.Ordinal));

        // Without a heartbeat the gaps are still there, and what it would have told is named, rule by rule.
        SameGaps(ours, alone, rules: false);
        Assert.Contains(alone.Undecided, u => u.Id == "TPW003" && u.Missing.Contains("counter samples", StringComparison.Ordinal));
    }

    static async Task RecordAsync(string[] files, CancellationToken cancel)
    {
        await DotnetTrace.RestoreAsync(cancel);
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, cancel, "pool-burst", "--processors", "8", "--items", "30");
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, new WatchOptions { RecordTo = files[0] }, cancel);
        await using var whole = await DotnetTrace.StartAsync(target.Pid, files[1], Whole, cancel);
        await using var alone = await DotnetTrace.StartAsync(target.Pid, files[2], PoolAlone, cancel);
        // A recording that begins with the burst cannot tell that the pool was idle before: all of them see a heartbeat first.
        await LiveRun.HeartbeatsAsync(watch, watch.Report().Timeline.CounterSamples.Length + IdleBeats, cancel);
        await LiveRun.WholeAsync(target, watch, cancel);
        await whole.EndAsync(cancel);
        await alone.EndAsync(cancel);
    }

    // G12 is what a side-car alone can tell.
    static void SameGaps(PoolReport ours, PoolReport theirs, bool rules)
    {
        var from = EventTime.Max(ours.Timeline.Start, theirs.Timeline.Start);
        var (one, other) = (Decided(ours, from), Decided(theirs, from));
        Assert.Equal(one.Select(g => (g.Reason, g.TargetThreadsBefore, g.TargetThreadsAfter)), other
            .Select(g => (g.Reason, g.TargetThreadsBefore, g.TargetThreadsAfter)));
        (InjectionDelay First, InjectionDelay Second)[] same = [.. one.Zip(other).Where(AreAtTheSameTime)];
        // Otherwise the machine had no time and nothing was compared.
        Assert.True(same.Length >= 4, $"of {one.Count} gaps only {same.Length} have the same times");
        foreach (var (a, b) in same)
        {
            Assert.True(!rules || a.Mechanism == b.Mechanism || a.IsBy(Mechanism.G12NotRunning),
                $"#{a.Number} {a.Mechanism} {a.Because} but #{b.Number} {b.Mechanism} {b.Because}");
            Assert.True(!rules || a.Verdict == b.Verdict, $"#{a.Number} {a.Verdict} but {b.Verdict}");
        }
    }

    // Each session reads the clock by itself, some microseconds apart; a thread of a busy machine may be put aside
    // between two of them, and rules ask for milliseconds.
    static bool AreAtTheSameTime((InjectionDelay A, InjectionDelay B) delays) =>
        Math.Abs(delays.A.End.MsSince(delays.B.End)) <= SameMs
        && (delays.A.Start is not { } a || delays.B.Start is not { } b || Math.Abs(a.MsSince(b)) <= SameMs);

    static List<InjectionDelay> Decided(PoolReport report, EventTime from) =>
        [.. report.InjectionDelays.Where(g => g.Reason is not null && g.End > from)];

    static async Task<PoolReport> ReplayAsync(string file, CancellationToken cancel)
    {
        await using var watch = ThreadPoolWatch.Replay(file, new WatchOptions());
        Assert.Equal(SessionEnd.EndOfRecording, await watch.Completion.WaitAsync(TimeSpan.FromSeconds(30), cancel));
        return watch.Report();
    }
}
