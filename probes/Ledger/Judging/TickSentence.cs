using Tpwatch.Basics;
using Tpwatch.Ledger.Beats;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Ledger.Judging;

/// <summary>Why one tick of the gate injected or did not, a few words.</summary>
static class TickSentence
{
    public static string Of(Decision decision, bool fired, EventTime at, BeatLog beats) => (decision.Kind, fired) switch
    {
        (DecisionKind.Add, false) when decision.Certain => $"{Why(decision, at, beats)}: should have added a thread and did not",
        (DecisionKind.Add, false) when decision.Close => Why(decision, at, beats),
        (DecisionKind.Add, false) => Why(decision, at, beats) + Reset(at, beats),
        (DecisionKind.Hold, false) when !decision.Sure && !decision.Close => $"{Why(decision, at, beats)} (borderline)",
        (DecisionKind.Hold, true) => $"{Why(decision, at, beats)} as far as tpwatch can read the clock",
        _ => Why(decision, at, beats),
    };

    /// <summary>A dequeue that no event tells of is known by items that completed in the same second.</summary>
    static string Reset(EventTime at, BeatLog beats) => beats.MayHaveCompleted(at.PlusMs(-GateTiming.StarvationMs), at) switch
    {
        true => ", but items completed then, so one was dequeued meanwhile",
        false => ", but no thread was added and no item completed",
        null => " unless an item was dequeued meanwhile",
    };

    static string Why(Decision decision, EventTime at, BeatLog beats) =>
        decision.Mechanism == Mechanism.G2CpuThrottle && beats.CpuAt(at) is not null
            ? $"{decision.Why} with busy processors"
            : decision.Why;
}
