using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>What came of the injections for starvation: the pool grew, or has again what hill climbing had taken.</summary>
/// <param name="GivenBack">Injections that gave back what hill climbing had taken in the same episode.</param>
/// <param name="Grew">Whether the pool came to have more threads than when an episode began.</param>
readonly record struct Growth(int GivenBack, bool Grew)
{
    /// <summary>
    /// While items wait a pool below its max is raised by the gate or by hill climbing every few seconds, as a rule. One that was not for
    /// so long may be at a max that is not seen, milliseconds.
    /// </summary>
    const double StandsMs = 20_000;

    /// <summary>Whether each of so many injections only gave back: then the pool has added threads, and has no more of them.</summary>
    public bool IsNone(int injections) => GivenBack == injections && !Grew;

    /// <summary>In one pass over adjustments, heartbeats and episodes, each in the order of time.</summary>
    /// <param name="report">The report.</param>
    /// <param name="counts">Which injections are meant.</param>
    public static Growth Of(PoolReport report, Func<Gap, bool> counts)
    {
        var walk = new Walk(report);
        var (given, grew) = (0, false);
        foreach (var gap in report.Gaps.Where(gap => gap.Reason is not null))
        {
            walk.To(gap.End);
            given += gap.Reason == AdjustmentReason.Starvation && counts(gap) && walk.Gives(gap) ? 1 : 0;
            grew |= walk.Adjusts(gap);
        }

        return new(given, grew);
    }

    /// <summary>
    /// The threads that a pool starves with and has not gone beyond for long, where max is not known and nothing proves that it is
    /// reached; null where it grows, or is known to be able to.
    /// </summary>
    public static int? StandsAt(PoolReport report)
    {
        if (report is not { Verdict: Verdict.Starved or Verdict.SilentlyStarved, IsNow: true, Timeline.Target.MaxWorkers.Value: null }
            || report.Episodes is not [.., var last] || report.MaxWorkers is not { } most || report.Timeline.Levels.Workers < most
            || PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null)
        {
            return null;
        }

        var fewer = report.Timeline.Heartbeats.LastOrDefault(beat => beat.Workers < most)?.At ?? report.Timeline.Start;
        return last.Span.To.MsSince(EventTime.Max(fewer, last.Span.From)) >= StandsMs ? most : null;
    }

    /// <summary>How many threads there were, and how many of them hill climbing has taken since the episode began.</summary>
    sealed class Walk(PoolReport report)
    {
        int beat;
        int episode;
        int workers;
        int highest;
        int taken;

        public void To(EventTime at)
        {
            var beats = report.Timeline.Heartbeats;
            for (; beat < beats.Length && beats[beat].At < at; beat++)
            {
                Begin(beats[beat].At);
                workers = beats[beat].Workers ?? workers;
                highest = Math.Max(highest, workers);
            }

            Begin(at);
        }

        /// <summary>Whether an injection gives back.</summary>
        public bool Gives(Gap gap) => taken > 0 && gap.GoalAfter <= highest;

        /// <summary>Takes an adjustment; whether the pool is wanted larger than it was in the episode.</summary>
        public bool Adjusts(Gap gap)
        {
            var (before, after) = (gap.GoalBefore ?? highest, gap.GoalAfter ?? 0);
            taken = Math.Max(0, taken + (gap.IsClimbing || after > before ? before - after : 0));
            var grows = highest > 0 && after > highest;
            highest = Math.Max(highest, after);
            return grows;
        }

        void Begin(EventTime at)
        {
            for (; episode < report.Episodes.Length && report.Episodes[episode].Span.From <= at; episode++)
            {
                (highest, taken) = (workers, 0);
            }
        }
    }
}
