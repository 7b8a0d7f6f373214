using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Stacks.Holders;

namespace Tpwatch.Tests.Render;

/// <summary>Reports with what the deep probes add.</summary>
static class DeepReports
{
    /// <summary>The starved incident with its items measured and its workers sampled.</summary>
    public static PoolReport Starved() => Deepened.WithStacks(
        Deepened.WithItems(SampleReports.Starved() with { Depth = CaptureDepth.Items | CaptureDepth.Stacks },
            Items().Snapshot()), new([First, Second], []));

    static BurstSamples First => Sampled.Burst(
        5000, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock), Sampled.At(3, Sampled.Sleep)) with
    {
        Locks = [new LockAwaited(SampleReports.At(4000), 1, 7, 3), new LockAwaited(SampleReports.At(4100), 2, 7, 3)],
    };

    static BurstSamples Second => Sampled.Burst(10_000, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock),
        Sampled.At(4, Sampled.Lock), Sampled.At(3, Sampled.Sleep)) with
    { Locks = First.Locks };

    /// <summary>
    /// A hundred short waits, then one injected worker that takes what waited through the episode, and one item that waits on.
    /// </summary>
    public static ItemTracker Items()
    {
        var items = new ItemTracker();
        for (var n = 0; n < 100; n++)
        {
            items.Queued(new(SampleReports.At(n * 10), 1, n));
            items.Taken(new(SampleReports.At(n * 10 + 0.2), 11, n));
        }

        items.WorkerIdle(SampleReports.At(1000), 11);
        items.Queued(new(SampleReports.At(1600), 1, 1000));
        items.Queued(new(SampleReports.At(1700), 1, 1001));
        items.Queued(new(SampleReports.At(29_000), 1, 1002));
        items.WorkerBorn(SampleReports.At(26_604), 12);
        items.Taken(new(SampleReports.At(26_605), 12, 1000));
        items.Taken(new(SampleReports.At(28_605), 12, 1001));
        items.WorkerIdle(SampleReports.At(29_500), 12);
        return items;
    }
}
