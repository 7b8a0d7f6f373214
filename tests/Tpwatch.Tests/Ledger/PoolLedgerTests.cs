using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using static Tpwatch.Tests.Ledger.Delays;

namespace Tpwatch.Tests.Ledger;

/// <summary>What the ledger does whatever the rule.</summary>
public sealed class PoolLedgerTests
{
    internal static IEnumerable<PoolReport> Told => [Unheard()];

    [Fact]
    public void What_answers_no_wait_or_has_no_rule_is_not_judged() => Are<(DelayVerdict, Mechanism)>(
        g => (g.Verdict, g.Mechanism),
        ("hill climbing", Blocked().ClimbTo(9).Report().InjectionDelays[^1], (DelayVerdict.NotTimed, Mechanism.G11Probing)),
        ("a worker that timed out", Blocked().AdjustAfter(10, 7, AdjustmentReason.ThreadTimedOut, 1).Report().InjectionDelays[^1],
            (DelayVerdict.NotTimed, Mechanism.None)),
        ("a reason that this version does not know", Unheard().Report().InjectionDelays[^1], (DelayVerdict.NoRule, Mechanism.None)),
        ("workers created on demand", new PoolScript().Opening().CounterSamples(0).Pass(1000).Report().InjectionDelays.Single(),
            (DelayVerdict.AsExpected, Mechanism.G0Ramp)),
        ("workers whose creation was not seen", new PoolScript().WorkerAppears().Pass(1000).CounterSamples(0).Report()
            .InjectionDelays.Single(), (DelayVerdict.NotTimed, Mechanism.G0Ramp)));

    [Fact]
    public void Workers_created_far_apart_are_gaps_of_their_own() => Assert.Equal(
        ["The pool created 2 worker threads", "The pool created 1 worker thread"],
        new PoolScript().Processors(8).Limits(8, 100).Ramp(2).Pass(80).Ramp(1).Pass(100).CounterSamples(0).Report()
            .InjectionDelays.Select(g => g.Because.Split(" on demand")[0]));

    /// <summary>So told by a damaged stream; a stretch of less than nothing is none.</summary>
    [Fact]
    public void A_worker_that_is_older_than_the_one_before_it_takes_no_time()
    {
        var delay = new PoolScript().WorkerAppears().Pass(-20).WorkerAppears().Pass(1000)
            .CounterSamples(0).Report().InjectionDelays.Single();
        Assert.Contains("within 0.0 ms", delay.Because, StringComparison.Ordinal);
    }

    [Fact]
    public void How_long_a_thread_took_to_start_is_said_only_where_its_creation_was_seen()
    {
        Assert.Contains("to start", Burst(script => script.Ramp(2)), StringComparison.Ordinal);
        Assert.DoesNotContain("to start", Burst(script => script.WorkerAppears().WorkerAppears()), StringComparison.Ordinal);

        static string Burst(Func<PoolScript, PoolScript> workers) =>
            workers(new PoolScript().Processors(8)).Pass(1000).CounterSamples(0).Report().InjectionDelays.Single().Because;
    }

    [Fact]
    public void A_worker_that_the_gate_created_belongs_to_its_injection()
    {
        var delays = Blocked().StarvationAfter(1001).StarvationAfter(1001).Pass(2000).Report().InjectionDelays;

        Assert.Single(delays, g => g.Mechanism == Mechanism.G0Ramp);
    }

    [Fact]
    public void Numbers_are_contiguous_and_stay_with_their_gap()
    {
        var script = Blocked();
        var seen = new Dictionary<int, (EventTime End, AdjustmentReason? Reason)>();
        for (var i = 0; i < 12; i++)
        {
            _ = (i % 3) switch
            {
                0 => script.StarvationAfter(1503).Ramp(1),
                1 => script.ClimbTo(12 + i),
                _ => script.CooperativeAfter(2).Pass(1200),
            };
            var closed = script.Report().InjectionDelays.Where(g => g.Verdict != DelayVerdict.Open).ToArray();
            Assert.Equal(Enumerable.Range(1, closed.Length), closed.Select(g => g.Number));
            Assert.All(closed,
                g => Assert.Equal(seen.TryAdd(g.Number, (g.End, g.Reason)) ? (g.End, g.Reason) : seen[g.Number], (g.End, g.Reason)));
        }

        Assert.InRange(seen.Count, 12, 20);
    }

