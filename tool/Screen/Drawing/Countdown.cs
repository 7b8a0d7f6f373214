using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Drawing;

/// <summary>Computes when the runtime's rule may add the next worker thread to a starving pool, from the newest data and its age.</summary>
static class Countdown
{
    /// <summary>Returns the next injection's moment, as in <c>+1 in 0.3s</c>; empty when none is known, as for an exited target.</summary>
    public static string Of(PoolReport report, double aheadMs = 0) =>
        !report.IsNow || HasEnded(report) || IsNotNoticed(report) || HelpsNobody(report) ? ""
        : Ahead(report, report.Timeline.Now.PlusMs(aheadMs)).FirstOrDefault() is { } first ? $"+1 {first}" : "";

    // While starvation is undetected, the rule adds no thread: each dequeued item postpones the moment at which the rule may add one.
    static bool IsNotNoticed(PoolReport report) =>
        report.InjectionDelays.LastOrDefault() is { Mechanism: Mechanism.G3Undetected, Verdict: DelayVerdict.Open };

    // At MaxThreads, proven or probable, no thread can be added; with busy processors another thread would not help.
    static bool HelpsNobody(PoolReport report) =>
        report.Verdict is Verdict.StarvedAtMax or Verdict.Saturated || Growth.StandsAt(report) is not null;

    static bool HasEnded(PoolReport report) => report.End is SessionEnd.TargetExited or SessionEnd.TargetKilled;

    /// <summary>Whether there is a moment to count down to, so that the screen changes with time even without new data.</summary>
    public static bool Counts(PoolReport report) => report is { IsNow: true, End: SessionEnd.StillOpen } && Of(report).Length > 0;

    /// <summary>
    /// Returns how far the capture has advanced since the newest report arrived, milliseconds, with the speed of a replay taken into
    /// account. The result is 0 if no countdown is shown, and is rounded down to 100 ms, the step of the written countdown.
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

    /// <summary>Maximum time counted, milliseconds: a target that sends no data for a longer time may not be running.</summary>
    const double LongestAheadMs = 3000;

    // The forecast counts from the last injection; without a forecast the windows of the open injection delay give the same moments.
    static IEnumerable<string> Ahead(PoolReport report, EventTime now)
    {
        if (report.Forecast?.NextInjection is { } next && next.Windows.Any(w => w.To >= now))
        {
            return next.At >= now
                ? [Until(next.At.MsSince(now))]
                : next.Windows.Where(w => w.To >= now).Select(w => Until(w.From.MsSince(now)));
        }

        return report.InjectionDelays.LastOrDefault() is { Verdict: DelayVerdict.Open, Start: { } start } open
            ? open.Windows.Where(w => w.MaxMs >= now.MsSince(start)).Select(w => Until(w.MinMs - now.MsSince(start)))
            : [];
    }

    static string Until(double ms) => ms <= 0 ? "now" : FormattableString.Invariant($"in {Math.Ceiling(ms / 100) / 10:0.0}s");
}
