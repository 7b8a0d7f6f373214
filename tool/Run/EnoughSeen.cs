namespace Tpwatch.Run;

/// <summary>Decides when a watch without a given duration may end: the call that blocks the threads and its routes are known.</summary>
static class EnoughSeen
{
    /// <summary>Least time, milliseconds: seven counter samples for verdict, rates and routes; the first stacks come after four.</summary>
    const double LeastMs = 7_000;

    /// <summary>
    /// Least time if no item has completed, milliseconds: ten seconds without a completion separate a deadlock from slow items, and they
    /// begin with a counter sample.
    /// </summary>
    const double LeastWithoutCompletionMs = 12_000;

    /// <summary>Share of the samples from which a place is certainly the main blocker, without a second stack burst.</summary>
    const double Most = 0.5;

    /// <summary>Stack bursts that automatic depth takes; no more follow.</summary>
    const int AllBursts = 3;

    /// <summary>Wait after the last stack burst, milliseconds: its requests are known when they end, and few end later.</summary>
    const double SettledMs = 3_000;

    /// <summary>
    /// Bursts needed if the pool adds threads for task waits: two bursts show whether the items complete, twelve counter samples whether
    /// the growth ends.
    /// </summary>
    const int TwoLooks = 2;

    /// <summary>Bursts are five seconds apart, so after this time there are two if stacks can be taken at all. Milliseconds.</summary>
    const double LookedLongMs = 15_000;

    /// <summary>Whether this report of a running watch is enough.</summary>
    public static bool In(PoolReport report) => IsDeadlock(report)
        || (report is { Blockers: [var first, ..], Bursts: { } bursts } && Lasts(report) && Seen(report) >= Least(report)
            && (IsClear(report, first) || IsAll(report, bursts)));

    /// <summary>The note when the watch ended early.</summary>
    public static string Words(PoolReport report) =>
        $"stopped after {Format.Duration(Seen(report))}: tpwatch knows what holds the worker threads; --duration 30s watches longer";

    // Later events cannot revoke a deadlock; the rest of the verdict needs the usual count of counter samples.
    static bool IsDeadlock(PoolReport report) => report.Inside?.Deadlock is not null && Seen(report) >= LeastWithoutCompletionMs;

    // A problem that has ended is watched on, so that the report shows its end. Compensated task waits are no episode.
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
