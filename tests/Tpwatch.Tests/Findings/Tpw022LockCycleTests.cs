using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Reporting;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Findings;

/// <summary>A deadlock on locks, which a reading of the memory proves whatever the pool does.</summary>
public sealed class Tpw022LockCycleTests
{
    static readonly LockCycle Two = new([7, 8], ["Orders.Pay > Monitor.Enter", "Orders.Refund > Monitor.Enter"], Blocked: 3, Workers: 3);

    internal static IEnumerable<PoolReport> Told => [Report(Two, processors: 8), Report(Two, processors: 3, completed: 0)];

    [Fact]
    public void Few_threads_in_a_healthy_pool_are_told_and_leave_it_healthy()
    {
        var report = Report(Two, processors: 8);

        Assert.Equal(Verdict.Healthy, report.Verdict);
        var finding = Assert.Single(report.Findings, f => f.Id == "TPW022");
        Assert.Equal((Severity.Serious, Confidence.High), (finding.Severity, finding.Confidence));
        Assert.Equal(finding.Id, LeadingFinding.Deadlock(report.Findings)?.Id);
        Assert.Contains("TPW022", Report(null, processors: 2).Clear);
    }

    /// <summary>As many workers as processors wait; items that complete since show that others get on.</summary>
    [Theory]
    [InlineData(0, Verdict.Held)]
    [InlineData(50, Verdict.Healthy)]
    public void As_many_workers_as_processors_hang_unless_items_complete_since(int completed, Verdict verdict)
    {
        var report = Report(Two, processors: 3, completed);

        Assert.Equal((verdict, verdict == Verdict.Held), (report.Verdict, report.IsNow));
        var finding = Assert.Single(report.Findings, f => f.Id == "TPW022");
        Assert.Contains(Two.Places[0] + "; " + Two.Places[1], finding.Headline, StringComparison.Ordinal);
    }

    /// <summary>Others that wait for the locks of the deadlock are told where there are others.</summary>
    [Theory]
    [InlineData(2, null)]
    [InlineData(3, 3.0)]
    public void Those_that_wait_behind_the_deadlock_are_counted_with_it(int blocked, double? told) => Assert.Equal(told,
        new Tpw022LockCycle().Found(Report(Two with { Blocked = blocked }, processors: 8)).Number("including them"));

    static PoolReport Report(LockCycle? cycle, int processors, int completed = 50)
    {
        var script = new PoolScript().Opening().Processors(processors).CounterSamples(0, completed).Pass(6000);
        return ReportBuilder.Build(script.Timeline.Snapshot(), script.Ledger.Snapshot(), SessionEnd.StillOpen, new ReportInputs
        {
            Stacks = StacksSeen.None.WithGlance(new() { At = script.Origin.PlusMs(2500), Deadlock = cycle }),
        });
    }
}
