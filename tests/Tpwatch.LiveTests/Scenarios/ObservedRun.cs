using System.Diagnostics;
using Tpwatch.Attach;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>A fixture's run as the engine's public face saw it, beside what the fixture says of itself.</summary>
sealed record ObservedRun(PoolReport Report, RunTruth Truth)
{
    /// <summary>Attaches before the scenario begins and stays until it has ended by itself.</summary>
    public static async Task<ObservedRun> OfAsync(TargetRuntime runtime, CancellationToken cancel, params string[] arguments)
    {
        await using var target = await FixtureTarget.StartAsync(runtime, cancel, arguments);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, cancel);
        return await OfAsync(target, watch, cancel);
    }

    /// <summary>The same with deep probes.</summary>
    public static async Task<ObservedRun> OfAsync(TargetRuntime runtime, WatchOptions options, CancellationToken cancel, params string[] arguments)
    {
        await using var target = await FixtureTarget.StartAsync(runtime, cancel, arguments);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, options, cancel);
        return await OfAsync(target, watch, cancel);
    }

    /// <summary>Lets a fixture begin that is observed already, and stays until it has ended by itself.</summary>
    public static async Task<ObservedRun> OfAsync(FixtureTarget target, ThreadPoolWatch watch, CancellationToken cancel)
    {
        await FirstHeartbeatAsync(watch, cancel);
        await target.BeginAsync();
        var end = await watch.Completion.WaitAsync(cancel);
        Assert.Equal(SessionEnd.TargetExited, end);
        return new(watch.Report(), await target.TruthAsync(cancel));
    }

    /// <summary>Starts a fixture by the engine, so that it is observed from its first instruction, and stays until it has ended by itself.</summary>
    public static Task<ObservedRun> LaunchedAsync(ProcessStartInfo command, CancellationToken cancel) =>
        LaunchedAsync(command, new WatchOptions(), cancel);

    /// <summary>The same with deep probes.</summary>
    public static async Task<ObservedRun> LaunchedAsync(ProcessStartInfo command, WatchOptions options, CancellationToken cancel)
    {
        var truth = Path.Combine(Path.GetTempPath(), $"tpwatch-truth-{Guid.NewGuid():N}.ndjson");
        command.ArgumentList.Add("--truth");
        command.ArgumentList.Add(truth);
        (command.RedirectStandardInput, command.RedirectStandardOutput, command.RedirectStandardError) = (true, true, true);
        try
        {
            await using var watch = await ThreadPoolWatch.LaunchAsync(command, options, cancel);
            Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(cancel));
            Assert.Equal(0, await watch.Exit!.WaitAsync(cancel));
            using var file = File.OpenText(truth);
            return new(watch.Report(), TruthReader.Read(file));
        }
        finally
        {
            File.Delete(truth);
        }
    }

    /// <summary>Waits until the session delivers, so that nothing of the scenario is missed.</summary>
    public static async Task FirstHeartbeatAsync(ThreadPoolWatch watch, CancellationToken cancel)
    {
        while (watch.Report().Timeline.Heartbeats.IsEmpty)
        {
            await Task.Delay(20, cancel);
        }
    }

    /// <summary>Event time of a moment of the truth; both are the monotonic clock on Linux.</summary>
    public static EventTime At(long stopwatch) => new(stopwatch);

    /// <summary>Items that waited at a moment, by the fixture's own record.</summary>
    public int WaitingAt(EventTime at) =>
        Truth.Items.Count(i => At(i.Enqueued) <= at && (i.Started is not { } started || At(started) > at));

    /// <summary>Timed gaps that are not as long as the rule says and have no outside excuse.</summary>
    public IReadOnlyList<Gap> Misfits() =>
        [.. Report.Gaps.Where(g => g.Verdict is GapVerdict.Early or GapVerdict.Late or GapVerdict.NoRule or GapVerdict.NoData && !IsExcused(g))];

    /// <summary>Late is excused by the fixture's own hiccup log and by nothing else; early by nothing.</summary>
    bool IsExcused(Gap gap)
    {
        if (gap.Verdict != GapVerdict.Late || gap.Start is not { } start)
        {
            return false;
        }

        var lateMs = gap.ObservedMs!.Value - gap.Windows.Where(w => w.MaxMs < gap.ObservedMs).Select(w => w.MaxMs).DefaultIfEmpty(double.MaxValue).Max();
        return StolenMs(start, gap.End) >= lateMs;
    }

    /// <summary>How long the machine did not let the fixture run around a stretch of time, by the fixture's own record, milliseconds.</summary>
    public double StolenMs(EventTime from, EventTime to) =>
        Truth.Hiccups.Where(h => At(h.At) >= from && At(h.At).PlusMs(-h.OvershootMs) <= to).Sum(h => h.OvershootMs);

    /// <summary>The gaps whose windows are the rule's alone: a standstill of the process widens the others by what it took.</summary>
    public IEnumerable<Gap> OnTime() => Report.Gaps.Where(g => g.Rule != GapRule.G12NotRunning);

    /// <summary>The longest time in which the machine did not let the fixture run, milliseconds.</summary>
    public double LongestHiccupMs() => Truth.Hiccups.Select(h => h.OvershootMs).DefaultIfEmpty().Max();

    /// <summary>The gaps as text, for a failing assertion.</summary>
    public string Describe(IEnumerable<Gap> gaps) => string.Join('\n', gaps.Select(g =>
        $"#{g.Number} {g.Reason} {g.GoalBefore}->{g.GoalAfter} {g.ObservedMs:0.0} ms, windows {string.Join(' ', g.Windows)}, {g.Verdict} {g.Rule}: {g.Because}"));
}
