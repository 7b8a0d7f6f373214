using Tpwatch.Events.Facts;

namespace Tpwatch.Explain.Gaps;

/// <summary>What a change of the goal means that is no answer to a wait.</summary>
static class MoveSentence
{
    public static string Of(AdjustmentReason reason) => reason switch
    {
        AdjustmentReason.Warmup => "Hill climbing gathers its first samples; it follows completed work, not a clock.",
        AdjustmentReason.Initializing => "Hill climbing starts anew, since another rule changed the goal.",
        AdjustmentReason.RandomMove or AdjustmentReason.ClimbingMove or AdjustmentReason.ChangePoint =>
            "Hill climbing tries another number of workers; it follows completed work, not a clock.",
        AdjustmentReason.Stabilizing => "Hill climbing settles; it follows completed work, not a clock.",
        AdjustmentReason.ThreadTimedOut => "An idle worker ended after its time-out.",
        _ => $"The runtime gives reason {(int)reason}, which this version does not know.",
    };
}
