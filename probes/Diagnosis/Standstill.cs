using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>How much of a capture the process did not run at all, by evidence from outside the pool.</summary>
static class Standstill
{
    /// <summary>A stop as long as a wait that is called starvation.</summary>
    public const double LongMs = WaitTracker.AlarmMs;

    /// <summary>
    /// What came within the last minutes is what somebody who looks now asks about; ten, since a stop of a second is an event of its own.
    /// </summary>
    const double RecentMs = 600_000;

    /// <summary>A fifth of the time: every item is late by a quarter on average, whatever the pool does.</summary>
    public const double MuchShare = 0.2;

    /// <summary>
    /// Whether stops of all threads are what made work late: one of a second or more, or a fifth of the time, and there was work. Threads
    /// that only waited for a processor do not count: others of the process ran.
    /// </summary>
    public static bool ExplainsDelays(TimelineSnapshot timeline) =>
        timeline.Heartbeats.Any(b => b.Completed > 0 || b.Backlog > 0)
        && ((LongestMs(timeline) >= LongMs && IsRecent(timeline)) || Share(timeline) >= MuchShare);

    /// <summary>A stop that was long ago explains what was late then, and not what somebody asks about now.</summary>
    static bool IsRecent(TimelineSnapshot timeline) => CaptureMs(timeline) <= RecentMs
        || timeline.Hindrances.Any(h =>
            h.Kind is HindranceKind.Suspension or HindranceKind.Stopped && h.Ms >= LongMs && timeline.Now.MsSince(h.Span.To) <= RecentMs);

    /// <summary>Length of the capture, milliseconds; never 0. A process that is stopped sends nothing, and the stop lasts longer.</summary>
    public static double CaptureMs(TimelineSnapshot timeline) => Math.Max(1, timeline.Hindrances
        .Aggregate(timeline.Now, (last, h) => EventTime.Max(last, h.Span.To)).MsSince(timeline.Start));

    /// <summary>The sums by kind; of a timeline that holds stretches alone those of the stretches.</summary>
    public static ImmutableArray<HindranceTotal> Totals(TimelineSnapshot timeline) =>
        !timeline.HindranceTotals.IsEmpty ? timeline.HindranceTotals
            : [.. timeline.Hindrances.GroupBy(h => h.Kind)
                .Select(g => new HindranceTotal(g.Key, g.Count(), g.Sum(h => h.Ms), g.Max(h => h.Ms)))];

    /// <summary>Share of the capture in which no thread ran, 0 to 1.</summary>
    public static double Share(TimelineSnapshot timeline) =>
        Math.Min(1, Totals(timeline).Where(StopsAll).Sum(t => t.Ms) / CaptureMs(timeline));

    /// <summary>The longest stop of all threads, milliseconds; of throttling only sums are known, so it is left out.</summary>
    public static double LongestMs(TimelineSnapshot timeline) =>
        Totals(timeline).Where(t => t.Kind is HindranceKind.Suspension or HindranceKind.Stopped)
            .Select(t => t.LongestMs).DefaultIfEmpty().Max();

    static bool StopsAll(HindranceTotal total) => total.Kind != HindranceKind.ProcessorWait;
}
