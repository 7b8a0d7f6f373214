using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Findings.Remedies;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf.Study;

/// <summary>The changes that a report tries by itself when items waited: the larger min of the remedies, and async items.</summary>
static class StandardChanges
{
    /// <summary>Backlog of one reading may be gone a moment later; who waited nowhere needs no other world.</summary>
    static bool Waited(PoolReport report) => report.MaxBacklog > 0 && report.Verdict is Verdict.Starved or Verdict.StarvedAtMax or Verdict.SilentlyStarved or Verdict.Compensated or Verdict.Undecided;

    /// <summary>The report with what would have happened otherwise; the same report when nothing waited or nothing can be imagined.</summary>
    public static PoolReport AddTo(PoolReport report, IItemSource source) => AddTo(report, Answers(report, source));

    /// <summary>The same with answers that are there already.</summary>
    public static PoolReport AddTo(PoolReport report, ImmutableArray<WhatIfAnswer> answers) =>
        answers.IsEmpty ? report : report with { WhatIf = [.. answers.Select(Effect)] };

    /// <summary>What would have happened, with curves; empty when nothing waited or nothing can be imagined.</summary>
    public static ImmutableArray<WhatIfAnswer> Answers(PoolReport report, IItemSource source) =>
        Waited(report) && WhatIfStudy.Of(report, source, out _) is { } study ? [.. Changes(report, study).Select(study.Answer)] : [];

    static IEnumerable<WhatIfChange> Changes(PoolReport report, WhatIfStudy study)
    {
        if (MinThreadsRemedy.Advised(report) is { } min && min > study.Settings.Min)
        {
            yield return new() { Min = Math.Min(min, study.Settings.Max ?? min) };
        }

        yield return new() { Async = true };
    }

    static WhatIfEffect Effect(WhatIfAnswer answer) => new(answer.Change.Words, EffectOf(answer.Seen, answer.Imagined), answer.Basis, answer.Uncertainty);

    static string EffectOf(WhatIfFigures seen, WhatIfFigures imagined) =>
        $"mean wait for a worker {Change(seen.StartDelayMs, imagined.StartDelayMs)}, total {Change(seen.TotalMs, imagined.TotalMs)}, "
        + $"most workers {Format.Count(imagined.PeakWorkers ?? 0)} instead of {(seen.PeakWorkers is { } peak ? Format.Count(peak) : "?")}, "
        + $"starved {Change(seen.StarvedMs, imagined.StarvedMs)}; hill climbing is an input, not simulated";

    static string Change(double? seen, double? imagined) => $"{Text(imagined)} instead of {Text(seen)}";

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "unknown";
}
