using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Watch;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Reporting;

/// <summary>The judgement over all, and the one sentence that a tired person reads.</summary>
public sealed class ReportBuilderTests
{
    const string Stopgap =
        "Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) and replace it with an asynchronous one. "
        + "To find the call, run dotnet tpwatch report -p 4242 --depth stacks.";

    [Fact]
    public void Injections_make_it_starved()
    {
        var report = Starving().Report();

        Assert.Equal((Verdict.Starved, true), (report.Verdict, report.IsNow));
        Assert.Equal(
            "The thread pool has been starved since 2026-11-21T02:29:00.004Z or before (3.0 s seen). "
            + "Work items waited while every worker thread was busy. "
            + "The pool added 3 threads, one at a time. Up to 90 items were queued. " + Stopgap,
            report.Headline);
    }

    [Fact]
    public void Starvation_that_has_ended_says_so()
    {
        var report = Starving().CounterSamples(0, 90).Pass(6000).Report(SessionEnd.StoppedByUs);

        Assert.Equal((Verdict.Starved, false), (report.Verdict, report.IsNow));
        Assert.Contains("was starved for 3.0 s from 2026-11-21T02:29:00.004Z. The problem is over now",
            report.Headline, StringComparison.Ordinal);
        Assert.Equal(SessionEnd.StoppedByUs, report.End);
    }

