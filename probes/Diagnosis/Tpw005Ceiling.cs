using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds a pool at MaxThreads while items wait. A configured MaxThreads that is not the limit is reported as a note.</summary>
sealed class Tpw005Ceiling : IFindingRule
{
    /// <summary>The smallest default of MaxThreads (32-bit processes). A MaxThreads of this value or more was not set as a limit.</summary>
    const int SmallestDefault = 1023;

    /// <summary>
    /// Minimum time without growth for a pool that may be at an unknown MaxThreads, milliseconds. Below MaxThreads, a pool normally adds a
    /// thread every second or two while items wait.
    /// </summary>
    const double StandstillMs = 3000;

    public string Id => "TPW005";
    public string Title => "MaxThreads limits the pool";

    public FindingMeaning Text { get; } = new(
        "At MaxThreads the pool adds no thread, however many items wait.",
        "When all threads of the pool block, no item starts until a thread is free again.",
        "MaxThreads, from the configuration or an event, or inferred (dotnet tpwatch rules G8). Counter samples in which items waited "
            + "while as many threads existed as MaxThreads allows.",
        "Find the call that blocks the threads. Workaround: raise MinThreads and MaxThreads together. With MaxThreads alone, the pool "
            + "still adds only one or two threads a second.",
        "MaxThreads may be low on purpose, to protect something that the items use. Then admit fewer requests instead of letting items "
            + "wait in the pool.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.AtMax, IsKnown(report) ? "all worker threads that MaxThreads allows are blocked"
            : "all worker threads are blocked, and MaxThreads is probably reached")
        { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var max = report.Timeline.Target.MaxWorkers.Value;
        var waits = report.InjectionDelays.Where(g => g.Mechanism == Mechanism.G8Ceiling).ToArray();
        if (waits.Length > 0)
        {
            return new FindingRuleAnswer.Found(Reached(report, waits, max ?? report.Timeline.Levels.Workers ?? report.MaxWorkers ?? 0));
        }

        return max is { } limit and < SmallestDefault && report.Verdict.IsWait() ? new FindingRuleAnswer.Found(NotReached(report, limit))
            : MissingEvidence.ClearUnless(
                MissingEvidence.CounterSamples(report),
                max is null && StoodStill(report) is { } ms
                    ? new(MissingKind.Setting,
                        $"MaxThreads is not known, and items waited {Format.Duration(ms)} without a thread injection",
                        Hints.Same(". To find out, look for MaxThreads in the code, runtimeconfig.json and DOTNET_ variables")) : null,
                report.Verdict.IsWait() ? MissingEvidence.OlderWaits(report) : null);
    }

    // Time without growth at the end of the last episode, milliseconds: since the last raise of the target thread count, or since the start
    // of the episode. Null when that time is short, another cause is known, or the target was higher before, so MaxThreads is not reached.
    static double? StoodStill(PoolEvidence report)
    {
        // A pool with fewer threads than the target thread count is delayed by another cause.
        if (!report.Verdict.IsWait() || report.Timeline.Levels.Workers == 0
            || report.Timeline.Levels is { Workers: { } workers, TargetThreads: { } targetThreads } && workers < targetThreads
            || PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null)
        {
            return null;
        }

        var last = WaitingEpisodes.ForWorkers(report).Last().Span;
        var rise = report.InjectionDelays.Where(g => g.TargetThreadsAfter > g.TargetThreadsBefore && g.End < last.To)
            .Select(g => g.End).Append(last.From).Max();
        var highest = report.InjectionDelays.Select(g => g.TargetThreadsAfter).Max();
        return report.Timeline.Levels.TargetThreads < highest || last.To.MsSince(rise) is not (> StandstillMs and var ms) ? null : ms;
    }

    Finding Reached(PoolEvidence report, InjectionDelay[] waits, int max)
    {
        var busy = report.Verdict == Verdict.Saturated;
        return new(
            Id, Title, busy ? Severity.Warning : Severity.Serious,
            IsSeen(report, waits) ? Confidence.High : Confidence.Medium, waits[0].Start ?? waits[0].End, waits[^1].End,
            (report.Timeline.Levels.Workers is { } workers && workers > max
                ? $"MaxThreads is {Format.Count(max)} now, but {Format.Count(workers)} threads exist already. "
                    + "All are busy, and items wait. "
                : $"All {Format.Count(max)} worker threads {(IsKnown(report) ? "that MaxThreads allows " : "")}are busy, "
                    + "and items wait. ")
            + (IsKnown(report)
                ? "The pool adds no further thread."
                : "The pool should have added threads here and did not. So MaxThreads is probably reached.")
            + (busy ? " The processors are busy too, so more threads would not help." : ""),
            [
                IsKnown(report)
                    ? new("MaxThreads", max, "workers", Source(report))
                    : new("Worker threads while items waited", max, "workers", "heartbeat"),
                WaitingEpisodes.Longest(report),
                new(IsKnown(report) ? "Time in which items waited at MaxThreads" : "Time in which items waited and the pool did not grow",
                    waits.Sum(g => g.ObservedMs ?? 0), "ms", "heartbeat"),
                new("Items completed while others waited", WaitingEpisodes.CompletedPerSecond(report), "a second", "heartbeat"),
                new("Longest queue", report.MaxQueueLength, "items", "heartbeat"),
            ],
            [
                DeepEvidence.Mend(
                    report, report.MainBlocker(),
                    "Find the call that blocks all worker threads, and replace it with an asynchronous one.", Hints.NamedBy(report)),
                busy ? Remedy.Refusal("raise MaxThreads: more threads would share the same processors.") : MaxThreadsRemedy.Of(report, max),
            ]);
    }

    Finding NotReached(PoolEvidence report, int max)
    {
        var highest = report.InjectionDelays
            .Where(g => WaitingEpisodes.ForWorkers(report).Any(e => g.End >= e.Span.From && g.End <= e.Span.To))
            .Select(g => g.TargetThreadsAfter).Append(report.Timeline.Levels.TargetThreads).Max();
        return new(
            Id, Title, Severity.Note, Confidence.High, report.Since ?? report.Timeline.Start, report.Timeline.Now,
            $"MaxThreads is {Format.Count(max)}, but it does not limit the pool here: the pool never wanted that many threads. "
                + "Raising MaxThreads would change nothing.",
            [
                new("MaxThreads", max, "workers", Source(report)),
                new("Highest target thread count while items waited", highest, "workers", "event 55"),
            ],
            [new("Leave MaxThreads as it is. The other findings say what starves the pool.")]);
    }

    // Whether MaxThreads was certainly reached: no event was lost that could report another MaxThreads or a lower target thread count.
    static bool IsSeen(PoolEvidence report, InjectionDelay[] waits) =>
        IsKnown(report) && waits.Any(w => MissingEvidence.NothingLostBefore(report, w.End));

    static bool IsKnown(PoolEvidence report) => report.Timeline.Target.MaxWorkers.Value is not null;

    static string Source(PoolEvidence report) => LimitSetting.Forced("Max", report.Timeline.Target)?.Name ?? "event 59";
}
