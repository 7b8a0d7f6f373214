using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>Builds texts for verdicts and for how long they have lasted.</summary>
static class VerdictWords
{
    const string Starved = "starved";

    /// <summary>Minimum time difference that a text mentions, milliseconds: the usual interval of counter samples.</summary>
    const double WorthTellingMs = 1000;

    /// <summary>Minimum number of episodes with which a text says "on and off".</summary>
    const int OnAndOff = 3;

    /// <summary>Returns the verdict and, if there was trouble, whether it continues: <c>STARVED, over</c>.</summary>
    public static string Of(PoolReport report) =>
        report.Since is null ? Of(report.Verdict) : $"{Of(report.Verdict)}, {(report.IsNow ? "now" : "over")}";

    /// <summary>Returns the verdict in capital letters.</summary>
    public static string Of(Verdict verdict) => verdict switch
    {
        Verdict.Healthy => "HEALTHY",
        Verdict.Compensated => "COMPENSATED",
        Verdict.Starved => "STARVED",
        Verdict.StarvedAtMax => "STARVED AT MAX",
        Verdict.SilentlyStarved => "SILENTLY STARVED",
        Verdict.Wedged => "WEDGED",
        Verdict.Held => "HELD",
        Verdict.Saturated => "SATURATED",
        Verdict.NotThePool => "NOT THE POOL",
        _ => "UNDECIDED",
    };

    /// <summary>Returns the meaning of an episode's mark on the screen, for a legend.</summary>
    public static string Mark(Verdict kind) => kind switch
    {
        Verdict.SilentlyStarved => "undetected starvation",
        Verdict.StarvedAtMax => "starved at MaxThreads",
        Verdict.Saturated => "saturated: processors busy",
        Verdict.Wedged => "wedged: no item is dequeued",
        Verdict.Held => "work hangs",
        Verdict.NotThePool => "process did not run",
        _ => Starved,
    };

    /// <summary>Returns the label for the total time of episodes: the state that all of them have, otherwise "trouble".</summary>
    public static string Lasting(IEnumerable<StarvedEpisode> episodes) => episodes.Select(e => e.Kind switch
    {
        Verdict.Saturated => "saturated",
        Verdict.Held => "held",
        Verdict.Wedged => "wedged",
        Verdict.NotThePool => "not run",
        _ => Starved,
    }).Distinct().ToArray() switch
    {
        [] => Starved,
        [var one] => one,
        _ => "trouble",
    };

    /// <summary>Returns the label for the total time in which items waited; episodes of <see cref="Verdict.Held"/> do not count.</summary>
    public static string Lasting(PoolReport report) => Lasting(report.Episodes.Where(e => e.Kind != Verdict.Held));

    /// <summary>Returns how long the verdict's episodes last, as text after the verdict: <c>, now for 12.5 s</c>; empty if none.</summary>
    public static string For(PoolReport report)
    {
        var told = report.Episodes.Where(e => e.Kind == report.Verdict).ToArray();
        if (report.Since is null || told.Length == 0)
        {
            return "";
        }

        var length = Sum(told);
        return told.Length >= OnAndOff
            ? $", on and off, {length}{(report.IsNow ? "" : ", over now")}"
            : !report.IsNow ? $" for {length}, over now" : IsQueueEmpty(report) ? $" for {length}, queue empty now"
            : told.Length > 1 ? $", {length}, not over yet" : $", now for {length}";
    }

    /// <summary>Returns the total time of episodes, with their number if there are several: <c>12.5 s in 2 episodes</c>.</summary>
    public static string Sum(StarvedEpisode[] episodes) => Format.Duration(episodes.Sum(e => e.Span.Ms))
        + (episodes.Length > 1 ? $" in {episodes.Length} episodes" : "");

    /// <summary>Whether the newest counter sample shows an empty queue. The episode may still continue for one or two seconds.</summary>
    static bool IsQueueEmpty(PoolReport report) => report.Verdict.IsWait() && report.Timeline.CounterSamples is [.., { QueueLength: 0 }];

    /// <summary>
    /// Returns for how long items waited, and whether the wait is over; empty if no item waited. For the verdict Compensated, returns only
    /// the start: the target thread count goes up and down, so there is no total time.
    /// </summary>
    public static string HowLong(PoolReport report, string over = "ended") => report.Verdict == Verdict.Compensated ? Compensated(report)
        : !report.Verdict.IsTrouble() || report.StarvedMs <= 0 ? ""
        : report.IsNow ? $" {Now(report)}" : $" for {Format.Duration(report.StarvedMs)}, {over}";

    /// <summary>Returns when the trouble ended: <c>ended 12 s ago</c>.</summary>
    public static string Ended(PoolReport report) =>
        report.Episodes is [.., { } last] && report.Timeline.Now.MsSince(last.Span.To) is >= WorthTellingMs and var ms
            ? $"ended {Format.Duration(ms)} ago" : "ended";

    // Returns the duration of the current episode. Adds the total if earlier ones exist, or "at least" if the start was not seen.
    static string Now(PoolReport report)
    {
        if (report.Episodes.LastOrDefault(e => !e.Over) is not { } now)
        {
            return Format.Duration(report.StarvedMs);
        }

        var lasts = report.Timeline.Now.MsSince(now.Span.From);
        return report.StarvedMs - lasts > WorthTellingMs ? $"{Format.Duration(lasts)} ({Format.Duration(report.StarvedMs)} in all)"
            : $"{(ProblemOnset.IsSeen(report, now.Span.From) ? "" : "at least ")}{Format.Duration(report.StarvedMs)}";
    }

    static string Compensated(PoolReport report) => IsCompensationOver(report) ? ", ended"
        : Steps(report).FirstOrDefault(g => g.IsInjection) is not { } first || ProblemOnset.IsAtTheStart(report.Timeline, first.End) ? ""
        : $" since {Format.Clock(first.End.MsSince(report.Timeline.Start), tenths: true)}";

    /// <summary>Whether the target thread count is back at or below its value before the first raise for task waits.</summary>
    public static bool IsCompensationOver(PoolReport report) => Steps(report).ToList() is [var first, .., var last]
        && last.TargetThreadsAfter <= (first.TargetThreadsBefore ?? report.Timeline.Target.MinWorkers.Value);

    static IEnumerable<InjectionDelay> Steps(PoolReport report) =>
        report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking);
}
