using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>How far the pool has grown, by its goal and by the threads that were counted.</summary>
static class Growth
{
    /// <summary>
    /// While items wait a pool below its max is raised by the gate or by hill climbing every few seconds; one that was not for so long may
    /// be at a max that is not seen, milliseconds.
    /// </summary>
    const double StandsMs = 10_000;

    /// <summary>
    /// Of these injections those that gave back what hill climbing or a timeout had taken: the pool had as many threads before.
    /// </summary>
    public static int GivenBack(PoolReport report, IEnumerable<Gap> injections) =>
        injections.Count(gap => gap.GoalAfter <= Highest(report, gap));

    /// <summary>
    /// The threads that a pool starves with and has not gone beyond for long, where max is not known and nothing proves that it is
    /// reached; null where it grows, or is known to be able to.
    /// </summary>
    public static int? StandsAt(PoolReport report)
    {
        if (report is not { Verdict: Verdict.Starved or Verdict.SilentlyStarved, IsNow: true, Timeline.Target.MaxWorkers.Value: null }
            || report.Episodes is not [.., var last] || report.MaxWorkers is not { } most || report.Timeline.Levels.Workers < most)
        {
            return null;
        }

        var reached = report.Timeline.Heartbeats.FirstOrDefault(beat => beat.Workers >= most)?.At ?? report.Timeline.Now;
        return last.Span.To.MsSince(EventTime.Max(reached, last.Span.From)) >= StandsMs ? most : null;
    }

    static int Highest(PoolReport report, Gap gap)
    {
        var goals = report.Gaps.Where(other => other.End < gap.End).Select(other => Math.Max(other.GoalBefore ?? 0, other.GoalAfter ?? 0));
        var workers = report.Timeline.Heartbeats.Where(beat => beat.At < gap.End).Select(beat => beat.Workers ?? 0);
        return goals.Concat(workers).DefaultIfEmpty().Max();
    }
}
