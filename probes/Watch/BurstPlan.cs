using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>Whether stacks are worth their price at a moment.</summary>
static class BurstPlan
{
    /// <summary>So many bursts are taken of a capture without anybody asking for them.</summary>
    public const int MostUnasked = 3;

    /// <summary>A burst of items at start-up is over by then; who waits for longer is worth a pause, milliseconds.</summary>
    public const double LastingMs = 2000;

    /// <summary>An injection so recent is part of the trouble, milliseconds; the next is due in half of that.</summary>
    const double RecentMs = 2000;

    /// <summary>Rises further apart are not one stretch of task waits, milliseconds.</summary>
    const double StretchMs = 5000;

    /// <summary>
    /// For who asked: items wait by the last heartbeat, or workers may hang, or the pool has just added a worker for those that are
    /// blocked.
    /// </summary>
    public static bool IsTrouble(Observation now) =>
        now.Timeline.Levels.Backlog > 0 || now.Ledger.MayHang is not null || now.Ledger.Episodes.Any(e => !e.Over)
        || now.Ledger.Gaps.LastOrDefault(g => g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking) is { } gap
            && now.Timeline.Now.MsSince(gap.End) < RecentMs;

    /// <summary>
    /// For who did not: items have waited for a worker, or hung, for two seconds, in one episode or in several, and still do; or the pool
    /// has added workers for task waits for as long. Never so in a healthy target.
    /// </summary>
    public static bool IsLasting(Observation now)
    {
        var starved = now.Ledger.Episodes.Where(e => e.Kind.IsStarvation()).ToArray();
        return starved.Any(e => !e.Over && (e.Span.Ms >= LastingMs || (Waits(now) && now.Timeline.Now.MsSince(e.Span.From) >= LastingMs)))
            || (starved is [.., { Over: false }] && Waits(now) && starved.Sum(e => e.Span.Ms) >= LastingMs)
            || IsCompensating(now);
    }

    /// <summary>
    /// Worth a second look: the first was taken of task waits for which the pool added threads, and only two tell whether they end.
    /// </summary>
    public static bool MayHideHang(Observation now, int taken) =>
        taken == 1 && ReportBuilder.Now(now.Timeline, now.Ledger) == Verdict.Compensated;

    /// <summary>
    /// Who asks for stacks by name gets these two whatever the pool does: what blocks may be outside it, and the second tells what stays.
    /// They come once two counter samples are there.
    /// </summary>
    public static bool IsAsked(Observation now, int taken) => taken < 2 && now.Timeline.Heartbeats.Length >= 2;

    /// <summary>
    /// Worth one burst to who did not ask: every worker is busy and few items end, or items wait for nearly as long as in starvation,
    /// though no wait is proven; or workers are idle or hang.
    /// Counters alone do not decide it, and where so little completes a pause delays little.
    /// </summary>
    public static bool IsUnclear(Observation now) =>
        now.Ledger.MayHang is not null || (Waits(now) && HiddenBacklog.IsUnclear(now.Timeline, mayHang: null));

    // An episode is over only some time after its last proof; by the newest heartbeat it goes on.
    static bool Waits(Observation now) => now.Timeline.Levels.Backlog > 0;

    /// <summary>Whether workers hang by the counters, or may: loops that wait for work look the same.</summary>
    public static bool MayHang(Observation now) =>
        now.Ledger.MayHang is not null || now.Ledger.Episodes is [.., { Over: false, Kind: Verdict.Held }];

    /// <summary>
    /// Whether a reading shows what holds the worker threads, so that a burst would add nothing but its pause. A thread that runs has no
    /// stack in it: where more ran than are known to be held by the user's own code, somebody may compute, and only a burst tells.
    /// </summary>
    public static bool Suffices(InsideReading reading)
    {
        var samples = InsideSamples.Of(reading);
        var busy = samples?.Stacks.Select(s => StackShape.Of(s)).Where(s => s.IsAtWork).ToArray() ?? [];
        var own = busy.Count(s => s.HasUserCode);
        return (own > 0 && own >= (reading.Limits?.Working - busy.Length ?? reading.Running))
            || (samples is not null && reading.Running == 0);
    }

    static bool IsCompensating(Observation now)
    {
        var ages = now.Ledger.Gaps.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > g.GoalBefore)
            .Select(g => now.Timeline.Now.MsSince(g.End)).ToArray();
        return ages.Any(ms => ms < RecentMs) && ages.Any(ms => ms >= LastingMs && ms < LastingMs + StretchMs);
    }
}
