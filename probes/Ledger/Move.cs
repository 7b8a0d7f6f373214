using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>A change of the goal that answers no wait: hill climbing and time-outs follow completed work or idleness.</summary>
static class Move
{
    public static Gap Of(int number, in WorkerGoalChanged fact, int? goalBefore, BeatLog beats) => new()
    {
        Number = number,
        StartBasis = Basis.Unknown,
        End = fact.At,
        EndBasis = Basis.Observed,
        Reason = fact.Reason,
        GoalBefore = goalBefore,
        GoalAfter = fact.Goal,
        Verdict = Enum.IsDefined(fact.Reason) ? GapVerdict.NotTimed : GapVerdict.NoRule,
        Mechanism = fact.Reason == AdjustmentReason.ThreadTimedOut || !Enum.IsDefined(fact.Reason) ? Mechanism.None : Mechanism.G11Probing,
        Because = Sentence(fact.Reason),
        Cpu = beats.CpuAt(fact.At),
        Backlog = beats.BacklogAround(fact.At),
    };

    static string Sentence(AdjustmentReason reason) => reason switch
    {
        AdjustmentReason.Warmup => "Hill climbing (the pool's throughput tuning) takes its first measurements. "
            + "Hill climbing acts when items complete, not at fixed times.",
        AdjustmentReason.Initializing => "Hill climbing (the pool's throughput tuning) starts from this target thread count.",
        AdjustmentReason.RandomMove or AdjustmentReason.ClimbingMove or AdjustmentReason.ChangePoint =>
            "Hill climbing tries another number of threads. Hill climbing acts when items complete, not at fixed times.",
        AdjustmentReason.Stabilizing => "Hill climbing settles on a number of threads. Hill climbing acts when items complete, not at "
            + "fixed times.",
        AdjustmentReason.ThreadTimedOut => "An idle worker thread ended after its timeout.",
        _ => $"The runtime gives reason {(int)reason}, which tpwatch does not know.",
    };
}
