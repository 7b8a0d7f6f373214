namespace Tpwatch.Run;

/// <summary>Decides when a watch without a given duration may end: the call that blocks the threads and its routes are known.</summary>
static class EnoughSeen
{
    /// <summary>Minimum milliseconds: seven counter samples for verdict, rates and routes; stacks come after four samples.</summary>
    const double LeastMs = 7_000;

    /// <summary>
    /// Minimum duration in milliseconds if no item has completed. Ten seconds without a completion separate a deadlock from slow items, and
    /// those ten seconds begin with a counter sample.
    /// </summary>
    const double LeastWithoutCompletionMs = 12_000;

    /// <summary>Share of the stack samples from which a call is certainly the main blocker, without a second stack burst.</summary>
    const double Most = 0.5;

    /// <summary>Maximum number of stack bursts at depth auto.</summary>
    const int AllBursts = 3;

    /// <summary>Wait after the last stack burst, in milliseconds. The burst's requests are known when they end; few take longer.</summary>
    const double SettledMs = 3_000;

    /// <summary>
    /// Number of stack bursts needed while the pool adds threads for task waits. Two bursts show whether the items complete; twelve counter
    /// samples show whether the number of threads stops growing.
    /// </summary>
    const int TwoLooks = 2;

    /// <summary>Time in milliseconds after which two bursts exist if stacks can be taken at all: bursts are five seconds apart.</summary>
    const double LookedLongMs = 15_000;

    /// <summary>Whether the report of a running watch contains enough to end the watch.</summary>
    public static bool In(PoolReport report) => IsDeadlock(report)
        || (report is { Blockers: [var first, ..], Bursts: { } bursts } && Lasts(report) && Seen(report) >= Least(report)
            && (IsClear(report, first) || IsAll(report, bursts)));

    /// <summary>Returns the note to write when the watch ends early.</summary>
    public static string Words(PoolReport report) =>
        $"stopped after {Format.Duration(Seen(report))}: tpwatch knows what holds the worker threads; --duration 30s watches longer";

    // Later events cannot revoke a deadlock. The rest of the verdict still needs the usual number of counter samples.
    static bool IsDeadlock(PoolReport report) => report.Inside?.Deadlock is not null && Seen(report) >= LeastWithoutCompletionMs;

    // After a problem has ended, the watch continues, so that the report shows the end. Blocking compensation is not in IsNow.
    static bool Lasts(PoolReport report) => report.IsNow || report.Verdict == Verdict.Compensated;

    static double Seen(PoolReport report) => report.Timeline.Now.MsSince(report.Timeline.Start);

    static double Least(PoolReport report) =>
        report.Verdict != Verdict.Compensated && report.Timeline.CounterSamples.Any(sample => sample.Completed > 0)
            ? LeastMs : LeastWithoutCompletionMs;

    static bool IsClear(PoolReport report, Blocker first) =>
        (report.Verdict != Verdict.Compensated || report.Bursts?.Taken.Length >= TwoLooks || Seen(report) >= LookedLongMs)
        && first.Share >= Most && (!report.WatchesRequests || first.Routes is not []);

    static bool IsAll(PoolReport report, StackBursts bursts) =>
        bursts.Taken.Length >= AllBursts && report.Timeline.Now.MsSince(bursts.Taken[^1].At) >= SettledMs;
}
