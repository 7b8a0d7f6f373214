using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Keeps the counter samples; converts processor use to a share of all processors, as the runtime's own rule counts it.</summary>
sealed class CounterTracker
{
    /// <summary>
    /// The number of counter samples kept: one hour at one per second. Older ones have already been used in injection delays and episodes.
    /// </summary>
    const int Capacity = 3600;

    readonly Queue<CounterSample> kept = new();

    public CounterSample? Last { get; private set; }

    public CounterSample Take(in CountersRead fact, int? processors)
    {
        Last = Translate(fact, processors);
        kept.Enqueue(Last);
        if (kept.Count > Capacity)
        {
            kept.Dequeue();
        }

        return Last;
    }

    public ImmutableArray<CounterSample> Snapshot() => [.. kept];

    /// <summary>The counter sample as the timeline keeps it.</summary>
    public static CounterSample Translate(in CountersRead fact, int? processors)
    {
        var share = fact.Cpu.Share
            ?? (fact is { Cpu.Seconds: { } seconds, IntervalMs: { } interval } && processors is { } p && interval > 0
                ? seconds * 1000 / (interval * p) : null);
        return new(fact.At, fact.IntervalMs, fact.Workers, fact.QueueLength, fact.Completed, share);
    }
}
