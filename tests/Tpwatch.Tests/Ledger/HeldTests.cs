using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Ledger;

/// <summary>Work that hangs with an empty queue.</summary>
public sealed class HeldTests
{
    [Fact]
    public void Workers_that_started_and_end_nothing_for_five_seconds_hold_their_items()
    {
        var report = Four().CounterSamples(0, 0).Pass(8000).Report();

        Assert.Equal((Verdict.Held, true), (report.Verdict, report.IsNow));
        Assert.Equal(0, report.StarvedMs);
        Assert.Contains(report.Findings, f => f is { Id: "TPW018", Severity: Severity.Serious });
    }

    [Fact]
    public void Workers_of_whom_nothing_was_heard_may_be_idle_until_their_time_out_has_passed()
    {
        var early = Ticking(seconds: 15, workers: 80, completed: 0);
        Assert.Equal((Verdict.Undecided, 80), (early.Verdict, early.MayHang));
        Assert.Equal(Verdict.Held, Ticking(seconds: 25, workers: 80, completed: 0).Verdict);
    }

    [Fact]
    public void What_has_not_lasted_or_gets_on_or_computes_is_no_hang() => Assert.All<(string Life, PoolScript Script)>(
        [
            ("before five seconds", Four().CounterSamples(0, 0).Pass(4500)),
            ("items that end", Four().CounterSamples(0, 1).Pass(8000)),
            ("workers that compute",
                new PoolScript().Processors(2).Repeat(3, s => s.WorkerAppears()).CounterSamples(0, 0, 0.99).Pass(8000)),
            ("few workers", new PoolScript().Processors(4).Repeat(3, s => s.WorkerAppears()).CounterSamples(0, 0).Pass(8000)),
            ("long items that have ended", Four().CounterSamples(0, 0).Pass(9000).CounterSamples(0, 4).Pass(2000)),
        ],
        life => Assert.Equal((life.Life, Verdict.Healthy), (life.Life, life.Script.Report().Verdict)));

    [Fact]
    public void A_timer_that_ticks_is_no_progress_of_those_that_hang()
    {
        Assert.Equal((Verdict.Held, true), (Ticking(seconds: 25, workers: 80).Verdict, Ticking(seconds: 25, workers: 80).IsNow));
        // One time-out has not passed; and as many items have ended as there are workers.
        Assert.NotEqual(Verdict.Held, Ticking(seconds: 15, workers: 80).Verdict);
        Assert.Equal(Verdict.Healthy, Ticking(seconds: 25, workers: 24).Verdict);
    }

    [Fact]
    public void Three_idle_workers_of_two_processors_hang_and_workers_that_have_just_started_do_not_yet()
    {
        var quiet = new PoolScript().Processors(2).WorkerAppears().CounterSamples(0, 0).Pass(7000);
        quiet.WorkerAppears().WorkerAppears().Pass(2000);
        Assert.Equal(Verdict.Healthy, quiet.Report().Verdict);
        Assert.Equal(Verdict.Held, quiet.Pass(4000).Report().Verdict);
    }

    [Theory]
    [InlineData(21, Verdict.Undecided)]
    [InlineData(22, Verdict.Held)]
    public void The_time_out_of_an_idle_worker_is_over_after_a_second_of_grace(int seconds, Verdict verdict) =>
        Assert.Equal(verdict, Ticking(seconds, workers: 80, completed: 0).Verdict);

    [Fact]
    public void A_hang_of_half_a_minute_is_told_after_its_end() =>
        Assert.Equal((Verdict.Held, false), Is(Four().CounterSamples(0, 0).Pass(40_000).CounterSamples(0, 4).Pass(2000).Report()));

    [Fact]
    public void A_loss_ends_what_is_known_of_a_hang() =>
        Assert.NotEqual((Verdict.Held, true), Is(Four().CounterSamples(0, 0).Pass(8000).Lose().Report()));

    static (Verdict, bool) Is(PoolReport report) => (report.Verdict, report.IsNow);

    static PoolScript Four() => new PoolScript().Processors(2).Repeat(4, s => s.WorkerAppears());

    static PoolReport Ticking(int seconds, int workers, int completed = 1) =>
        new PoolScript().Processors(4).Repeat(seconds, s => s.Pass(1000).CounterSample(0, completed, workers, 0.01)).Report();
}
