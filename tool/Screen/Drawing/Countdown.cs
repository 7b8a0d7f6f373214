using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>
/// When the rule may add the next worker to a pool that starves now, counted from the newest data and the time since it came.
/// </summary>
static class Countdown
{
    /// <summary>The next moment, such as <c>+1 in 0.3s</c>; nothing when none is known to come, as of a target that has ended.</summary>
    public static string Of(PoolReport report, double aheadMs = 0) =>
        !report.IsNow || HasEnded(report) || IsNotNoticed(report) || HelpsNobody(report) ? ""
        : Ahead(report, report.Timeline.Now.PlusMs(aheadMs)).FirstOrDefault() is { } first ? $"+1 {first}" : "";

    // While detection does not trigger, the rule adds nobody: its next moment moves on with each item that is dequeued.
    static bool IsNotNoticed(PoolReport report) =>
        report.Gaps.LastOrDefault() is { Mechanism: Mechanism.G3Silent, Verdict: GapVerdict.Open };

    // At MaxThreads none may come, proven or not, and who lacks processors does not wait for threads.
    static bool HelpsNobody(PoolReport report) =>
        report.Verdict is Verdict.StarvedAtMax or Verdict.Saturated || Growth.StandsAt(report) is not null;

    static bool HasEnded(PoolReport report) => report.End is SessionEnd.TargetExited or SessionEnd.TargetKilled;

    /// <summary>Whether there is a moment to count down to, so that time matters though nothing comes.</summary>
    public static bool Counts(PoolReport report) => report is { IsNow: true, End: SessionEnd.StillOpen } && Of(report).Length > 0;

    /// <summary>
    /// How far time has gone on since the newest report came, milliseconds; counted only while it is seen, and only as far as it changes
    /// what is seen: as fine as it is written.
    /// </summary>
    public static double AheadMs(PoolReport? newest, IPlayback? playback, TimeSpan since)
    {
        if (newest is null || !Counts(newest))
        {
            return 0;
        }

        var speed = playback is null ? 1 : playback is { Paused: false, Speed: { } s } ? s : 0;
        return Math.Floor(Math.Min(since.TotalMilliseconds, LongestAheadMs) * speed / Step) * Step;
    }

    const double Step = 100;

    /// <summary>A target from which nothing comes for so long may not run; a countdown would go on without it.</summary>
    const double LongestAheadMs = 3000;

    // The forecast counts from the last injection; without one the windows of the gap that is open say the same.
    static IEnumerable<string> Ahead(PoolReport report, EventTime now)
    {
        if (report.Forecast?.NextInjection is { } next && next.Windows.Any(w => w.To >= now))
        {
            return next.Sure && next.At >= now
                ? [Until(next.At.MsSince(now))]
                : next.Windows.Where(w => w.To >= now).Select(w => Until(w.From.MsSince(now)));
        }

        return report.Gaps.LastOrDefault() is { Verdict: GapVerdict.Open, Start: { } start } open
            ? open.Windows.Where(w => w.MaxMs >= now.MsSince(start)).Select(w => Until(w.MinMs - now.MsSince(start)))
            : [];
    }

    static string Until(double ms) => ms <= 0 ? "now" : FormattableString.Invariant($"in {Math.Ceiling(ms / 100) / 10:0.0}s");
}