    [Fact]
    public void Waits_without_injections_make_it_silently_starved()
    {
        var report = Undetected().Report();

        Assert.Equal((Verdict.SilentlyStarved, true), (report.Verdict, report.IsNow));
        Assert.StartsWith(
            "The thread pool has been starved since 2026-11-21T02:29:00.001Z or before (4.0 s seen). "
            + "The runtime does not detect the starvation, so the pool adds no thread. "
            + "An item waited at least 4.0 s. Up to 50 items were queued. Find the call that blocks",
            report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_over_is_told_in_the_past()
    {
        var report = Undetected().CounterSamples(0, 90).Pass(6000).Report(SessionEnd.StoppedByUs);

        Assert.Equal((Verdict.SilentlyStarved, false), (report.Verdict, report.IsNow));
    }

    [Fact]
    public void Waits_with_busy_processors_make_it_saturated_and_advise_no_workers()
    {
        var report = new PoolScript().Opening(2).CounterSamples(50, 2, cpu: 0.99).Pass(4000).Report();

        Assert.Equal(Verdict.Saturated, report.Verdict);
        Assert.StartsWith(
            "Work has waited for processors since 2026-11-21T02:29:00.001Z or before (4.0 s seen). "
                + "A lack of worker threads is not the cause. ", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Task_waits_without_a_long_wait_are_compensated()
    {
        var report = new PoolScript().Opening().CounterSamples(0, 40).CooperativeAfter(3, by: 4).Pass(4000).Report();

        Assert.Equal(Verdict.Compensated, report.Verdict);
    }

    [Fact]
    public void Task_waits_that_were_only_withdrawn_are_no_compensation()
    {
        var script = new PoolScript().Processors(8).Limits(8, 100).TargetThreads(20).AdjustAfter(1, 20, AdjustmentReason.Warmup, 1);

        Assert.Equal(Verdict.Healthy, script.CounterSamples(0, 40).WithdrawTo(16).Pass(4000).Report().Verdict);
    }

    [Fact]
    public void A_pool_without_waits_is_not_the_problem()
    {
        var report = new PoolScript().Opening().CounterSamples(3, 500, 0.3).Pass(10_000).Report();

        Assert.Equal((Verdict.Healthy, false), (report.Verdict, report.IsNow));
        Assert.Equal("In 10.0 s, tpwatch saw no work item wait a second or more. "
            + "But the queue was seldom empty: items wait a shorter time. "
            + "If the program is slow or hangs, run dotnet tpwatch report -p 4242 --depth stacks.", report.Headline);
        Assert.Null(report.Since);
        Assert.Equal(0, report.StarvedMs);
    }

    [Fact]
    public void Without_a_heartbeat_it_is_undecided_and_says_what_is_missing()
    {
        var report = new PoolScript().Opening().Pass(9000).WorkerSleeps().Report();

        Assert.Equal(Verdict.Undecided, report.Verdict);
        Assert.Equal("Undecided: no counter sample has come yet, so queue length and completions are not known.", report.Headline);
    }

    [Theory]
    [InlineData(500, null, "a verdict needs two counter samples, and they cannot have come yet.")]
    [InlineData(9000, null, "no counter sample has come yet, so queue length and completions are not known.")]
    [InlineData(9000, 5000.0, "a verdict needs two counter samples, and they cannot have come yet.")]
    [InlineData(16_000, 5000.0, "no counter sample has come yet, so queue length and completions are not known.")]
    public void What_cannot_have_come_yet_is_not_missing(double watchedMs, double? askedMs, string said) =>
        Assert.Equal("Undecided: " + said, ReportBuilder.Of(
            new PoolScript().Opening().Pass(watchedMs).Clock(ClockRegime.Idle).Report() with { SampleIntervalMs = askedMs }).Headline);

    [Theory]
    [InlineData(null, "The program was probably built with EventSourceSupport=false, or waits at startup for another diagnostics tool.")]
    [InlineData("False", "The program has System.Diagnostics.Tracing.EventSource.IsSupported=False. "
        + "To see the events, build the program with EventSourceSupport=true and restart it.")]
    public void A_program_whose_pool_sends_nothing_is_told_with_the_cause(string? supported, string cause)
    {
        var facts = new TargetFacts
        {
            Pid = 1, Name = "Shop",
            Settings = supported is null
                ? []
                : [new("System.Diagnostics.Tracing.EventSource.IsSupported", supported, SettingSource.Runtimeconfig)],
        };
        var report = new PoolScript(target: facts).Pass(9000).Report(SessionEnd.StoppedByUs);
        Assert.Equal(
            $"Undecided: the pool sent no event. {cause} To see what the threads do now, run dotnet tpwatch report -p 1 --depth stacks.",
            report.Headline);
        Assert.Contains(report.Undecided, u => u is { Id: "TPW001", Missing: "the pool sent no event" });
    }

    [Fact]
    public void Before_anything_came_the_program_is_not_judged() => Assert.Equal(
        "Undecided: the process has sent no event yet. If none comes, it was probably built with EventSourceSupport=false, "
            + "or waits at startup for another diagnostics tool.",
        new PoolScript(target: new() { Pid = 1, Name = "Shop" }).Report().Headline);

    [Fact]
    public void A_recording_that_breaks_off_before_anything_came_says_nothing_of_the_program()
    {
        var report = new PoolScript(target: new() { Pid = 1, Name = "Shop" }).Pass(9000).Report(SessionEnd.RecordingBroken);

        Assert.Equal("Undecided: no counter sample came, so queue length and completions are not known.", report.Headline);
    }

    [Fact]
    public void Loss_leaves_it_undecided()
    {
        var counted = new PoolScript().Opening().CounterSamples(0).Pass(3000).Lose().Pass(3000).Report();
        var uncounted = new PoolScript().Opening().CounterSamples(0).Pass(3000).Lose(count: null).Pass(3000).Report();

        Assert.Equal(("Undecided: events were lost.", Verdict.Undecided), (counted.Headline, counted.Verdict));
        Assert.Equal(Verdict.Undecided, uncounted.Verdict);
    }

    [Fact]
    public void Too_short_a_capture_is_undecided()
    {
        var report = new PoolScript().Opening().CounterSamples(0, every: 500).Pass(1500).Report();

        Assert.Equal(("Undecided: the capture is too short.", Verdict.Undecided), (report.Headline, report.Verdict));
    }

    [Fact]
    public void A_short_capture_of_a_long_queue_is_not_called_healthy()
    {
        var report = new PoolScript().Processors(8).CounterSamples(455, 20, every: 900).Pass(1700).Report();

        Assert.InRange(report.Timeline.CounterSamples.Length, 2, 2);
        Assert.Equal(Verdict.Undecided, report.Verdict);
        Assert.Contains("items seem to wait a second or more", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Loss_does_not_unsay_what_was_seen()
    {
        Assert.Equal(Verdict.Starved, Starving().Lose().Pass(2000).Report().Verdict);
    }

    [Fact]
    public void The_episode_that_lasts_gives_the_verdict_though_an_earlier_one_was_longer()
    {
        var report = Undetected().CounterSamples(0, 60).Pass(8000).CounterSamples(9).StarvationAfter(12_500).Pass(900).Report();

        Assert.Equal(2, report.Episodes.Length);
        Assert.Equal((Verdict.Starved, true), (report.Verdict, report.IsNow));
        Assert.Equal(report.Episodes[1].Span.From, report.Since);
        Assert.Equal(report.Episodes.Sum(e => e.Span.Ms), report.StarvedMs);
    }

    [Fact]
    public void One_item_and_one_worker_are_singular()
    {
        var report = new PoolScript().Opening().CounterSamples(1).StarvationAfter(1001).Pass(100).Report();

        Assert.Contains("Up to 1 item was queued.", report.Headline, StringComparison.Ordinal);
        Assert.Contains("The pool added 1 thread. Up to", report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void No_sentence_has_a_doubled_space_or_lacks_its_full_stop()
    {
        var report = Starving().StarvationAfter(750).StarvationAfter(300).StarvationAfter(7500).CooperativeAfter(3).CooperativeAfter(25.6)
            .CooperativeAfter(90).WithdrawTo(9).ClimbTo(10).AdjustAfter(5, 11, (AdjustmentReason)42, 1).Lose().StarvationAfter(800)
            .CounterSamples(60, 2).Pass(9000).Report();
        var sentences = report.InjectionDelays.Select(g => g.Because).Append(report.Headline)
            .Concat(report.Findings.SelectMany(f => f.Remedies.Select(r => r.Text).Append(f.Headline))).ToArray();

        Assert.True(sentences.Length > 15);
        Assert.All(sentences, s => Assert.DoesNotContain("  ", s, StringComparison.Ordinal));
        Assert.All(sentences, s => Assert.EndsWith(".", s, StringComparison.Ordinal));
        Assert.All(sentences, s => Assert.DoesNotContain("..", s, StringComparison.Ordinal));
    }

    static PoolScript Starving() => new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

    static PoolScript Undetected() => new PoolScript().Opening(2).CounterSamples(50, 2).Pass(4000);
}
