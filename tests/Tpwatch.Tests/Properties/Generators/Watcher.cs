using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Events;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// Watches a simulated pool as tpwatch watches a real one: its events from the moment of attaching on, and its counters once in a while.
/// </summary>
sealed class Watcher(PoolWorld world, Agenda agenda, PoolCounts counts)
{
    /// <summary>Boot to the process's start on the machine's clock, milliseconds; its grid falls nowhere special.</summary>
    const double OriginMs = 5_000_000_000.25;

    /// <summary>From the last counter to the event that ends the reading.</summary>
    const double PublishMs = 0.02;

    /// <summary>What a process uses that does nothing, share of a processor.</summary>
    const double IdleShare = 0.005;

    readonly ImmutableArray<object>.Builder facts = ImmutableArray.CreateBuilder<object>();
    readonly Dictionary<char, long> read = [];
    (double AtMs, long Completed, double UsedMs)? before;

    public required Func<int> QueueLength { get; init; }

    public required SharedProcessors Processors { get; init; }

    public ImmutableArray<object> Facts => facts.ToImmutable();

    public static EventTime At(double ms) => new EventTime(0).PlusMs(OriginMs + ms);

    public static double Ms(EventTime at) => at.MsSince(new EventTime(0).PlusMs(OriginMs));

    public void Sees(Func<EventTime, object> fact)
    {
        if (facts.Count > 0)
        {
            facts.Add(fact(At(agenda.NowMs)));
        }
    }

    public void Attach()
    {
        facts.Add(new StreamOpened(
            At(agenda.NowMs), new DateTime(2026, 11, 21, 2, 29, 0, DateTimeKind.Utc).AddMilliseconds(agenda.NowMs), world.Processors));
        Sees(at => new ProcessorsCounted(at, world.Processors));
        if (world.AttachMs <= 0)
        {
            Sees(at => new LimitsChanged(at, counts.Min, counts.Max));
        }

        agenda.In(world.FirstBeatMs, Sample);
    }

    void Sample()
    {
        var order = world.Order switch
        {
            ReadingOrder.WorkersQueueCompleted => "wqc",
            ReadingOrder.WorkersCompletedQueue => "wcq",
            ReadingOrder.QueueWorkersCompleted => "qwc",
            ReadingOrder.QueueCompletedWorkers => "qcw",
            ReadingOrder.CompletedWorkersQueue => "cwq",
            _ => "cqw",
        };
        for (var i = 0; i < order.Length; i++)
        {
            var counter = order[i];
            agenda.In(world.SkewMs * i / (order.Length - 1), () => read[counter] = Read(counter));
        }

        agenda.In(world.SkewMs + PublishMs, Publish);
        agenda.In(world.BeatMs, Sample);
    }

    long Read(char counter) => counter switch
    {
        'w' => counts.Existing,
        'q' => QueueLength(),
        _ => counts.Completed,
    };

    void Publish()
    {
        var (now, used) = (agenda.NowMs, Processors.UsedMs + agenda.NowMs * IdleShare);
        Sees(at => before is { } last
            ? new CountersRead(
                at, now - last.AtMs, (int)read['w'], read['q'], read['c'] - last.Completed, new((used - last.UsedMs) / 1000, null))
            : new CountersRead(at, null, (int)read['w'], read['q'], null, new(null, null)));
        before = (now, read['c'], used);
    }
}
