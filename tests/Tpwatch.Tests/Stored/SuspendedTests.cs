using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>A process that was stopped: a hole, and no verdict across it.</summary>
public sealed class SuspendedTests
{
    /// <summary>The scenario's own five seconds, less what the shell that stops it may be late.</summary>
    const double AtLeastMs = 4500;

    /// <summary>A process that goes on wakes one thread after the other; the one that keeps the record may be the last.</summary>
    const double EdgeMs = 250;

    [Fact]
    public async Task The_time_in_which_it_stood_still_is_a_hole_and_is_named()
    {
        var run = await StoredRuns.OfAsync("suspended");
        var hole = Hole(run);
        Assert.True(hole.Ms > AtLeastMs, $"the fixture says that it stood still for {hole.Ms} ms");
        Assert.DoesNotContain(run.Report.Timeline.CounterSamples, h => h.At > hole.From.PlusMs(EdgeMs) && h.At < hole.To.PlusMs(-EdgeMs));
        var stopped = run.Report.Timeline.Hindrances.Where(h => h.Kind == HindranceKind.Stopped && h.Span.Touches(hole)).ToArray();
        Assert.True(stopped.Sum(h => h.Ms) > AtLeastMs - 1000, string.Join('\n', stopped.Select(h => h.ToString())));
    }

    [Fact]
    public async Task No_gap_across_it_is_judged()
    {
        var run = await StoredRuns.OfAsync("suspended");
        var hole = Hole(run);
        var middle = hole.From.PlusMs(hole.Ms / 2);
        var across = run.Report.InjectionDelays.Where(g => g.Start < middle && g.End > middle).ToArray();
        Assert.NotEmpty(across);
        Assert.All(
            across, g => Assert.True(g.Verdict is DelayVerdict.NotTimed or DelayVerdict.NoData or DelayVerdict.Open,
                ObservedRun.Describe([g])));
        Assert.Contains(across, g => g.Mechanism == Mechanism.G12NotRunning);
        // Before and after it the gate's rule holds as ever.
        Assert.Contains(run.Report.InjectionDelays, g => g is { Reason: AdjustmentReason.Starvation, Verdict: DelayVerdict.AsExpected }
            && g.End < hole.From);
    }

    /// <summary>By the fixture's own record: its longest overshoot.</summary>
    static EventSpan Hole(ObservedRun run)
    {
        var longest = run.Truth.Hiccups.MaxBy(h => h.OvershootMs)!;
        return new(ObservedRun.At(longest.At).PlusMs(-longest.OvershootMs), ObservedRun.At(longest.At));
    }
}
