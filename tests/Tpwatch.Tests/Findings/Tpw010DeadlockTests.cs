using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

public sealed class Tpw010DeadlockTests
{
    static readonly Tpw010Deadlock Rule = new();

    internal static IEnumerable<PoolReport> Told => [OfFifty(), Over(), Stuck(12, cpu: 0.5)];

    [Fact]
    public void Workers_that_join_a_wait_in_which_nothing_ends_are_found()
    {
        var finding = Rule.Found(Stuck(12));

        Assert.Equal(("TPW010", Severity.Warning, Confidence.Low), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal(
            (12_000, 11, 90), (finding.Number("without a completed item"), finding.Number("Threads added"),
                finding.Number("Waiting items")));
        Assert.Contains("ForceMinWorkerThreads=0x78 (hexadecimal for 120)", finding.Remedies[^1].Setting, StringComparison.Ordinal);
    }

    [Fact]
    public void At_max_and_after_the_usual_time_outs_it_is_serious()
    {
        var (atMax, late) = (Rule.Found(new PoolScript().Processors(8).Limits(8, 11).Ramp(8).GateBegins()
            .CounterSamples(90).Repeat(3, s => s.StarvationAfter(1001)).Pass(9000)), Rule.Found(Stuck(31)));

        Assert.Equal((11, Severity.Serious), (atMax.Number("MaxThreads (reached)"), atMax.Severity));
        Assert.EndsWith(" MaxThreads is reached: the pool adds no more threads.", atMax.Headline, StringComparison.Ordinal);
        Assert.Equal((Severity.Serious, Confidence.Medium), (late.Severity, late.Confidence));
    }

    /// <summary>One report gives one advice: where more threads would wait for the lock as well, MinThreads is not to be raised.</summary>
    [Fact]
    public async Task At_a_lock_that_stacks_name_MinThreads_is_no_workaround()
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File("Deep/mixed-blocking"));
        Assert.Contains(report.Findings, f => f.Id == "TPW010");
        Assert.Contains(report.Findings.SelectMany(f => f.Remedies), r => r.Kind == RemedyKind.Refusal);
        Assert.DoesNotContain(
            report.Findings.SelectMany(f => f.Remedies), r => r.Text.Contains("set MinThreads", StringComparison.Ordinal));
    }

    /// <summary>More than the 256 threads that are advised at most: 20 run and 300 wait.</summary>
    [Fact]
    public void One_report_names_one_MinThreads()
    {
        var report = new PoolScript().Opening().CounterSamples(300).Repeat(12, s => s.StarvationAfter(1001)).Pass(600).Report();
        Assert.Contains(report.Findings, f => f.Id == "TPW010");
        var told = report.Findings.SelectMany(f => f.Remedies).Select(r => r.Setting).OfType<string>().Distinct();
        Assert.Contains("SetMinThreads(256,", Assert.Single(told), StringComparison.Ordinal);
    }

    [Fact]
    public void Where_max_allows_fewer_it_is_to_be_raised_too()
    {
        var remedies = Rule.Found(OfFifty()).Remedies;

        Assert.Contains("SetMinThreads(50,", remedies[^2].Setting, StringComparison.Ordinal);
        Assert.Contains("raise MaxThreads as well", remedies[^1].Text, StringComparison.Ordinal);
    }

    /// <summary>Where stacks show a sleep or a lock, it is known that no service is slow.</summary>
    [Theory]
    [InlineData(BlockKind.Sleep, false)]
    [InlineData(BlockKind.Lock, false)]
    [InlineData(BlockKind.Io, true)]
    public void A_slow_service_is_to_be_looked_for_unless_stacks_show_another_wait(BlockKind kind, bool isTold) => Assert.Equal(isTold,
        Rule.Found(Stuck(12).Report() with { Blockers = [new("Shop.Load", 0.9, 8, kind, ["Shop.Load"])] })
            .Remedies.Any(r => r.Text.StartsWith("If all items wait for one database or service", StringComparison.Ordinal)));

    [Fact]
    public void Items_that_end_or_compute_are_no_deadlock() => Rule.Clear(
        ("a few seconds without an end", Stuck(8)),
        ("one completion in ten seconds",
            Stuck(6).CounterSamples(90, 1).Pass(1000).CounterSamples(90).Repeat(6, s => s.StarvationAfter(1001)).Pass(600)),
        ("busy processors", Stuck(12, cpu: 0.99)));

    [Fact]
    public void What_breaks_the_proof_leaves_it_undecided() => Rule.Open(
        ("a stall that has ended", Over(), MissingKind.Stacks),
        ("computing meanwhile", Stuck(12, cpu: 0.5), MissingKind.Stacks),
        ("a quota that is used up", Throttled(Stuck(12)), MissingKind.Stacks),
        ("loss inside", Stuck(6).Lose().Repeat(6, s => s.StarvationAfter(1001)).Pass(600), MissingKind.LostEvents),
        ("no heartbeat", new PoolScript().Opening().Repeat(12, s => s.StarvationAfter(1001)), MissingKind.CounterSamples));

    static PoolScript OfFifty() => new PoolScript().Processors(8).Limits(8, 50).Ramp(8).GateBegins()
        .CounterSamples(90).Repeat(12, s => s.StarvationAfter(1001)).Pass(600);

    static PoolReport Throttled(PoolReport report) => report with
    {
        Timeline = report.Timeline with
        {
            Hindrances = [.. report.Episodes.Select(e => new Hindrance(e.Span, HindranceKind.Throttled, 0.4 * e.Span.Ms))],
        },
    };

    static PoolScript Over() => Stuck(12).CounterSamples(40, 90).Pass(3000);

    static PoolScript Stuck(int injections, double cpu = 0.01) =>
        new PoolScript().Opening().CounterSamples(90, 0, cpu).Repeat(injections, s => s.StarvationAfter(1001)).Pass(600);
}
