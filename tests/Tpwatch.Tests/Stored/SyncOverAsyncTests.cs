using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>Task waits: the pool adds workers at once up to min + processors, then in steps that grow by 25 ms up to 250 ms.</summary>
public sealed class SyncOverAsyncTests
{
    const int Processors = 8;

    [Theory]
    [InlineData("sync-over-async")]
    [InlineData("sync-over-async.net9")]
    [InlineData("sync-over-async.net8")]
    public async Task The_steps_come_in_order_each_for_as_many_workers_as_there_are_processors(string name)
    {
        var run = await StoredRuns.OfAsync(name);
        var report = run.Report;
        var steps = report.InjectionDelays.Where(g => g.Mechanism == Mechanism.G4CooperativeStep && g.Windows.Length > 0).ToArray();
        var delays = steps.GroupBy(StepMs).OrderBy(g => g.Key).Select(g => (Ms: g.Key, Workers: g.Count())).ToArray();

        Assert.Equal([25, 50, 75, 100, 125, 150, 175, 200, 225, 250], delays.Select(d => d.Ms));
        // A step that a busy machine made late is told as that, and no longer as one of its delay.
        var late = report.InjectionDelays.Count(g => g
            is { Reason: AdjustmentReason.CooperativeBlocking, Mechanism: Mechanism.G12NotRunning });
        Assert.All(delays.SkipLast(1), d => Assert.InRange(d.Workers, 1, Processors));
        Assert.InRange(delays.SkipLast(1).Sum(d => Processors - d.Workers), 0, late);
        Assert.Equal(steps.Select(StepMs).Order(), steps.Select(StepMs));
        Assert.All(report.Adjustments.Keys, reason => Assert.Equal(AdjustmentReason.CooperativeBlocking, reason));
        Assert.Contains(report.InjectionDelays, g => g.Mechanism == Mechanism.G5CooperativeJump);
        Assert.True(run.Misfits().Count <= 1, ObservedRun.Describe(run.Misfits()));
        Assert.All(run.OnTime().SelectMany(g => g.Windows), w => Assert.InRange(w.MaxMs - w.MinMs, 0, 20.001));
        // At least as many workers as the truth has with an item, and no more than the goal ever asked for.
        Assert.InRange(report.MaxWorkers!.Value, run.Truth.Appearances().Length - 1, report.InjectionDelays
            .Max(g => g.TargetThreadsAfter ?? 0) + 1);
    }

    /// <summary>The step that a window stands for, milliseconds.</summary>
    static int StepMs(InjectionDelay delay) =>
        (int)Math.Round((delay.Windows[0].MinMs + delay.Windows[0].MaxMs) / 2 / 25, MidpointRounding.ToZero) * 25;
}
