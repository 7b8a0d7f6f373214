using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>How long the process did not run at all in a capture, by evidence from outside the pool.</summary>
static class Standstill
{
    /// <summary>The duration of a long stop, milliseconds: as long as a wait that counts as starvation.</summary>
    public const double LongMs = WaitTracker.AlarmMs;

    /// <summary>
    /// How long ago a stop may have been to count for a user who looks now, milliseconds: ten minutes, because a stop of a second is an
    /// event of its own.
    /// </summary>
    const double RecentMs = 600_000;

    /// <summary>
    /// The share of time from which stops explain delays: with a fifth, every item is a quarter later on average, whatever the pool does.
    /// </summary>
    public const double MuchShare = 0.2;

    /// <summary>
    /// Whether stops of all threads delayed the work: one of a second or more, or a fifth of the time, while there was work. Threads that
    /// only waited for a processor do not count, because other threads of the process ran.
    /// </summary>
    public static bool ExplainsDelays(TimelineSnapshot timeline) =>
        timeline.CounterSamples.Any(b => b.Completed > 0 || b.QueueLength > 0)
        && ((LongestMs(timeline) >= LongMs && IsRecent(timeline)) || Share(timeline) >= MuchShare);

    /// <summary>Whether a long stop is recent: an old stop explains delays of that time, but not current ones.</summary>
    static bool IsRecent(TimelineSnapshot timeline) => CaptureMs(timeline) <= RecentMs
        || timeline.Hindrances.Any(h =>
            h.Kind is HindranceKind.Suspension or HindranceKind.Stopped && h.Ms >= LongMs && timeline.Now.MsSince(h.Span.To) <= RecentMs);

    /// <summary>Length of the capture, milliseconds; never 0. A stopped process sends no events, so the last stop may extend it.</summary>
    public static double CaptureMs(TimelineSnapshot timeline) => Math.Max(1, timeline.Hindrances
        .Aggregate(timeline.Now, (last, h) => EventTime.Max(last, h.Span.To)).MsSince(timeline.Start));

    /// <summary>The sums by kind; computed from the stretches if the timeline has only these.</summary>
    public static ImmutableArray<HindranceTotal> Totals(TimelineSnapshot timeline) =>
        !timeline.HindranceTotals.IsEmpty ? timeline.HindranceTotals
            : [.. timeline.Hindrances.GroupBy(h => h.Kind)
                .Select(g => new HindranceTotal(g.Key, g.Count(), g.Sum(h => h.Ms), g.Max(h => h.Ms)))];

    /// <summary>Share of the capture in which no thread ran, 0 to 1.</summary>
    public static double Share(TimelineSnapshot timeline) =>
        Math.Min(1, Totals(timeline).Where(StopsAll).Sum(t => t.Ms) / CaptureMs(timeline));

    /// <summary>The longest stop of all threads, milliseconds. Throttling is left out, because only its sums are known.</summary>
    public static double LongestMs(TimelineSnapshot timeline) =>
        Totals(timeline).Where(t => t.Kind is HindranceKind.Suspension or HindranceKind.Stopped)
            .Select(t => t.LongestMs).DefaultIfEmpty().Max();

    static bool StopsAll(HindranceTotal total) => total.Kind != HindranceKind.ProcessorWait;
}
