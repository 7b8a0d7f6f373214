using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The evidence that a memory reading adds to a finding; nothing if none was taken.</summary>
static class InsideEvidence
{
    /// <summary>Number of kinds of queued items that are named.</summary>
    const int Most = 3;

    const string Source = "memory";

    /// <summary>The queued items by name, the most frequent first.</summary>
    public static IEnumerable<Evidence> Queue(PoolEvidence report) => report.Inside?.Queue is { Kinds.IsDefaultOrEmpty: false } queue
        ? queue.Kinds.Where(k => k.Items > 0).Take(Most).Select(k => new Evidence($"Queued {k.Name}", k.Items, "items", Source))
        : [];

    /// <summary>The number of worker threads that wait for an item that is itself in the queue, as evidence.</summary>
    public static IEnumerable<Evidence> ForQueue(PoolEvidence report) =>
        report.Inside is { } reading && InsideOutlook.ForQueue(reading) is > 0 and var count
            ? [new("Worker threads that wait for a task whose continuation is in the queue", count, "threads", Source)]
            : [];
}
