using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>The effect of the injections for starvation: the pool grew, or only regained threads that hill climbing had removed.</summary>
/// <param name="GivenBack">Injections that only returned threads that hill climbing had removed in the same episode.</param>
/// <param name="Grew">Whether the pool came to have more threads than at the beginning of an episode.</param>
readonly record struct Growth(int GivenBack, bool Grew)
{
    /// <summary>
    /// How long without growth until a pool may be at an unknown MaxThreads, milliseconds. While items wait, the gate thread or hill
    /// climbing normally raises a pool below its MaxThreads every few seconds.
    /// </summary>
    const double StandsMs = 20_000;

    /// <summary>
    /// Whether all of the <paramref name="injections"/> injections only returned threads: the pool has added threads, but has no more than
    /// before.
    /// </summary>
    public bool IsNone(int injections) => GivenBack == injections && !Grew;

    /// <summary>Computes the growth in one pass over adjustments, counter samples and episodes, each in time order.</summary>
    /// <param name="report">The report.</param>
    /// <param name="counts">Selects the injections to count.</param>
    public static Growth Of(PoolEvidence report, Func<InjectionDelay, bool> counts)
    {
        var walk = new Walk(report);
        var (given, grew) = (0, false);
        foreach (var delay in report.InjectionDelays.Where(delay => delay.Reason is not null))
        {
            walk.To(delay.End);
            given += delay.Reason == AdjustmentReason.Starvation && counts(delay) && walk.Gives(delay) ? 1 : 0;
            grew |= walk.Adjusts(delay);
        }

        return new(given, grew);
    }

    /// <summary>
    /// The number of threads that a starving pool has not exceeded for a long time, when MaxThreads is unknown and not proven to be
    /// reached; null when the pool grows, or is known to be able to.
    /// </summary>
    public static int? StandsAt(PoolEvidence report)
    {
        if (report is not { Verdict: Verdict.Starved or Verdict.SilentlyStarved, IsNow: true, Timeline.Target.MaxWorkers.Value: null }
            || report.Episodes is not [.., var last] || report.MaxWorkers is not { } most || report.Timeline.Levels.Workers < most
            || PoolSwitch.On(report.Timeline.Target, PoolSwitch.DetectorDisabled) is not null)
        {
            return null;
        }

        var fewer = report.Timeline.CounterSamples.LastOrDefault(sample => sample.Workers < most)?.At ?? report.Timeline.Start;
        return last.Span.To.MsSince(EventTime.Max(fewer, last.Span.From)) >= StandsMs ? most : null;
    }

    /// <summary>Tracks the number of threads, and how many of them hill climbing has removed since the episode began.</summary>
    sealed class Walk(PoolEvidence report)
    {
        int sample;
        int episode;
        int workers;
        int highest;
        int taken;

        public void To(EventTime at)
        {
            var samples = report.Timeline.CounterSamples;
            for (; sample < samples.Length && samples[sample].At < at; sample++)
            {
                Begin(samples[sample].At);
                workers = samples[sample].Workers ?? workers;
                highest = Math.Max(highest, workers);
            }

            Begin(at);
        }

        /// <summary>Whether an injection only returns a removed thread.</summary>
        public bool Gives(InjectionDelay delay) => taken > 0 && delay.TargetThreadsAfter <= highest;

        /// <summary>Takes an adjustment; returns whether it raises the pool above its size in the episode.</summary>
        public bool Adjusts(InjectionDelay delay)
        {
            var (before, after) = (delay.TargetThreadsBefore ?? highest, delay.TargetThreadsAfter ?? 0);
            taken = Math.Max(0, taken + (delay.IsClimbing || after > before ? before - after : 0));
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
