using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using Tpwatch.Tests.Screen;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw006CpuSaturationTests
{
    static readonly Tpw006CpuSaturation Rule = new();

    internal static IEnumerable<PoolReport> Told =>
    [
        Ask.Busy(), Crowded, Hindered(HindranceKind.Throttled, 0.4), With(Crowded, Crowded.Episodes[0].Span.From.PlusMs(100)), LateGate(),
    ];

    /// <summary>Synthesised: a neighbour on every processor.</summary>
    static PoolReport Crowded => Hindered(HindranceKind.ProcessorWait, 0.9);

    [Fact]
    public void Busy_processors_while_items_wait_are_found_and_no_remedy_of_theirs_is_a_setting()
    {
        var finding = Rule.Found(Ask.Busy());
        var report = new PoolScript().Opening(2).CounterSamples(50, cpu: 0.99).Repeat(3, s => s.StarvationAfter(2600)).Pass(4000).Report();

        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(99, finding.Value("Processor use"));
        Assert.Contains("at most 2 items compute at once, one per processor", finding.Remedies[1].Text, StringComparison.Ordinal);
        Assert.DoesNotContain(report.Findings.Single(f => f.Id == "TPW006").Remedies, r => r.Setting is not null);
    }

    [Fact]
    public void Threads_that_wait_for_processors_prove_it_whatever_the_counter_says()
    {
        var finding = Rule.Found(Crowded);

        Assert.Equal((Severity.Serious, Confidence.Medium), (finding.Severity, finding.Confidence));
        Assert.Equal(90, finding.Value("Share of time in which a thread was ready but had no processor: at most")!.Value, 1);
        Assert.IsType<FindingRuleAnswer.Undecided>(new Tpw001Starvation().Look(Crowded));
        Assert.Equal(MinThreadsRemedy.Refused, MinThreadsRemedy.Of(Crowded));
    }

    /// <summary>Synthesised: as before, and the machine says who has the processors.</summary>
    [Fact]
    public void Who_has_the_processors_is_named_where_it_was_seen_while_items_waited()
    {
        var told = Rule.Found(With(Crowded, Crowded.Episodes[0].Span.From.PlusMs(100)));

        Assert.Contains("make uses 61% and ld uses 22%", told.Headline, StringComparison.Ordinal);
        Assert.Equal(22, told.Value("Processor use of ld, pid 12"));
        ScreenScript.Of(Crowded with { Verdict = Verdict.Saturated, IsCrowdedOut = true }, 100, 30)
            .Expect("other processes keep the processors busy.").Run();
        var before = With(Crowded, Crowded.Episodes[0].Span.From.PlusMs(-100));
        Assert.DoesNotContain("make", Rule.Found(before).Headline, StringComparison.Ordinal);
    }

    /// <summary>Synthesised: as before, with stacks that show nearly all workers in a call that waits.</summary>
    [Fact]
    public void A_crowded_machine_does_not_lead_where_the_workers_wait_in_a_call()
    {
        var report = Crowded with
        {
            Blockers = [new("Shop.Orders.Load", 0.97, 41, BlockKind.Task, []), new("Shop.Orders.All", 0.03, 1, BlockKind.Wait, [])],
        };

        Assert.Equal(Severity.Warning, Rule.Found(report).Severity);
        new Tpw001Starvation().Found(report);
        Assert.NotEqual(MinThreadsRemedy.Refused, MinThreadsRemedy.Of(report));
    }

    /// <summary>Synthesised: a control group whose quota is used up.</summary>
    [Fact]
    public void A_quota_that_is_used_up_is_named() =>
        Assert.Equal("control group", Rule.Found(Hindered(HindranceKind.Throttled, 0.4)).Evidence[1].Source);

    /// <summary>Synthesised: as with a neighbour on every processor, and a gate that has to wait too.</summary>
    [Fact]
    public void A_gate_that_comes_late_makes_it_sure_and_alone_leaves_it_undecided()
    {
        Assert.Equal(Confidence.High, Rule.Found(Hindered(HindranceKind.ProcessorWait, 0.9, LateGate())).Confidence);
        Rule.Open(LateGate(), MissingKind.ProcessState);
        Assert.Equal(Confidence.Medium, new Tpw001Starvation().Found(LateGate()).Confidence);
    }

    [Fact]
    public void What_only_looks_like_saturation_is_clear()
    {
        var span = Crowded.Episodes[0].Span;
        Rule.Clear(
            ("blocked workers on idle processors", Ask.Starving()),
            ("busy processors without a wait", new PoolScript().Opening().CounterSamples(0, 900, 0.99).Pass(5000)),
            // A thread of the program's own computes beside blocked workers.
            ("threads that wait beside a gate that comes in time",
                Hindered(HindranceKind.ProcessorWait, 0.9, Ask.Starving().StarvationAfter(1001).StarvationAfter(1001).Pass(500))),
            // Sleeping items on a machine where every wake-up is late; seen so with twenty runnable threads a processor.
            ("threads that sleep and wake late", Hindered(HindranceKind.ProcessorWait, 0.1)),
            ("threads that sleep and often wake late", Hindered(HindranceKind.ProcessorWait, 0.6)),
            // Of a sum over an interval only its part of the wait counts.
            ("a wait outside of the episodes", Hindered(
                Crowded, new Hindrance(new(span.From.PlusMs(-9 * span.Ms), span.To), HindranceKind.ProcessorWait, span.Ms))));
    }

    [Fact]
    public void Without_processor_use_it_is_undecided() => Rule.Open(
        new PoolScript().Opening().CounterSamples(90, cpu: null).Repeat(3, s => s.StarvationAfter(1001)).Pass(500),
        MissingKind.CounterSamples);

    static PoolScript LateGate() =>
        new PoolScript().Opening().CounterSamples(90, cpu: 0.07).Repeat(8, s => s.StarvationAfter(570)).Pass(500);

    static PoolReport With(PoolReport report, EventTime at) => report with
    {
        Timeline = report.Timeline with { Others = new(at, [new("make", 11, 0.61), new("ld", 12, 0.22), new("sh", 13, 0.06)]) },
    };

    static PoolReport Hindered(HindranceKind kind, double share, PoolReport? script = null)
    {
        var report = script ?? Ask.Starving();
        var span = report.Episodes[0].Span;
        return Hindered(report, new Hindrance(span, kind, span.Ms * share));
    }

    static PoolReport Hindered(PoolReport report, Hindrance hindrance) =>
        report with { Timeline = report.Timeline with { Hindrances = [hindrance] } };
}
