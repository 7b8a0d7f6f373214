using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>Article 000: the first eight come at once, the ninth a second later.</summary>
public sealed class PoolBurstTests
{
    const int Processors = 8;

    /// <summary>A worker that is injected takes its item within this, unless another one took it before.</summary>
    const double EmptiedMs = 50;

    [Theory]
    [InlineData("pool-burst")]
    [InlineData("pool-burst.net9")]
    [InlineData("pool-burst.net8")]
    public async Task Every_worker_above_min_is_one_injection_at_a_gate_tick(string name)
    {
        var run = await StoredRuns.OfAsync(name);
        var report = run.Report;
        var injections = report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation).ToArray();
        var workers = run.Truth.Appearances();

        Assert.Equal(Processors, run.Truth.Header.MinWorkers);
        Assert.Equal(0, report.Timeline.Quality.Lost);
        // None missed: each worker above min begins after an injection of its own, in their order.
        var unmatched = injections.ToList();
        foreach (var worker in workers.Skip(Processors))
        {
            var own = unmatched.Find(i => ObservedRun.At(worker.Started!.Value).MsSince(i.End) >= -1);
            Assert.True(own is not null, $"no injection for the worker of item {worker.Id}\n{ObservedRun.Describe(injections)}");
            unmatched.Remove(own);
        }

        // None invented: an injection without a worker in the truth found the queue emptied by the others.
        Assert.Equal(report.Adjustments[AdjustmentReason.Starvation], injections.Length);
        Assert.All(unmatched, i => Assert.Equal(0, run.WaitingAt(i.End.PlusMs(EmptiedMs))));

        // The first eight came before any injection, on demand.
        Assert.All(workers.Take(Processors), w => Assert.True(ObservedRun.At(w.Started!.Value) < injections[0].End));
        Assert.Contains(report.InjectionDelays, g => g.Reason is null && g.Mechanism is Mechanism.G0Ramp or Mechanism.G12NotRunning);
        Assert.Equal(Verdict.Starved, report.Verdict);
        Assert.True(run.Misfits().Count <= 1, ObservedRun.Describe(run.Misfits()));
        Assert.All(run.OnTime().SelectMany(g => g.Windows), w => Assert.InRange(w.MaxMs - w.MinMs, 0, 20.001));
        Assert.True(injections.Count(g => g.Verdict == DelayVerdict.AsExpected) >= injections.Length / 2, ObservedRun.Describe(injections));
    }
}
