using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>Work that hangs with an empty queue.</summary>
public sealed class HeldTests
{
    [Fact]
    public void Workers_that_started_and_end_nothing_for_five_seconds_hold_their_items()
    {
        var report = new PoolScript().Processors(2).Repeat(4, s => s.WorkerAppears()).CounterSamples(0, 0).Pass(8000).Report();

        Assert.Equal((Verdict.Held, true), (report.Verdict, report.IsNow));
        Assert.Equal(0, report.StarvedMs);
        Assert.Contains(report.Findings, f => f is { Id: "TPW018", Severity: Severity.Serious });
    }

    [Fact]
    public void Before_five_seconds_nobody_speaks_of_it() =>
        Assert.Equal(
            Verdict.Healthy, new PoolScript().Processors(2).Repeat(4, s => s.WorkerAppears())
                .CounterSamples(0, 0).Pass(4500).Report().Verdict);

    [Fact]
    public void Workers_of_whom_nothing_was_heard_may_be_idle_until_their_time_out_has_passed()
    {
        var early = Undetected(seconds: 15);

        Assert.Equal(Verdict.Undecided, early.Verdict);
        Assert.Equal(80, early.MayHang);
        Assert.Equal(Verdict.Held, Undetected(seconds: 25).Verdict);
    }

    static PoolReport Undetected(int seconds) =>
        new PoolScript().Processors(4).Repeat(seconds, s => s.Pass(1000).CounterSample(0, 0, 80, 0.01)).Report();

    [Fact]
    public void Items_that_end_computing_workers_and_few_of_them_are_no_hang()
    {
        Assert.Equal(
            Verdict.Healthy, new PoolScript().Processors(2).Repeat(4, s => s.WorkerAppears())
                .CounterSamples(0, 1).Pass(8000).Report().Verdict);
        Assert.Equal(Verdict.Healthy,
            new PoolScript().Processors(2).Repeat(3, s => s.WorkerAppears()).CounterSamples(0, 0, 0.99).Pass(8000).Report().Verdict);
        Assert.Equal(
            Verdict.Healthy, new PoolScript().Processors(4).Repeat(3, s => s.WorkerAppears())
                .CounterSamples(0, 0).Pass(8000).Report().Verdict);
    }

    [Fact]
    public void A_timer_that_ticks_is_no_progress_of_those_that_hang()
    {
        Assert.Equal((Verdict.Held, true), (Ticking(seconds: 25, workers: 80).Verdict, Ticking(seconds: 25, workers: 80).IsNow));
        // One time-out has not passed; and as many items have ended as there are workers.
        Assert.NotEqual(Verdict.Held, Ticking(seconds: 15, workers: 80).Verdict);
        Assert.Equal(Verdict.Healthy, Ticking(seconds: 25, workers: 24).Verdict);
    }

    static PoolReport Ticking(int seconds, int workers) =>
        new PoolScript().Processors(4).Repeat(seconds, s => s.Pass(1000).CounterSample(0, 1, workers, 0.01)).Report();

    [Fact]
    public void Of_long_items_that_have_ended_nothing_is_told() =>
        Assert.Equal(
            Verdict.Healthy, new PoolScript().Processors(2).Repeat(4, s => s.WorkerAppears())
                .CounterSamples(0, 0).Pass(9000).CounterSamples(0, 4).Pass(2000).Report().Verdict);
}
