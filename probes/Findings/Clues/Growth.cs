using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>How far the pool has grown, by its goal and by the threads that were counted.</summary>
static class Growth
{
    /// <summary>
    /// While items wait a pool below its max is raised by the gate or by hill climbing every few seconds, as a rule. One that was not for
    /// so long may be at a max that is not seen, milliseconds.
    /// </summary>
    const double StandsMs = 20_000;

    /// <summary>
    /// Of the injections for starvation those that gave back what hill climbing had taken: the pool had as many threads in the episode,
    /// or when it began. What had ended before it, as idle threads do, is added anew.
    /// </summary>
    /// <param name="report">The report.</param>
    /// <param name="counts">Which injections are meant.</param>
    public static int GivenBack(PoolReport report, Func<Gap, bool> counts)
    {
        var (given, highest, workers, beat, episode) = (0, 0, 0, 0, 0);
        var (beats, episodes) = (report.Timeline.Heartbeats, report.Episodes);
        foreach (var gap in report.Gaps.Where(gap => gap.Reason is not null))
        {
            for (; beat < beats.Length && beats[beat].At < gap.End; beat++)
            {
                Begin(beats[beat].At);
                workers = beats[beat].Workers ?? workers;
                highest = Math.Max(highest, workers);
            }

            Begin(gap.End);
            given += gap.Reason == AdjustmentReason.Starvation && counts(gap) && gap.GoalAfter <= highest ? 1 : 0;
            highest = Math.Max(highest, Math.Max(gap.GoalBefore ?? 0, gap.GoalAfter ?? 0));
        }

        return given;

        void Begin(EventTime at)
        {
            for (; episode < episodes.Length && episodes[episode].Span.From <= at; episode++)
            {
                highest = workers;
            }
        }
    }

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
}
