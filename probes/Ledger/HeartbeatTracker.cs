using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Keeps the counter samples; converts processor use to a share of all processors, as the runtime's own rule counts it.</summary>
sealed class HeartbeatTracker
{
    /// <summary>
    /// The number of counter samples kept: one hour at one per second. Older ones have already been used in injection delays and episodes.
    /// </summary>
    const int Capacity = 3600;

    readonly Queue<Heartbeat> kept = new();

    public Heartbeat? Last { get; private set; }

    public Heartbeat Take(in CountersRead fact, int? processors)
    {
        Last = Translate(fact, processors);
        kept.Enqueue(Last);
        if (kept.Count > Capacity)
        {
            kept.Dequeue();
        }

        return Last;
    }

    public ImmutableArray<Heartbeat> Snapshot() => [.. kept];

    /// <summary>The counter sample as the timeline keeps it.</summary>
    public static Heartbeat Translate(in CountersRead fact, int? processors)
    {
        var share = fact.Cpu.Share
            ?? (fact is { Cpu.Seconds: { } seconds, IntervalMs: { } interval } && processors is { } p && interval > 0
                ? seconds * 1000 / (interval * p) : null);
        return new(fact.At, fact.IntervalMs, fact.Workers, fact.Backlog, fact.Completed, share);
    }
}
