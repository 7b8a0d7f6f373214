using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using Tpwatch.Tests.Screen;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw006CpuSaturationTests
{
    readonly Tpw006CpuSaturation rule = new();

    [Fact]
    public void Busy_processors_while_items_wait_are_found()
    {
        var finding = Ask.Found(rule, new PoolScript().Opening(2).CounterSamples(50, 2, cpu: 0.99).Pass(4000));

        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(99, Ask.Value(finding, "Processor use"));
        Assert.Contains("keeps its processors busy (99%)", finding.Headline, StringComparison.Ordinal);
        Assert.Contains("at most 2 items compute at once, one per processor (MaxDegreeOfParallelism",
            finding.Remedies[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void No_remedy_of_any_finding_raises_min_where_the_processors_are_busy()
    {
        var report = new PoolScript().Opening(2).CounterSamples(50, cpu: 0.99).Repeat(3, s => s.StarvationAfter(2600)).Pass(4000).Report();

        Assert.Contains(report.Findings, f => f.Id == "TPW006");
        Assert.DoesNotContain(report.Findings.Where(f => f.Id == "TPW006").SelectMany(f => f.Remedies), r => r.Setting is not null);
    }

    /// <summary>Synthesised: a neighbour on every processor.</summary>
    [Fact]
    public void Threads_that_wait_for_processors_prove_it_whatever_the_counter_says()
    {
        var report = Hindered(HindranceKind.ProcessorWait, 0.9);
        var finding = Ask.Found(rule, report);

        Assert.Equal((Severity.Serious, Confidence.Medium), (finding.Severity, finding.Confidence));
        Assert.Contains("other processes keep them busy", finding.Headline, StringComparison.Ordinal);
        Assert.Equal(90, Ask.Value(finding, "Share of time in which a thread was ready but had no processor: at most")!.Value, 1);
        Assert.IsType<FindingRuleAnswer.Undecided>(new Tpw001Starvation().Look(report));
        Assert.Equal(MinThreadsRemedy.Refused, MinThreadsRemedy.Of(report));
    }

    /// <summary>Synthesised: as before, and the machine says who has the processors.</summary>
    [Fact]
    public void Who_has_the_processors_is_named_where_it_was_seen_while_items_waited()
    {
        var report = Hindered(HindranceKind.ProcessorWait, 0.9);
        var told = Ask.Found(rule, With(report, report.Episodes[0].Span.From.PlusMs(100)));

        Assert.Contains("keep them busy. Of the machine's processor time, make uses 61% and ld uses 22%. More",
            told.Headline, StringComparison.Ordinal);
        Assert.Equal(22, Ask.Value(told, "Processor use of ld, pid 12"));
        Assert.Equal("Move make (pid 11) or this process to another machine, or limit what make may use.", told.Remedies[0].Text);
        ScreenScript.Of(report with { Verdict = Verdict.Saturated, IsCrowdedOut = true }, 100, 30)
            .Expect("other processes keep the processors busy.").Run();
        var before = With(report, report.Episodes[0].Span.From.PlusMs(-100));
        Assert.DoesNotContain("make", Ask.Found(rule, before).Headline, StringComparison.Ordinal);

        static PoolReport With(PoolReport report, EventTime at) => report with
        {
            Timeline = report.Timeline with { Others = new(at, [new("make", 11, 0.61), new("ld", 12, 0.22), new("sh", 13, 0.06)]) },
        };
    }

    /// <summary>Synthesised: as before, with stacks that show nearly all workers in a call that waits.</summary>
    [Fact]
    public void A_crowded_machine_does_not_lead_where_the_workers_wait_in_a_call()
    {
        var report = Hindered(HindranceKind.ProcessorWait, 0.9) with
        {
            Blockers = [new("Shop.Orders.Load", 0.97, 41, BlockKind.Task, []), new("Shop.Orders.All", 0.03, 1, BlockKind.Wait, [])],
        };

        Assert.Equal(Severity.Warning, Ask.Found(rule, report).Severity);
        Assert.IsType<FindingRuleAnswer.Found>(new Tpw001Starvation().Look(report));
        Assert.NotEqual(MinThreadsRemedy.Refused, MinThreadsRemedy.Of(report));
    }

    /// <summary>Synthesised: a control group whose quota is used up.</summary>
    [Fact]
    public void A_quota_that_is_used_up_is_named()
    {
        var finding = Ask.Found(rule, Hindered(HindranceKind.Throttled, 0.4));

        Assert.Contains("processor quota of the process is used up", finding.Headline, StringComparison.Ordinal);
        Assert.StartsWith("Raise the quota", finding.Remedies[0].Text, StringComparison.Ordinal);
        Assert.Equal("control group", finding.Evidence[1].Source);
    }

    /// <summary>Synthesised: a thread of the program's own computes beside blocked workers.</summary>
    [Fact]
    public void A_gate_that_comes_in_time_shows_that_it_is_not_the_workers_that_wait() =>
        Assert.IsType<FindingRuleAnswer.Clear>(
            rule.Look(Hindered(HindranceKind.ProcessorWait, 0.9, Ask.Starving().StarvationAfter(1001).StarvationAfter(1001).Pass(500))));

    /// <summary>Synthesised: as before, with a gate that has to wait too.</summary>
    [Fact]
    public void A_gate_that_comes_late_too_makes_it_sure()
    {
        var late = new PoolScript().Opening().CounterSamples(90, cpu: 0.07).Repeat(8, s => s.StarvationAfter(570)).Pass(500);

        Assert.Equal(Confidence.High, Ask.Found(rule, Hindered(HindranceKind.ProcessorWait, 0.9, late)).Confidence);
    }

    /// <summary>
    /// Synthesised: sleeping items on a machine where every wake-up is late; seen so with twenty runnable threads a processor.
    /// </summary>
    [Theory]
    [InlineData(0.1)]
    [InlineData(0.6)]
    public void Threads_that_sleep_and_wake_late_are_no_saturation(double share) =>
        Assert.IsType<FindingRuleAnswer.Clear>(rule.Look(Hindered(HindranceKind.ProcessorWait, share)));

    /// <summary>Synthesised: of a sum over an interval only its part of the wait counts.</summary>
    [Fact]
    public void A_wait_outside_of_the_episodes_does_not_count()
    {
        var report = Hindered(HindranceKind.ProcessorWait, 0.9);
        var span = report.Episodes[0].Span;
        var mostlyBefore = new Hindrance(new(span.From.PlusMs(-9 * span.Ms), span.To), HindranceKind.ProcessorWait, span.Ms);

        Assert.IsType<FindingRuleAnswer.Clear>(rule.Look(report with { Timeline = report.Timeline with { Hindrances = [mostlyBefore] } }));
    }

    [Fact]
    public void Blocked_workers_on_idle_processors_are_no_saturation() => Ask.Clear(rule, Ask.Starving());

    [Fact]
    public void Busy_processors_without_a_wait_are_no_saturation() =>
        Ask.Clear(rule, new PoolScript().Opening().CounterSamples(0, 900, 0.99).Pass(5000));

    [Fact]
    public void A_gate_that_comes_late_most_times_leaves_it_undecided()
    {
        var script = new PoolScript().Opening().CounterSamples(90, cpu: 0.07).Repeat(8, s => s.StarvationAfter(570)).Pass(500);

        Ask.Open(rule, script, "threads may have waited for processors");
        Assert.Equal(Confidence.Medium, Ask.Found(new Tpw001Starvation(), script).Confidence);
    }

    [Fact]
    public void Without_processor_use_it_is_undecided() =>
        Ask.Open(rule, new PoolScript().Opening()
            .CounterSamples(90, cpu: null).Repeat(3, s => s.StarvationAfter(1001)).Pass(500), "processor use");

    [Fact]
    public void Without_a_heartbeat_it_is_undecided() =>
        Ask.Open(rule, new PoolScript().Opening().Pass(5000).WorkerSleeps(), "counter samples");

    static PoolReport Hindered(HindranceKind kind, double share, PoolScript? script = null)
    {
        var report = (script ?? Ask.Starving()).Report();
        var span = report.Episodes[0].Span;
        return report with { Timeline = report.Timeline with { Hindrances = [new(span, kind, span.Ms * share)] } };
    }
}
