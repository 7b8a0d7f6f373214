using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Reporting;
using Tpwatch.Watch;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Findings;

/// <summary>A deadlock on locks, which a reading of the memory proves whatever the pool does.</summary>
public sealed class Tpw022LockCycleTests
{
    static readonly LockCycle Two = new([7, 8], ["Orders.Pay > Monitor.Enter", "Orders.Refund > Monitor.Enter"], Blocked: 3, Workers: 3);

    [Fact]
    public void Few_threads_in_a_healthy_pool_are_told_and_leave_it_healthy()
    {
        var report = Report(Two, processors: 8);

        Assert.Equal(Verdict.Healthy, report.Verdict);
        var finding = Assert.Single(report.Findings, f => f.Id == "TPW022");
        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Contains(
            "But 2 threads wait for each other's locks: Orders.Pay > Monitor.Enter; Orders.Refund > Monitor.Enter.", report.Headline,
            StringComparison.Ordinal);
    }

    [Fact]
    public void As_many_workers_as_processors_hang()
    {
        var report = Report(Two, processors: 3, completed: 0);

        Assert.Equal((Verdict.Held, true), (report.Verdict, report.IsNow));
        Assert.EndsWith(Two.Places[0] + "; " + Two.Places[1] + ". They do not continue by themselves.",
            Assert.Single(report.Findings, f => f.Id == "TPW022").Headline, StringComparison.Ordinal);
        Assert.EndsWith(report.Findings.Single(f => f.Id == "TPW022").Remedies[0].Text, report.Headline, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_items_complete_since_the_pool_does_not_hang()
    {
        var report = Report(Two, processors: 3);

        Assert.Equal((Verdict.Healthy, false), (report.Verdict, report.IsNow));
        Assert.Single(report.Findings, f => f.Id == "TPW022");
    }

    [Fact]
    public void A_reading_without_one_clears_the_rule()
    {
        Assert.Contains("TPW022", Report(null, processors: 2).Clear);
    }

    static PoolReport Report(LockCycle? cycle, int processors, int completed = 50)
    {
        var script = new PoolScript().Opening().Processors(processors).CounterSamples(0, completed).Pass(6000);
        var report = ReportBuilder.Build(script.Timeline.Snapshot(), script.Ledger.Snapshot(), SessionEnd.StillOpen, new ExtraEvidence
        {
            Stacks = StacksSeen.None.WithGlance(new() { At = script.Origin.PlusMs(2500), Deadlock = cycle }),
        });
        return report;
    }
}
