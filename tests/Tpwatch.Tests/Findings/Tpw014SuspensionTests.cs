using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using Tpwatch.Watch;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw014SuspensionTests
{
    static readonly Tpw014Suspension Rule = new();

    [Fact]
    public void Collections_that_take_a_third_of_the_time_are_found_and_explain_the_delay()
    {
        var report = Hindered(Steady(), [.. Enumerable.Range(0, 10).Select(n => One(HindranceKind.Suspension, 1000 * n, 330))]);
        var finding = Rule.Found(report);

        Assert.Equal(Verdict.NotThePool, report.Verdict);
        Assert.Equal(
            "The thread pool is not the problem. The runtime suspended all threads for 3.3 s of 10.0 s, "
                + "mostly for garbage collections. " + finding.Remedies[0].Text,
            report.Headline);
        Assert.Equal(("TPW014", Severity.Warning, Confidence.High), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal((3300, 330), (finding.Number("Suspended by the runtime"), finding.Number("Longest time in which no thread ran")));
        Assert.Equal(33, finding.Number("Share of the capture")!.Value, 0.1);
    }

    [Fact]
    public void A_stop_of_seconds_is_serious_whatever_the_share()
    {
        var finding = Rule.Found(Hindered(Steady(), One(HindranceKind.Stopped, 1000, 5000)));

        Assert.Equal(Severity.Serious, finding.Severity);
        Assert.Contains("SIGSTOP", finding.Remedies[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_stop_that_lasts_beyond_the_last_event_is_part_of_the_capture()
    {
        var finding = Rule.Found(Hindered(Steady(), One(HindranceKind.Stopped, 5000, 15_000)));

        Assert.Equal(75, finding.Number("Share of the capture")!.Value, 0.1);
        Assert.Contains("for 15.0 s of 20.0 s", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Throttling_is_told_with_its_own_remedy()
    {
        var finding = Rule.Found(Hindered(Steady(), One(HindranceKind.Throttled, 1000, 4500, span: 9000)));

        Assert.Contains("resources.limits.cpu", Assert.Single(finding.Remedies).Text, StringComparison.Ordinal);
        Assert.Equal(Severity.Serious, finding.Severity);
    }

    [Fact]
    public void The_collections_of_every_process_are_none() =>
        Rule.Clear(Hindered(Steady(), One(HindranceKind.Suspension, 1000, 20), One(HindranceKind.Suspension, 3000, 90)));

    [Fact]
    public void In_a_healthy_capture_it_is_a_note_at_most()
    {
        var short_ = Hindered(Steady(), One(HindranceKind.Suspension, 1000, 400));
        var waiting = Hindered(Steady(), One(HindranceKind.ProcessorWait, 1000, 6000, span: 9000));
        var idle = Hindered(new PoolScript().Opening().CounterSamples(0).Pass(10_000).Report(), One(HindranceKind.Stopped, 1000, 6000));

        Assert.All((PoolReport[])[short_, waiting, idle],
            r => Assert.Equal((Verdict.Healthy, Severity.Note), (r.Verdict, Rule.Found(r).Severity)));
    }

    [Fact]
    public void Many_short_stops_are_told_by_their_sum()
    {
        var report = Steady();
        var summed = report with { Timeline = report.Timeline with { HindranceTotals = [new(HindranceKind.Suspension, 200, 600, 4)] } };

        Assert.Contains("600 ms of 10.0 s", Rule.Found(summed).Headline, StringComparison.Ordinal);
        Assert.Equal((Severity.Note, report.Timeline.Start), (Rule.Found(summed).Severity, Rule.Found(summed).From));
    }

    [Fact]
    public void A_late_gap_across_a_stop_counts_as_held_up()
    {
        var report = Hindered(new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500).Report(),
            One(HindranceKind.Suspension, 1500, 600));
        var late = report with
        {
            InjectionDelays = [.. report.InjectionDelays
            .Select((g, i) => i == 2 ? g with { Verdict = DelayVerdict.Late } : g)]
        };

        Assert.Equal((1, Severity.Warning), (Rule.Found(late).Number("Made longer"), Rule.Found(late).Severity));
    }

    [Fact]
    public void A_heartbeat_that_stayed_away_without_a_reason_is_undecided()
    {
        var script = new PoolScript().Opening().CounterSamples(0, 20).Pass(5000).NoBeats().Pass(5000).CounterSamples(0, 20);

        Assert.Contains("no counter sample came for 5.0 s, and nothing shows why",
            Rule.Open(script.CounterSample(0, 20, 8, 0.1).Pass(100).Report()), StringComparison.Ordinal);
    }

    [Fact]
    public void Where_nobody_read_the_state_of_the_process_it_is_undecided() =>
        Assert.Contains("the state of the process was not read", Rule.Open(Steady()), StringComparison.Ordinal);

    [Fact]
    public void Threads_that_waited_for_a_processor_are_not_told_as_a_process_that_did_not_run()
    {
        var report = Hindered(Steady(), One(HindranceKind.ProcessorWait, 1000, 6000, span: 9000));
        var finding = report.Findings.Single(f => f.Id == "TPW014");

        Assert.Equal("Threads of the process waited for a processor: the machine is short of processors", finding.Title);
        Assert.Equal("threads of the process waited for a processor", finding.Cause.Words);
        Assert.DoesNotContain("did not run", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Loss_leaves_it_undecided() =>
        Assert.Contains("lost", Rule.Open(new PoolScript().Opening().CounterSamples(0, 20).Lose().Pass(3000).Report()),
            StringComparison.Ordinal);

    [Fact]
    public void Starvation_stays_starvation_though_the_process_also_stopped()
    {
        var script = new PoolScript().Opening().CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(500);

        Assert.Equal(Verdict.Starved, Hindered(script.Report(), One(HindranceKind.Stopped, 500, 1500)).Verdict);
    }

    static PoolReport Steady() => new PoolScript().Opening().CounterSamples(0, 200, 0.2).Pass(10_000).Report();

    static Hindrance One(HindranceKind kind, double from, double ms, double? span = null) =>
        new(new(new EventTime((long)(5_000_000_000.25 * 1e6)).PlusMs(from),
            new EventTime((long)(5_000_000_000.25 * 1e6)).PlusMs(from + (span ?? ms))), kind, ms);

    // Judged anew, as if the timeline had held them from the beginning.
    static PoolReport Hindered(PoolReport report, params Hindrance[] hindrances) => ReportBuilder.Build(
        report.Timeline with { Hindrances = [.. hindrances], Process = new(report.Timeline.Now, 1000, Stopped: false) },
        new LedgerSnapshot
        {
            InjectionDelays = report.InjectionDelays, Journal = report.Journal, Evicted = report.Evicted, Adjustments = report.Adjustments,
            Tally = report.Tally,
            Episodes = report.Episodes, MaxWorkers = report.MaxWorkers, MaxQueueLength = report.MaxQueueLength,
        },
        SessionEnd.StillOpen);
}
