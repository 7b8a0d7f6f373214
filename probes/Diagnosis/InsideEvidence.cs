using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>What a reading of the memory adds to a finding, where one was taken; nothing where none was.</summary>
static class InsideEvidence
{
    /// <summary>Kinds of queued items that are named.</summary>
    const int Most = 3;

    const string Source = "memory";

    /// <summary>What waits in the queue by name, the most frequent first.</summary>
    public static IEnumerable<Evidence> Queue(PoolReport report) => report.Inside?.Queue is { Kinds.IsDefaultOrEmpty: false } queue
        ? queue.Kinds.Where(k => k.Items > 0).Take(Most).Select(k => new Evidence($"Queued {k.Name}", k.Items, "items", Source))
        : [];

    /// <summary>Worker threads that wait for what is itself in the queue.</summary>
    public static IEnumerable<Evidence> ForQueue(PoolReport report) =>
        report.Inside is { } reading && InsideOutlook.ForQueue(reading) is > 0 and var count
            ? [new("Worker threads that wait for a task whose continuation is in the queue", count, "threads", Source)]
            : [];
}
