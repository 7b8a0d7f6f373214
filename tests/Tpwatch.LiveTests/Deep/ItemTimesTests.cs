using System.Globalization;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>The items probe against what the fixture says of each item.</summary>
public sealed class ItemTimesTests(ItemRuns runs) : IClassFixture<ItemRuns>
{
    /// <summary>The fixture's record of standstills sleeps so long between two looks.</summary>
    const double RecordLooksMs = 5;

    public static TheoryData<TargetRuntime, string> Entries()
    {
        var data = new TheoryData<TargetRuntime, string>();
        foreach (var (runtime, scenario) in ItemRuns.All)
        {
            data.Add(runtime, scenario);
        }

        return data;
    }

    [Theory(Timeout = 5 * 60 * 1000)]
    [MemberData(nameof(Entries))]
    public async Task Percentiles_of_queue_delay_are_those_of_the_fixtures_own_record(TargetRuntime runtime, string scenario)
    {
        var run = await runs.OfAsync(runtime, scenario);
        var delay = run.Report.QueueDelay!;
        var (least, most) = TrueDelays(run, (int)delay.Count);
        var aside = Aside(run);
        TestContext.Current.TestOutputHelper!.WriteLine($"{delay with { Buckets = [] }}");
        TestContext.Current.TestOutputHelper!.WriteLine(
            string.Join(' ', new[] { 0.5, 0.9, 0.99, 1 }.Select(q => Quantile(most, q).ToString("0.000", CultureInfo.InvariantCulture)))
                + $", {aside} put aside");
        Assert.Equal(least.Length, delay.Count);
        var all = WithThoseThatNeverStarted(run);
        Assert.All(
            new[] { (0.5, delay.P50Ms), (0.9, delay.P90Ms), (0.99, delay.P99Ms), (1, delay.MaxMs) },
            seen =>
            {
                var (tolerance, from) = (seen.Item1 >= 0.99 ? HiccupLog.WorthNotingMs : 0.2, Quantile(least, seen.Item1, aside));
                if (delay.Unfinished > 0)
                {
                    // Items that still wait count as well: not less than those say that began, nor more than if the others waited for ever.
                    Assert.InRange(seen.Item2, from - tolerance - HiccupLog.WorthNotingMs, Quantile(all, seen.Item1));
                }
                else
                {
                    IsWithin(seen.Item2, from, Quantile(most, seen.Item1), tolerance);
                }
            });
        Assert.Equal(delay.Count, delay.Buckets.Sum(b => b.Count));
        Assert.Equal(delay.Count, (run.Report.Items!.HealthyDelay?.Count ?? 0) + (run.Report.Items.StarvedDelay?.Count ?? 0));
        // A process that stood still has all that was due in its queue at once, and the pool adds a worker.
        Assert.True(scenario != "steady" == run.Report.Items.StarvedDelay is not null
            || (scenario == "steady" && await VoidRow.IsAsync(run.Truth, run.From, run.To, GateTiming.StarvationMs)));
    }

    // Nobody is added, so that nothing begins while we attach: all were queued before, and those that begin later have one end only. Items
    // are told by a session of their own, which on a busy machine is seconds later than the first.
    [Fact(Timeout = 2 * 60 * 1000)]
    public async Task Items_of_which_one_end_was_seen_are_counted_and_not_measured()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, cancel, "detector-disabled", "--items", "12", "--hold", "8000", "--seconds", "20", "--processors", "4");
        var run = await LiveRun.LateAsync(target, new() { Depth = CaptureDepth.Items }, cancel);
        var seen = run.Truth.Items.Count(i => i.Started is { } started && ObservedRun.At(started) > run.Report.Timeline.Start);
        Assert.Equal(8, seen);
        Assert.Equal((0, seen), (run.Report.QueueDelay!.Count, run.Report.QueueDelay.Unmatched));
    }

    static double[] WithThoseThatNeverStarted(ObservedRun run) =>
        [.. run.Truth.Items.Select(i => i.Started is { } started ? run.Truth.Ms(i.Enqueued, started) : double.MaxValue).Order()];

    // A worker that took an item when the fixture had read its record already, or was about to note that it began, has waited for as long
    // as the record says at least; how long the process went on no record says. Items are taken in the order in which they were queued.
    static (double[] Least, double[] Most) TrueDelays(ObservedRun run, int seen)
    {
        var known = run.Truth.Items.Where(i => i.Started is not null).Select(i => run.Truth.Ms(i.Enqueued, i.Started!.Value)).ToArray();
        var after = run.Truth.Items.Where(i => i.Started is null).OrderBy(i => i.Enqueued).Take(Math.Max(0, seen - known.Length)).ToArray();
        return ([.. known.Concat(after.Select(i => run.Truth.Ms(i.Enqueued, run.Truth.End.At))).Order()],
            [.. known.Concat(after.Select(_ => double.MaxValue)).Order()]);
    }

    // The fixture takes its stamps before the pool says that an item was queued, and after it says that one was taken: what is seen is
    // never more. It is less by as long as the thread was put aside in between, which only a busy machine does. As many items as have a
    // stamp at a standstill that the record notes may have changed places; what the record is too coarse to note shows at the ends alone.
    static void IsWithin(double seenMs, double leastMs, double mostMs, double slackMs) =>
        Assert.InRange(seenMs, (leastMs * 0.98) - slackMs, (mostMs * 1.02) + 0.2);

    static int Aside(ObservedRun run) =>
        run.Truth.Items.Count(i => i.Started is { } started && run.Truth.Hiccups.Any(h => IsAt(h, i.Enqueued) || IsAt(h, started)));

    static bool IsAt(TruthHiccup hiccup, long stamp) =>
        ObservedRun.At(hiccup.At).PlusMs(RecordLooksMs) >= ObservedRun.At(stamp)
        && ObservedRun.At(hiccup.At).PlusMs(-hiccup.OvershootMs - RecordLooksMs) <= ObservedRun.At(stamp);

    static double Quantile(double[] sorted, double share, int aside = 0) =>
        sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Length) - 1 - aside)];
}
