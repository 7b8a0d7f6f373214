using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw014SuspensionTests
{
    static readonly Tpw014Suspension Rule = new();

    internal static IEnumerable<PoolReport> Told =>
        [Collecting(), Steady(), Hole(), Throttled(), Hindered(Steady(), One(HindranceKind.Stopped, 5000, 15_000)), ShortOfProcessors()];

    [Fact]
    public void Collections_that_take_a_third_of_the_time_are_found_and_explain_the_delay()
    {
        var report = Collecting();
        var finding = Rule.Found(report);

        Assert.Equal(Verdict.NotThePool, report.Verdict);
        Assert.Equal(("TPW014", Severity.Warning, Confidence.High), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal((3300, 330), (finding.Number("Suspended by the runtime"), finding.Number("Longest time in which no thread ran")));
        Assert.Equal(33, finding.Number("Share of the capture")!.Value, 0.1);
        Assert.EndsWith(" In that time, more threads would not have helped.", finding.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void A_stop_of_seconds_and_throttling_are_serious_whatever_the_share() => Assert.All<PoolReport>(
        [Hindered(Steady(), One(HindranceKind.Stopped, 1000, 5000)), Throttled()],
        report => Assert.Equal(Severity.Serious, Rule.Found(report).Severity));

    [Fact]
    public void A_stop_that_lasts_beyond_the_last_event_is_part_of_the_capture() => Assert.Equal(
        75, Rule.Found(Hindered(Steady(), One(HindranceKind.Stopped, 5000, 15_000))).Number("Share of the capture")!.Value, 0.1);

    [Fact]
    public void The_collections_of_every_process_are_none() =>
        Rule.Clear(Hindered(Steady(), One(HindranceKind.Suspension, 1000, 20), One(HindranceKind.Suspension, 3000, 90)));

    [Fact]
    public void In_a_healthy_capture_it_is_a_note_at_most()
    {
        var short_ = Hindered(Steady(), One(HindranceKind.Suspension, 1000, 400));
        var waiting = ShortOfProcessors();
        var idle = Hindered(new PoolScript().Opening().CounterSamples(0).Pass(10_000).Report(), One(HindranceKind.Stopped, 1000, 6000));

        Assert.All((PoolReport[])[short_, waiting, idle],
            r => Assert.Equal((Verdict.Healthy, Severity.Note), (r.Verdict, Rule.Found(r).Severity)));
    }

    [Fact]
    public void Many_short_stops_are_told_by_their_sum()
    {
        var report = Steady();
        var summed = report with { Timeline = report.Timeline with { HindranceTotals = [new(HindranceKind.Suspension, 200, 600, 4)] } };

        Assert.Equal(600, Rule.Found(summed).Number("Suspended by the runtime"));
        Assert.Equal((Severity.Note, report.Timeline.Start), (Rule.Found(summed).Severity, Rule.Found(summed).From));
    }

    [Fact]
    public void A_late_gap_across_a_stop_counts_as_held_up()
    {
        var report = Hindered(Ask.Starving(), One(HindranceKind.Suspension, 1500, 600));
        var late = report with
        {
            InjectionDelays = [.. report.InjectionDelays
            .Select((g, i) => i == 2 ? g with { Verdict = DelayVerdict.Late } : g)]
        };

        Assert.Equal((1, Severity.Warning), (Rule.Found(late).Number("Made longer"), Rule.Found(late).Severity));
    }

    [Fact]
    public void What_did_not_come_or_was_not_read_leaves_it_undecided() => Rule.Open(
        ("a heartbeat that stayed away without a reason", Hole(), MissingKind.CounterSamples),
        ("the state of a process that was not read", Steady(), MissingKind.ProcessState),
        ("loss", Ask.Quiet().Lose().Pass(3000), MissingKind.LostEvents));

    [Fact]
    public void Threads_that_waited_for_a_processor_are_not_told_as_a_process_that_did_not_run()
    {
        var finding = ShortOfProcessors().Findings.Single(f => f.Id == "TPW014");
        Assert.Equal("threads of the process waited for a processor", finding.Cause.Words);
        Assert.DoesNotContain(finding.Evidence, e => e.Text.StartsWith("Share of the capture", StringComparison.Ordinal));
    }

    [Fact]
    public void Starvation_stays_starvation_though_the_process_also_stopped() =>
        Assert.Equal(Verdict.Starved, Hindered(Ask.Starving(), One(HindranceKind.Stopped, 500, 1500)).Verdict);

    static PoolReport Collecting() =>
        Hindered(Steady(), [.. Enumerable.Range(0, 10).Select(n => One(HindranceKind.Suspension, 1000 * n, 330))]);

    static PoolReport Throttled() => Hindered(Steady(), One(HindranceKind.Throttled, 1000, 4500, span: 9000));

    static PoolReport ShortOfProcessors() => Hindered(Steady(), One(HindranceKind.ProcessorWait, 1000, 6000, span: 9000));

    static PoolScript Hole() => new PoolScript().Opening().CounterSamples(0, 20).Pass(5000).NoBeats().Pass(5000)
        .CounterSamples(0, 20).CounterSample(0, 20, 8, 0.1).Pass(100);

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
