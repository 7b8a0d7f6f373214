using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// A late attach waits one idle time-out to tell workers that hang from idle ones; stacks tell at once, since an idle worker's is the
/// pool's own wait. Loops that wait for work look like a hang, until their stacks are seen. And where the pool adds a thread for each task
/// wait, a hang looks like waits that end, until two looks show the same threads.
/// </summary>
static class HangSeen
{
    /// <summary>
    /// Of those that were blocked at the first of two looks so many hold their item at the second as well. Fewer would be a few long items
    /// among others that end.
    /// </summary>
    const double MostOfThem = 0.5;

    /// <summary>
    /// The report, told as held where as many workers as there are processors, or more, wait for the locks of a deadlock; where its newest
    /// burst shows as many at work that do not wait for work; or where two looks prove it; <paramref name="otherwise"/> where those that
    /// seemed to hang wait for work.
    /// </summary>
    public static PoolReport In(PoolReport report, Func<Verdict> otherwise)
    {
        if (report is { Inside.Deadlock: { } cycle, Verdict: Verdict.Healthy or Verdict.Compensated or Verdict.Undecided }
            && cycle.Workers >= report.Timeline.Target.Processors.Value && NothingEndsSince(report, report.Inside.At))
        {
            return Held(report, LastEnd(report, report.Inside.At));
        }

        if (report.Bursts is not { Taken: [.., var last] } bursts)
        {
            return report;
        }

        var hang = last.Workers - bursts.Parked >= report.Timeline.Target.Processors.Value;
        return report switch
        {
            { Verdict: Verdict.Held, Episodes: [.., { Kind: Verdict.Held, Over: false } held] } when IsParked(held) =>
                Parked(report with { Episodes = report.Episodes.Remove(held) }),
            { Verdict: Verdict.Undecided, MayHang: not null } when bursts.Parked > 0 && !hang => Parked(report),
            { Verdict: Verdict.Undecided, MayHang: not null } when hang && Age(report) >= HeldTracker.HangsMs =>
                Held(report, report.Timeline.Start),
            { Verdict: Verdict.Compensated or Verdict.Undecided } when Unending(report) is { } since => Held(report, since),
            _ => report,
        };

        bool IsParked(StarvedEpisode held) => bursts.Parked > 0 && !hang && last.At >= held.Span.From;

        PoolReport Parked(PoolReport seen) =>
            seen with { Verdict = otherwise(), MayHang = null, IsNow = seen.Episodes.Any(e => !e.Over), Since = null };
    }

    // Of a process that is gone, or has completed items since, it is not known that they hang.
    static bool NothingEndsSince(PoolReport report, EventTime at) => report.End is not (SessionEnd.TargetExited or SessionEnd.TargetKilled)
        && report.Timeline.Heartbeats is [.., var newest] && newest.At > at
        && report.Timeline.Heartbeats.All(b => b.At <= at || b.Completed == 0);

    // The newest counter sample until then in which an item completed.
    static EventTime LastEnd(PoolReport report, EventTime until) =>
        report.Timeline.Heartbeats.LastOrDefault(b => b.At <= until && b.Completed > 0)?.At ?? report.Timeline.Start;

    static EventTime? Unending(PoolReport report) => report.Bursts?.Unending is { } items
        && items.Threads >= report.Timeline.Target.Processors.Value && items.Threads >= MostOfThem * items.Held ? items.Between.From : null;

    static double Age(PoolReport report) => report.Timeline.Now.MsSince(report.Timeline.Start);

    static PoolReport Held(PoolReport report, EventTime since) => report with
    {
        Verdict = Verdict.Held,
        Episodes =
        [
            .. report.Episodes,
            new(new(since, report.Timeline.Now), Verdict.Held, Over: false, 0),
        ],
        Since = since,
        IsNow = true,
    };
}
