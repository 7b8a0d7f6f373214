using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>Article 001: how long until the pool has another worker, item for item.</summary>
public sealed class InjectionLatencyTests
{
    const double SameShare = 0.01;

    [Fact]
    public async Task The_fixtures_average_is_ours()
    {
        var run = await StoredRuns.OfAsync("injection-latency");
        var ours = Injections(run).Skip(1).Select(g => g.ObservedMs!.Value).ToArray();
        // The wait of each item that had to have a new worker; the first one's gap begins before its item.
        var theirs = run.Truth.Waits().Skip(run.Truth.Header.MinWorkers + 1).ToArray();
        Assert.Equal(theirs.Length, ours.Length);
        // From the injection to the item's first line the thread may have been kept from a processor.
        var stolen = TrueStandstill.MsWithin(run.Truth, Injections(run)[0].End, run.To) / theirs.Length;
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"ours {ours.Average():0.0} ms, the fixture's {theirs.Average():0.0} ms, stolen {stolen:0.0} ms");
        Assert.InRange(ours.Average(), (theirs.Average() * (1 - SameShare)) - stolen, (theirs.Average() * (1 + SameShare)) + stolen);
    }

    static InjectionDelay[] Injections(ObservedRun run) =>
        [.. run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation)];
}
