using Tpwatch.Reports;
using Tpwatch.Targets;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds a runtime that counts one processor, so that MinThreads is 1 and one item that blocks can delay all others.</summary>
sealed class Tpw015OneCpu : IFindingRule
{
    public string Id => "TPW015";
    public string Title => "The runtime counts only one processor";

    public FindingMeaning Text { get; } = new(
        "MinThreads is the number of processors unless it is set.",
        "With a quota of one processor, or an affinity to one, MinThreads is 1. Unless the items wait for tasks, the pool then adds a "
            + "second worker thread only after a delay.",
        "The number of processors, from an event of .NET 7 and later or from the configuration. MinThreads, if it is configured. Counter "
            + "samples in which items waited.",
        "Make the items asynchronous: a few worker threads are then enough. Workaround: a larger MinThreads, or more processors.",
        "If the program raised MinThreads before the capture, tpwatch does not see that. Then the items waited for another reason.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.OneProcessor, report.Verdict == Verdict.Saturated ? "the only processor is busy"
            : "worker threads blocked, and with one processor MinThreads is "
                + (report.Timeline.Target.MinWorkers.Value is null ? "probably 1" : "only 1"));

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var target = report.Timeline.Target;
        var waited = !report.Episodes.IsEmpty;
        return target.Processors.Value == 1 && target.MinWorkers.Value is null or 1 && waited
            ? new FindingRuleAnswer.Found(Describe(report))
            : MissingEvidence.ClearUnless(
                waited && target.Processors.Value is null && target.MinWorkers.Value is null or 1
                    ? new(MissingKind.Setting, "it is not known how many processors the runtime counts") : null,
                target.Processors.Value == 1 && !waited ? MissingEvidence.CounterSamples(report) ?? MissingEvidence.Events(report,
                    "a wait") : null);
    }

    Finding Describe(PoolEvidence report)
    {
        var target = report.Timeline.Target;
        var (busy, demand) = (report.Verdict == Verdict.Saturated, Demand.Of(report));
        return new(
            Id, Title, busy ? Severity.Warning : Severity.Serious, IsSeen(report) ? Confidence.High : Confidence.Medium,
            report.Since ?? report.Timeline.Start, report.Timeline.Now,
            busy ? $"The runtime counts one processor{Reason(report)}, and the process keeps it busy."
                : $"The runtime counts one processor{Reason(report)}, so MinThreads is 1"
                    + $"{(target.MinWorkers.Value is null ? " unless the program has set it" : "")}. "
                    + "One item that blocks can delay all other items.",
            [
                new("Processors as the runtime counts them", 1, "processor", target.Processors.Source.ToString().ToLowerInvariant()),
                new("MinThreads", target.MinWorkers.Value ?? 1, "worker",
                    target.MinWorkers.Value is null ? "assumed: the runtime's default" : "configuration or event 59"),
                new("Largest number of worker threads", report.MaxWorkers, "workers", "heartbeat"),
                new("Threads needed for the arriving items, without those in the queue", demand.Needed, "workers",
                    "counter samples, by Little's law"),
            ],
            busy ? [Processors(report)]
                :
                [
                    new("Make the items asynchronous: a few worker threads are then enough.",
                        Hints.NamedBy(report, "To find the call that blocks the worker threads")),
                    MinThreadsRemedy.Of(report),
                    Processors(report),
                ]);
    }

    // Whether MinThreads and a wait are certain. A lost event may report a call that set MinThreads. Without a proven wait, an item near an
    // injection may have waited only for a moment.
    static bool IsSeen(PoolEvidence report) => report.Timeline.Target.MinWorkers.Value == 1 && report.Timeline.Quality.LossSpans.IsEmpty
        && report.Episodes.Any(e => e.ProvenWaitMs > 0);

    static string Reason(PoolEvidence report) =>
        PoolConfigReader.InEnvironment(report.Timeline.Target.Settings, "PROCESSOR_COUNT") is { } set ? $" ({set.Name}={set.Value})" : "";

    static Remedy Processors(PoolEvidence report) =>
        PoolConfigReader.InEnvironment(report.Timeline.Target.Settings, "PROCESSOR_COUNT") is { } set
            ? new("Let the runtime use all processors.", $"remove {set.Name}={set.Value}, or set DOTNET_PROCESSOR_COUNT=2 or more")
            { Removes = true }
            : new("Give the process more than one processor (quota, affinity), or make the runtime count more than the quota allows.",
                "DOTNET_PROCESSOR_COUNT=2 or more");
}
