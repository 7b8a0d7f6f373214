using System.Collections.Immutable;
using Tpwatch.Attach;
using Tpwatch.Events.Facts;
using Tpwatch.Explain.Gaps;
using Tpwatch.Timeline;

namespace Tpwatch.Explain;

/// <summary>From what was seen and accounted for to the judgement over all. Pure.</summary>
static class ReportBuilder
{
    /// <summary>Shorter captures say nothing about a pool whose detector alone needs a second.</summary>
    const double TooShortMs = 2000;

    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end)
    {
        var worst = ledger.Episodes.IsEmpty ? null : ledger.Episodes.MaxBy(e => e.Span.Ms);
        var verdict = worst?.Kind ?? WithoutEpisode(timeline, ledger);
        var report = new PoolReport
        {
            Timeline = timeline,
            Gaps = ledger.Gaps,
            Journal = ledger.Journal,
            Evicted = ledger.Evicted,
            Adjustments = ledger.Adjustments,
            Tally = ledger.Tally,
            Episodes = ledger.Episodes,
            Verdict = verdict,
            Headline = "",
            Since = worst?.Span.From,
            IsNow = ledger.Episodes.Any(e => !e.Over),
            StarvedMs = ledger.Episodes.Sum(e => e.Span.Ms),
            MaxWorkers = ledger.MaxWorkers,
            MaxBacklog = ledger.MaxBacklog,
            End = end,
        };
        var judged = RuleSet.Apply(report);
        return judged with { Headline = HeadlineSentence.Of(judged) };
    }

    static Verdict WithoutEpisode(TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        if (ledger.Gaps.Any(g => g is { Reason: AdjustmentReason.CooperativeBlocking, Rule: GapRule.G4CooperativeStep or GapRule.G5CooperativeJump }
            && g.GoalAfter > (g.GoalBefore ?? 0)))
        {
            return Verdict.Compensated;
        }

        return IsBlind(timeline) || StandsStill(timeline) ? Verdict.Undecided : Verdict.Healthy;
    }

    /// <summary>Too little was seen to call anything healthy.</summary>
    static bool IsBlind(TimelineSnapshot timeline) =>
        timeline.Heartbeats.Length < 2 || timeline.Now.MsSince(timeline.Start) < TooShortMs
        || timeline.Quality.Lost > 0 || timeline.Quality.LossUnknown;

    /// <summary>Items wait and none completes, yet so few that the bound proves no wait: not healthy either.</summary>
    static bool StandsStill(TimelineSnapshot timeline) =>
        timeline.Heartbeats[^2..].All(beat => beat is { Backlog: > 0, Completed: null or 0 });
}
