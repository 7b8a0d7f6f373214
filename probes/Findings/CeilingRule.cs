using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Findings.Remedies;
using Tpwatch.Reports;

namespace Tpwatch.Findings;

/// <summary>Max workers are reached and items wait; or it is asked for and proven not to be the limit.</summary>
sealed class CeilingRule : IFindingRule
{
    /// <summary>The smallest default (32-bit): a max from here on was not chosen to limit anything.</summary>
    const int SmallestDefault = 1023;

    /// <summary>
    /// A pool that can grow does so every second or two while items wait; one that has not for so long may be at a max that is not seen.
    /// </summary>
    const double StandstillMs = 3000;

    public string Id => "TPW005";

    public string Title => "Ceiling: max workers";

    public RuleText Text { get; } = new(
        "At max no rule adds a worker, whatever waits. A pool whose workers block then does nothing until one of them comes back.",
        "Max (from the configuration, or from its event where the capture saw the program start) and heartbeats at which "
            + "items waited with so many workers.",
        "Find what holds the workers. A larger max serves until then; and where the pool never asked for max, raising it changes nothing.",
        "A max chosen as a throttle, for what the items use cannot take more: then the wait is wanted, and better placed before the pool.");

    public RuleAnswer Look(PoolReport report)
    {
        var max = report.Timeline.Target.MaxWorkers.Value;
        var waits = report.Gaps.Where(g => g.Rule == GapRule.G8Ceiling).ToArray();
        if (waits.Length > 0)
        {
            return new RuleAnswer.Found(Reached(report, waits, max ?? report.Timeline.Levels.Workers ?? report.MaxWorkers ?? 0));
        }

        return max is { } limit and < SmallestDefault && Waits.IsStarving(report) ? new RuleAnswer.Found(NotReached(report, limit))
            : Unseen.ClearUnless(
                Unseen.Beats(report),
                max is null && StoodStill(report) is { } ms
                    ? $"max: items waited {Format.Duration(ms)} without a worker more, as at a max that a call set before the "
                        + "capture (ThreadPool.GetMaxThreads tells)" : null,
                Waits.IsStarving(report) ? Unseen.OlderWaits(report) : null);
    }

    // From the last rise of the goal, or from the episode's start, to its end; a goal that was higher before is not at max.
    static double? StoodStill(PoolReport report)
    {
        if (!Waits.IsStarving(report) || PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null)
        {
            return null;
        }

        var last = Waits.ForWorkers(report).Last().Span;
        var rise = report.Gaps.Where(g => g.GoalAfter > g.GoalBefore && g.End < last.To).Select(g => g.End).Append(last.From).Max();
        var highest = report.Gaps.Select(g => g.GoalAfter).Max();
        return report.Timeline.Levels.Goal < highest || last.To.MsSince(rise) is not (> StandstillMs and var ms) ? null : ms;
    }

    Finding Reached(PoolReport report, Gap[] waits, int max)
    {
        var busy = report.Verdict == Verdict.Saturated;
        return new(
            Id, Title, busy ? Severity.Warning : Severity.Serious,
            IsKnown(report) ? Confidence.High : Confidence.Medium, waits[0].Start ?? waits[0].End, waits[^1].End,
            $"All {Format.Count(max)} workers {(IsKnown(report) ? "that max allows " : "")}are held, and items wait: "
            + (IsKnown(report)
                ? "no rule of the runtime adds another worker"
                : "at several ticks the gate should have added a worker and did not, so max is reached")
            + (busy ? "; the processors are busy too, so that more workers would not help." : "."),
            [
                IsKnown(report)
                    ? new("Max workers", max, "workers", Source(report))
                    : new("Workers at which the pool stands", max, "workers", "heartbeat"),
                new("Time in which items waited at max", waits.Sum(g => g.ObservedMs ?? 0), "ms", "heartbeat"),
                new("Items that ended meanwhile", Demand.Of(report).CompletedPerSecond, "a second", "heartbeat"),
                new("Largest backlog", report.MaxBacklog, "items", "heartbeat"),
            ],
            [
                DeepEvidence.Mend(
                    report, DeepEvidence.Main(report),
                    $"At max only a worker that comes back helps. Find what holds all {Format.Count(max)} workers and await it instead"
                        + Waits.NamedBy(report)),
                busy ? new("Leave max as it is: more workers would share the same processors.") : MaxThreadsRemedy.Of(report, max),
            ]);
    }

    Finding NotReached(PoolReport report, int max)
    {
        var highest = report.Gaps.Where(g => Waits.ForWorkers(report).Any(e => g.End >= e.Span.From && g.End <= e.Span.To))
            .Select(g => g.GoalAfter).Append(report.Timeline.Levels.Goal).Max();
        return new(
            Id, Title, Severity.Note, Confidence.High, report.Since ?? report.Timeline.Start, report.Timeline.Now,
            $"Max is {Format.Count(max)} and not what holds the work up: the pool did not ask for so many workers for "
                + "long. Raising max would change nothing.",
            [new("Max workers", max, "workers", Source(report)), new("Highest goal while items waited", highest, "workers", "event 55")],
            [new("Leave max as it is; what starves the pool is told by the other findings.")]);
    }

    static bool IsKnown(PoolReport report) => report.Timeline.Target.MaxWorkers.Value is not null;

    static string Source(PoolReport report) => LimitSetting.Forced("Max", report.Timeline.Target)?.Name ?? "event 59";
}
