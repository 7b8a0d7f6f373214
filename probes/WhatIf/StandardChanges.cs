using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// The changes that a report tries by itself when items waited: those that could help against the cause that the verdict names.
/// </summary>
static class StandardChanges
{
    /// <summary>Backlog of one reading may be gone a moment later; who waited nowhere needs no other world.</summary>
    static bool Waited(PoolReport report) =>
        report.MaxBacklog > 0 && report.Verdict is not (Verdict.Healthy or Verdict.NotThePool or Verdict.Wedged or Verdict.Held);

    /// <summary>
    /// The report with what would have happened otherwise; the same report when nothing waited or nothing can be imagined.
    /// </summary>
    public static PoolReport AddTo(PoolReport report, IItemSource source) => AddTo(report, Answers(report, source));

    /// <summary>The same with answers that are there already.</summary>
    public static PoolReport AddTo(PoolReport report, ImmutableArray<WhatIfAnswer> answers) =>
        answers.IsEmpty ? report : report with { WhatIf = [.. answers.Select(Effect)] };

    /// <summary>What would have happened, with curves; empty when nothing waited or no items are known.</summary>
    public static ImmutableArray<WhatIfAnswer> Answers(PoolReport report, IItemSource source) =>
        Waited(report) && WhatIfStudy.Of(report, source, out _) is { } study
            ? [.. Offered(report, study.Settings.Processors).Select(study.Answer)] : [];

    /// <summary>Changes that could help against what made items wait, the first one first.</summary>
    public static IEnumerable<WhatIfChange> Offered(PoolReport report, int processors)
    {
        // More workers, or workers given back, do not make processors; at max no min adds a worker, and a larger max alone adds one a
        // tick: the remedy is both.
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

    static WhatIfEffect Effect(WhatIfAnswer answer) => answer.Unknown is { } why
        ? new(answer.Change.Words, "", answer.Basis, answer.Uncertainty) { Unknown = why }
        : new(answer.Change.Words, WhatIfWords.Effect(answer), answer.Basis, answer.Uncertainty) { MetLate = answer.MetLate };
}