    [Fact]
    public void The_tally_counts_each_gap_once()
    {
        var report = Blocked().StarvationAfter(1001).StarvationAfter(750).StarvationAfter(300).ClimbTo(20).Pass(10)
            .Lose().StarvationAfter(700).Pass(50).NoBeats().Report();
        var tally = report.Tally;

        Assert.Equal(report.InjectionDelays.Length, tally.Total);
        Assert.Equal(tally.Total, tally.AsExpected + tally.Early + tally.Late + tally.NoRule + tally.NoData + tally.NotTimed + tally.Open);
        Assert.Equal((1, 1), (tally.Early, tally.Late));
        Assert.Equal(1, tally.NoData);
    }

    [Fact]
    public void A_full_ledger_forgets_the_oldest_gaps_and_still_counts_them()
    {
        var script = Blocked().Pass(100).Repeat(10_500, s => s.ClimbTo(9).ClimbTo(8));
        var report = script.Report();

        var moves = report.InjectionDelays.Where(g => !g.IsWait).ToArray();
        Assert.InRange(moves.Length, 4_500, 5_000);
        Assert.Equal(report.Evicted + report.InjectionDelays.Length, report.Tally.Total);
        Assert.Equal(21_000, report.Tally.NotTimed);
        Assert.Equal(21_000, report.Adjustments[AdjustmentReason.ClimbingMove]);
        Assert.Equal(report.Evicted + report.InjectionDelays.TakeWhile(g => g.IsWait).Count() + 1, moves[0].Number);
        Assert.InRange(report.Journal.Length, 1, 1_000);
    }

    [Fact]
    public void Half_an_hour_of_hill_climbing_pushes_no_wait_out_and_leaves_nothing_open()
    {
        var report = Blocked().StarvationAfter(1001).StarvationAfter(500)
            .Repeat(10_500, s => s.ClimbTo(9).ClimbTo(8)).StarvationAfter(700).Report();

        Assert.Equal(3, report.InjectionDelays.Count(g => g.Reason == AdjustmentReason.Starvation));
        Assert.Equal(report.InjectionDelays.OrderBy(g => g.Number), report.InjectionDelays);
        Assert.Equal(0, report.EvictedWaits);
        Assert.InRange(report.Evicted, 15_000, 17_000);
    }

    [Fact]
    public void A_wait_that_lasts_is_open_with_the_moments_at_which_it_may_end()
    {
        var delay = Blocked().StarvationAfter(1001).Pass(300).CounterSample(90, 0, 9, 0.02).Report().InjectionDelays[^1];

        Assert.Equal(DelayVerdict.Open, delay.Verdict);
        Assert.Equal([501, 1001], delay.Windows.Select(w => Math.Round(w.MinMs + GateTiming.EarlyMs)));
        Assert.Equal(300, delay.ObservedMs!.Value, 1.0);
    }

    [Fact]
    public void No_wait_is_open_when_nothing_waits_or_the_detector_is_switched_off() => Assert.All<PoolScript>(
        [Blocked().StarvationAfter(1001).Pass(300).CounterSample(0, 0, 9, 0.02),
            Blocked().Switch("System.Threading.ThreadPool.DisableStarvationDetection").StarvationAfter(1001)
                .Pass(300).CounterSample(90, 0, 9, 0.02)],
        script => Assert.DoesNotContain(script.Report().InjectionDelays, g => g.Verdict == DelayVerdict.Open));

    static PoolScript Unheard() => Blocked().AdjustAfter(10, 12, (AdjustmentReason)42, 1);
}
