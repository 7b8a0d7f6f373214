using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Screen;

/// <summary>Reports with what costs something: stacks, and single items.</summary>
static class SomeDeep
{
    /// <summary>What the rule of starvation says once stacks name the call, beside findings of other rules.</summary>
    public static PoolReport Stacks()
    {
        var report = Sampled();
        var found = (FindingRuleAnswer.Found)new Tpw001Starvation().Look(report);
        return report with { Findings = [found.Finding, .. report.Findings.Skip(1)] };
    }

    static PoolReport Sampled() => Some.Found() with
    {
        Blockers =
        [
            new("OrderApi.OrderRepo.Load", 0.86, 12, BlockKind.Wait,
                ["System.Threading.Monitor.Wait(object, int)", "System.Threading.SemaphoreSlim.Wait()",
                    "OrderApi.OrderRepo.Load", "OrderApi.OrdersController.Get", "Microsoft.AspNetCore.Mvc.Invoke()"])
            {
                Resource = Resource.Semaphore,
                Plain = "OrderRepo.Load",
            },
            new("OrderApi.PriceCache.Get", 0.07, 1, BlockKind.Lock,
                ["System.Threading.Monitor.Enter(object)", "OrderApi.PriceCache.Get"]) { Plain = "PriceCache.Get" },
            new("OrderApi.RetryPolicy.Backoff", 0.07, 1, BlockKind.Wait, ["OrderApi.RetryPolicy.Backoff()"])
            { Plain = "RetryPolicy.Backoff" },
        ],
        QueueDelay = new(1842, 3, 0.3, 2610, 5880, 6090, 6114, Buckets((0.1, 900), (0.3, 700), (2000, 150), (5000, 92))),
        RunTime = new(1842, 0, 12, 15, 9800, 10_900, 11_000, Buckets((10, 1800), (9000, 42))),
    };

    /// <summary>Forty minutes, of which the newest fifteen are kept in full.</summary>
    public static PoolReport History()
    {
        var tracker = new BucketTracker();
        tracker.Open(Some.Start);
        for (var second = 0; second < 2400; second++)
        {
            tracker.AdvanceTo(Some.At(second));
            tracker.Workers(Threads(second / 60));
            tracker.TargetThreads(Threads(second / 60));
            tracker.QueueLength(second / 30 % 7 * 10);
            tracker.CoverBack(Some.At(second - 1), Some.At(second), 200 + second % 300, 0.3f + second % 50 / 100f);
        }

        var report = Some.Empty();
        return report with
        {
            Verdict = Verdict.Undecided,
            Headline = "Undecided: items seem to wait a second or more, but the counter samples cannot prove it. "
                + "To measure the queue time of every item, run dotnet tpwatch report -p 41822 --depth items.",
            HeadlineByKey = "Undecided: items seem to wait a second or more, but the counter samples cannot prove it. "
                + "To measure the queue time of every item, press 4, then t twice.",
            Lack = new("items seem to wait a second or more", ", but the counter samples cannot prove it") { OfItemTimes = true },
            InjectionDelays = [.. Enumerable.Range(1, 39)
                .Select(minute => Some.Climbing(minute, minute * 60, Threads(minute - 1), Threads(minute)))],
            Timeline = report.Timeline with
            {
                Buckets = tracker.Snapshot(),
                Now = Some.At(2399),
                Levels = Some.Last(tracker.Snapshot()),
            },
        };
    }

    // Up by one a minute, and back to the beginning.
    static int Threads(int minute) => 8 + minute % 9;

    static ImmutableArray<DistributionBucket> Buckets(params (double FromMs, long Count)[] counts) =>
        [.. counts.Select(c => new DistributionBucket(c.FromMs, c.FromMs * 1.1, c.Count))];
}
