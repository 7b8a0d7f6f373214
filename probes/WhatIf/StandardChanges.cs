using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// The changes that a report simulates without a request when items waited: those that could help against the cause that the verdict names.
/// </summary>
static class StandardChanges
{
    /// <summary>
    /// Whether items waited in a way that another configuration could change. The queue of a single reading may be gone a moment later, so
    /// the verdict decides too.
    /// </summary>
    static bool Waited(PoolReport report) =>
        report.MaxQueueLength > 0 && report.Verdict is not (Verdict.Healthy or Verdict.NotThePool or Verdict.Wedged or Verdict.Held);

    /// <summary>The answers with curves; empty when no item waited or no items are known.</summary>
    public static ImmutableArray<WhatIfAnswer> Answers(PoolReport report, IItemSource source) =>
        Waited(report) && WhatIfStudy.Of(report, source, out _) is { } study
            ? [.. Offered(report, study.Settings.Processors).Select(study.Answer)] : [];

    /// <summary>Changes that could help against the cause of the wait, the best one first.</summary>
    public static IEnumerable<WhatIfChange> Offered(PoolReport report, int processors)
    {
        // More worker threads, or released ones, do not add processors. At MaxThreads a larger MinThreads adds no worker thread, and a
        // larger MaxThreads alone adds one per gate check: the remedy is both.
        if (ProcessorLack.Of(report).Explains(report))
        {
            return [new() { Processors = 2 * processors }];
        }

        if (AtMax.Reached(report) is { } max)
        {
            return MaxThreadsRemedy.Advised(report, max) is { } larger
                ? [new() { Min = larger, Max = larger }, new() { Async = true }]
                : [new() { Async = true }];
        }

        WhatIfChange[] min = MinThreadsRemedy.Advised(report) is { } wanted ? [new() { Min = wanted }] : [];
        return SeenPool.WaitsForTasks(report) ? [new() { Async = true }, .. min] : [.. min, new() { Async = true }];
    }
}
