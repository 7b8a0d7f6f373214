using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Reporting;
using Tpwatch.Tests.Stacks;

namespace Tpwatch.Tests.Findings;

/// <summary>What a reading of the memory adds to findings: what is in the queue, and what is proven by that.</summary>
public sealed class InsideEvidenceTests
{
    internal static IEnumerable<PoolReport> Told => [Read(SomeInside.Starved())];

    [Fact]
    public void The_most_frequent_kinds_of_queued_items_are_evidence_of_starvation()
    {
        IFindingRule[] rules = [new Tpw001Starvation(), new Tpw002SyncOverAsync(), new Tpw010Deadlock()];
        Assert.All(rules, rule =>
        {
            var queued = rule.Found(Read(SomeInside.Starved())).Evidence.Where(e => e.Text.StartsWith("Queued ", StringComparison.Ordinal));
            Assert.Equal(
                [("Queued async OrderImporter.ImportAsync", 2500.0, "memory"), ("Queued Stock.Recount", 2500, "memory"),
                    ("Queued async HttpProtocol.ProcessRequests", 40, "memory")],
                queued.Select(e => (e.Text, e.Value ?? 0, e.Source)));
        });
        Assert.Contains(
            new Tpw003UndetectedStarvation().Found(Deepened.WithStacks(Ask.Undetected().Report(), Seen(SomeInside.Starved()))).Evidence,
            e => e.Source == "memory");
    }

    [Fact]
    public void Waits_for_what_is_queued_are_proof_of_a_deadlock_and_name_it()
    {
        var report = Read(SomeInside.Starved());
        var finding = new Tpw010Deadlock().Found(report);

        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(5, new Tpw002SyncOverAsync().Found(report).Number("whose continuation is in the queue"));
    }

    [Fact]
    public void Waits_for_a_timer_that_is_not_due_prove_nothing()
    {
        var reading = SomeInside.Starved();
        var report = Read(reading with { Waits = [reading.Waits[0] with { End = WaitEnd.Timer }] });

        Assert.Null(Tpw010Deadlock.Cycle(report));
        Assert.DoesNotContain(
            new Tpw010Deadlock().Found(report).Evidence.Where(e => e.Value is not null),
            e => e.Text.Contains("continuation", StringComparison.Ordinal));
    }

    [Fact]
    public void Shares_of_a_reading_are_of_threads_and_not_of_samples()
    {
        var finding = new Tpw002SyncOverAsync().Found(Read(SomeInside.Starved()));
        Assert.Equal(71.43, finding.Number("Busy worker threads in Baskets.Total"));
        Assert.Contains("% of the busy worker threads are in ", finding.Headline, StringComparison.Ordinal);
    }

    static PoolReport Read(InsideReading reading) => Deepened.WithStacks(
        new PoolScript().Opening().CounterSamples(90, 0, 0.01).Repeat(12, s => s.StarvationAfter(1001)).Pass(600).Report(),
        Seen(reading));

    static StacksSeen Seen(InsideReading reading) => StacksSeen.None.WithReading(reading);
}
