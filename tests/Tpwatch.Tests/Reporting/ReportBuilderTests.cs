using Tpwatch.Reports;
using Tpwatch.Tests.Findings;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Reporting;

/// <summary>The judgement over all, and the one sentence that a tired person reads.</summary>
public sealed class ReportBuilderTests
{
    internal static IEnumerable<PoolReport> Told =>
    [
        .. Lives.Select(life => life.Report), new PoolScript(target: Silent(null)).Report(),
        new PoolScript(target: Silent(null)).Pass(9000).Report(SessionEnd.StoppedByUs),
        new PoolScript(target: Silent("False")).Pass(9000).Report(SessionEnd.StoppedByUs), One(),
    ];

    static (string Life, PoolReport Report, Verdict Verdict, bool IsNow)[] Lives =>
    [
        ("injections", Ask.Starving(), Verdict.Starved, true),
        ("injections that are over",
            Ask.Starving().CounterSamples(0, 90).Pass(6000).Report(SessionEnd.StoppedByUs), Verdict.Starved, false),
        ("injections before a loss", Ask.Starving().Lose().Pass(2000), Verdict.Starved, true),
        ("waits without injections", Ask.Undetected(), Verdict.SilentlyStarved, true),
        ("waits without injections that are over",
            Ask.Undetected().CounterSamples(0, 90).Pass(6000).Report(SessionEnd.StoppedByUs), Verdict.SilentlyStarved, false),
        ("waits with busy processors", Ask.Busy(), Verdict.Saturated, true),
        ("task waits without a long wait",
            new PoolScript().Opening().CounterSamples(0, 40).CooperativeAfter(3, by: 4).Pass(4000), Verdict.Compensated, false),
        ("task waits that were only withdrawn", new PoolScript().Processors(8).Limits(8, 100).TargetThreads(20)
            .AdjustAfter(1, 20, AdjustmentReason.Warmup, 1).CounterSamples(0, 40).WithdrawTo(16).Pass(4000), Verdict.Healthy, false),
        ("no waits", new PoolScript().Opening().CounterSamples(3, 500, 0.3).Pass(10_000), Verdict.Healthy, false),
        ("no heartbeat", new PoolScript().Opening().Pass(9000).WorkerSleeps(), Verdict.Undecided, false),
        ("loss", new PoolScript().Opening().CounterSamples(0).Pass(3000).Lose().Pass(3000), Verdict.Undecided, false),
        ("loss of nobody knows how much",
            new PoolScript().Opening().CounterSamples(0).Pass(3000).Lose(count: null).Pass(3000), Verdict.Undecided, false),
        ("too short a capture", new PoolScript().Opening().CounterSamples(0, every: 500).Pass(1500), Verdict.Undecided, false),
        ("a short capture of a long queue", LongQueue(), Verdict.Undecided, false),
    ];

    /// <summary>The headlines are in the catalogue of sentences.</summary>
    [Fact]
    public void The_verdict_is_that_of_what_was_seen() => Assert.Equal(Lives.Select(life => (life.Life, life.Verdict, life.IsNow)),
        Lives.Select(life => (life.Life, life.Report.Verdict, life.Report.IsNow)));

    [Fact]
    public void It_is_told_since_when_for_how_long_and_how_the_capture_ended()
    {
        var over = Ask.Starving().CounterSamples(0, 90).Pass(6000).Report(SessionEnd.StoppedByUs);
        Assert.InRange(over.Since!.Value.MsSince(over.Timeline.Start), 4, 5);
        Assert.Equal(3000, over.StarvedMs, 50.0);
        Assert.Equal((90, SessionEnd.StoppedByUs), (over.MaxQueueLength, over.End));
        var healthy = new PoolScript().Opening().CounterSamples(3, 500, 0.3).Pass(10_000).Report();
        Assert.Equal((null, 0), (healthy.Since, healthy.StarvedMs));
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
        var report = new PoolScript(target: Silent(supported)).Pass(9000).Report(SessionEnd.StoppedByUs);
        Assert.Contains($"the pool sent no event. {cause} ", report.Headline, StringComparison.Ordinal);
        Assert.Contains(report.Undecided, u => u is { Id: "TPW001", Kind: MissingKind.Events });
    }

    [Fact]
    public void A_recording_that_breaks_off_before_anything_came_says_nothing_of_the_program()
    {
        var report = new PoolScript(target: new() { Pid = 1, Name = "Shop" }).Pass(9000).Report(SessionEnd.RecordingBroken);

        Assert.Equal("Undecided: no counter sample came, so queue length and completions are not known.", report.Headline);
    }

    [Fact]
    public void The_episode_that_lasts_gives_the_verdict_though_an_earlier_one_was_longer()
    {
        var report = Ask.Undetected().CounterSamples(0, 60).Pass(8000).CounterSamples(9).StarvationAfter(12_500).Pass(900).Report();

        Assert.Equal(2, report.Episodes.Length);
        Assert.Equal((Verdict.Starved, true), (report.Verdict, report.IsNow));
        Assert.Equal(report.Episodes[1].Span.From, report.Since);
        Assert.Equal(report.Episodes.Sum(e => e.Span.Ms), report.StarvedMs);
    }

    [Fact]
    public void No_sentence_has_a_doubled_space_or_lacks_its_full_stop()
    {
        var report = Ask.Starving().StarvationAfter(750).StarvationAfter(300).StarvationAfter(7500).CooperativeAfter(3)
            .CooperativeAfter(25.6).CooperativeAfter(90).WithdrawTo(9).ClimbTo(10).AdjustAfter(5, 11, (AdjustmentReason)42, 1)
            .Lose().StarvationAfter(800).CounterSamples(60, 2).Pass(9000).Report();
        var sentences = report.InjectionDelays.Select(g => g.Because).Append(report.Headline)
            .Concat(report.Findings.SelectMany(f => f.Remedies.Select(r => r.Text).Append(f.Headline))).ToArray();

        Assert.True(sentences.Length > 15);
        Assert.All(sentences, s => Assert.DoesNotContain("  ", s, StringComparison.Ordinal));
        Assert.All(sentences, s => Assert.EndsWith(".", s, StringComparison.Ordinal));
        Assert.All(sentences, s => Assert.DoesNotContain("..", s, StringComparison.Ordinal));
    }

    static PoolScript LongQueue() => new PoolScript().Processors(8).CounterSamples(455, 20, every: 900).Pass(1700);

    // One item and one worker are singular.
    static PoolScript One() => new PoolScript().Opening().CounterSamples(1).StarvationAfter(1001).Pass(100);

    static TargetFacts Silent(string? supported) => new()
    {
        Pid = 1, Name = "Shop",
        Settings = supported is null ? []
            : [new("System.Diagnostics.Tracing.EventSource.IsSupported", supported, SettingSource.Runtimeconfig)],
    };
}
