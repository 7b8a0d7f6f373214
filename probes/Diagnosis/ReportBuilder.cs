using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>From what was seen and accounted for to the judgement over all. Pure.</summary>
static class ReportBuilder
{
    /// <summary>Shorter captures say nothing about a pool whose detector alone needs a second.</summary>
    public const double TooShortMs = 2000;

    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, PoolForecast? forecast = null) =>
        Build(timeline, ledger, end, new SeenBeside { Forecast = forecast });

    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, SeenBeside beside)
    {
        var known = Alive(end) ? beside : beside.OfThePast();
        var episodes = Alive(end)
            ? ledger.Episodes
            : ledger.Episodes.RemoveAll(e => e.Kind == Verdict.Held && e.Span.Ms < HeldTracker.WorthTellingMs);
        var report = new PoolReport
        {
            Timeline = timeline,
            Gaps = ledger.Gaps,
            Journal = ledger.Journal,
            Evicted = ledger.Evicted + ledger.DroppedEpisodes,
            Adjustments = ledger.Adjustments,
            Compensations = ledger.Compensations,
            Tally = ledger.Tally,
            Episodes = episodes,
            Verdict = WithoutEpisode(timeline, ledger),
            Headline = "",
            IsNow = episodes.Any(e => !e.Over),
            StarvedMs = episodes.Where(e => e.Kind != Verdict.Held).Sum(e => e.Span.Ms) + ledger.DroppedMs,
            MaxWorkers = ledger.MaxWorkers,
            MaxBacklog = ledger.MaxBacklog,
            MayHang = ledger.MayHang,
            Forecast = known.Forecast,
            Depth = beside.Depth,
            WatchesRequests = beside.WatchesRequests,
            HeartbeatMs = beside.HeartbeatMs,
            End = end,
        };
        var judged = FinderSet.Apply(HangSeen.In(
            Crowded.Told(known.AddTo(report)), () => WithoutEpisode(timeline, ledger with { MayHang = null })));
        return judged with { Headline = HeadlineSentence.Of(judged) };
    }

    /// <summary>The verdict alone: of the episode that lasts, else of what is left beside episodes.</summary>
    public static Verdict Now(TimelineSnapshot timeline, LedgerSnapshot ledger) =>
        Crowded.Told(timeline, ledger.Gaps, [.. ledger.Episodes.Where(e => !e.Over).TakeLast(1)]).LastOrDefault()?.Kind
            ?? WithoutEpisode(timeline, ledger);

    static bool Alive(SessionEnd end) => end is not (SessionEnd.TargetExited or SessionEnd.TargetKilled);

    static Verdict WithoutEpisode(TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        if (!IsBlind(timeline) && Standstill.ExplainsDelays(timeline))
        {
            return Verdict.NotThePool;
        }

        if (Weight.IsWorthTelling(Steps(ledger), timeline))
        {
            return Verdict.Compensated;
        }

        return IsBlind(timeline) || WaitsUnproven(timeline) || HiddenBacklog.IsUnclear(timeline, ledger.MayHang)
            ? Verdict.Undecided
            : Verdict.Healthy;
    }

    /// <summary>When workers were added for task waits.</summary>
    static IEnumerable<EventTime> Steps(LedgerSnapshot ledger) => ledger.Gaps
        .Where(g =>
            g is { Reason: AdjustmentReason.CooperativeBlocking, Mechanism: Mechanism.G4CooperativeStep or Mechanism.G5CooperativeJump }
                && g.GoalAfter > g.GoalBefore)
        .Select(g => g.End);

    /// <summary>Too little was seen to call anything healthy.</summary>
    static bool IsBlind(TimelineSnapshot timeline) =>
        timeline.Heartbeats.Length < 2 || timeline.Now.MsSince(timeline.Start) < TooShortMs || Weight.IsLossWorthTelling(timeline);

    /// <summary>
    /// By backlog and rate items waited a second or more for some time, or do by the two newest samples, yet too few to prove it: not
    /// healthy, and not proven otherwise.
    /// </summary>
    internal static bool WaitsUnproven(TimelineSnapshot timeline) =>
        Lasting.Shows(timeline, SeemsToWait)
            || timeline.Heartbeats is { Length: > 0 and < FewBeats } few && few.All(SeemsToWait)
            || timeline.Heartbeats is [.., var before, var newest] && SeemsToWait(before) && SeemsToWait(newest);

    static bool SeemsToWait(Heartbeat beat) => BeatLog.EstimatedWaitMs(beat) >= WaitTracker.AlarmMs;

    /// <summary>So short a capture shows nothing that lasts; what each of its readings shows may last all the same.</summary>
    const int FewBeats = 3;
}
