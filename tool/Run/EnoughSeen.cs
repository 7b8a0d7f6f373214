namespace Tpwatch.Run;

/// <summary>Whether a report for which nobody gave a duration has what it came for: what holds the workers, and whose requests.</summary>
static class EnoughSeen
{
    /// <summary>Verdict, rates and routes rest on seven counter samples then; the first stacks come after four. Milliseconds.</summary>
    const double LeastMs = 7_000;

    /// <summary>Where nothing has completed, a deadlock is told from slow items by ten seconds of it, which begin with a sample.</summary>
    const double LeastWithoutCompletionMs = 12_000;

    /// <summary>One place that holds as many of the workers needs no second burst to be the first of them.</summary>
    const double Most = 0.5;

    /// <summary>As many bursts as are taken unasked: no more is to come.</summary>
    const int AllBursts = 3;

    /// <summary>A request that was under way at the last burst is known when it ends; later than that few are, milliseconds.</summary>
    const double SettledMs = 3_000;

    /// <summary>
    /// Where the pool adds threads for task waits, two looks tell whether the items end, and twelve samples whether the growth does.
    /// </summary>
    const int TwoLooks = 2;

    /// <summary>Two looks are five seconds apart; by then there are two where the process can be looked at. Milliseconds.</summary>
    const double LookedLongMs = 15_000;

    /// <summary>By a report of a target that is still watched.</summary>
    public static bool In(PoolReport report) => IsDeadlock(report)
        || (report is { Blockers: [var first, ..], Bursts: { } bursts } && Lasts(report) && Seen(report) >= Least(report)
            && (IsClear(report, first) || IsAll(report, bursts)));

    /// <summary>What to say when it ended early.</summary>
    public static string Words(PoolReport report) =>
        $"stopped after {Format.Duration(Seen(report))}: tpwatch knows what holds the worker threads; --duration 30s watches longer";

    // Nothing that comes later takes it back; the verdict of the rest rests on as many samples as elsewhere.
    static bool IsDeadlock(PoolReport report) => report.Inside?.Deadlock is not null && Seen(report) >= LeastWithoutCompletionMs;

    // What is over should be seen to be over; task waits that the pool keeps up with are no episode.
    static bool Lasts(PoolReport report) => report.IsNow || report.Verdict == Verdict.Compensated;

    static double Seen(PoolReport report) => report.Timeline.Now.MsSince(report.Timeline.Start);

    static double Least(PoolReport report) =>
        report.Verdict != Verdict.Compensated && report.Timeline.Heartbeats.Any(beat => beat.Completed > 0)
            ? LeastMs : LeastWithoutCompletionMs;

    static bool IsClear(PoolReport report, Blocker first) =>
        (report.Verdict != Verdict.Compensated || report.Bursts?.Taken.Length >= TwoLooks || Seen(report) >= LookedLongMs)
        && first.Share >= Most && (!report.WatchesRequests || first.Routes is not []);

    static bool IsAll(PoolReport report, StackBursts bursts) =>
        bursts.Taken.Length >= AllBursts && report.Timeline.Now.MsSince(bursts.Taken[^1].At) >= SettledMs;
}
