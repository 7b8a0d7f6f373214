using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Says in a few words why one gate check injected or did not: in short, and in full as a part of a sentence.</summary>
static class GateCheckSentence
{
    /// <summary>What is to say besides the rule and its numbers.</summary>
    enum Remark { None, Missed, DequeuedMeanwhile, MaybeDequeued, NoneAdded, TooNear, ReadLess, MayHaveReadMore, Coarse }

    /// <summary>The reason in short, and in full, which continues "The check added no thread:".</summary>
    public static (string Short, string Full) Of(Decision decision, bool fired, EventTime at, CounterSampleLog samples)
    {
        var remark = RemarkOf(decision, fired, at, samples);
        var (brief, full) = remark switch
        {
            Remark.Missed => (": should have added a thread and did not", ". This check should have added a thread and did not"),
            Remark.DequeuedMeanwhile => (", but items completed then, so one was dequeued meanwhile",
                ". But items completed then, so one was dequeued meanwhile"),
            Remark.MaybeDequeued => (" unless an item was dequeued meanwhile", " unless an item was dequeued meanwhile"),
            Remark.NoneAdded => (", but no thread was added and no item completed", ". The pool may have read a slightly shorter time"),
            Remark.TooNear => (" (borderline)", $". This time is too close to {decision.NeedMs:0} ms for tpwatch to be certain"),
            Remark.ReadLess => ("; the runtime read less processor use than the counter sample",
                ". So the runtime read less processor use than the counter sample shows"),
            Remark.MayHaveReadMore => ("; the runtime may have read more processor use than the counter sample",
                ". The runtime may have read more processor use than the counter sample shows"),
            Remark.Coarse => (" as far as tpwatch can read the clock", ". tpwatch cannot read the clock more exactly"),
            _ => ("", ""),
        };
        var busy = decision.Mechanism == Mechanism.G2CpuThrottle && samples.CpuAt(at) is not null ? " with busy processors" : "";
        return ($"{decision.Why}{busy}{brief}", $"{decision.Fact ?? Read(decision, remark)}{full}");
    }

    /// <summary>Whether a check added nothing only because of the time that it read; nothing else is to say about it.</summary>
    public static bool IsReading(Decision decision, bool fired) =>
        !fired && decision is { Kind: DecisionKind.Hold, Fact: null, Sure: true };

    // The result of the comparison is left out where it may be wrong.
    static string Read(Decision decision, Remark remark) =>
        $"{Math.Round(decision.SinceDequeueMs ?? 0):0} ms since the last {decision.ClockWord}"
        + (remark == Remark.TooNear ? "" : decision.Close ? $", too close to {decision.NeedMs:0} ms to be certain"
            : $", {(decision.Kind == DecisionKind.Add ? "" : "not ")}more than {decision.NeedMs:0} ms");

    static Remark RemarkOf(Decision decision, bool fired, EventTime at, CounterSampleLog samples) => (decision.Kind, fired) switch
    {
        (DecisionKind.Add, false) when decision.Certain => Remark.Missed,
        (DecisionKind.Add, false) when decision.Close => Remark.None,
        (DecisionKind.Add, false) => Unseen(decision, at, samples),
        (DecisionKind.Hold, false) when !decision.Sure && !decision.Close => Remark.TooNear,
        (DecisionKind.Hold, true) => decision.Mechanism == Mechanism.G2CpuThrottle ? Remark.ReadLess : Remark.Coarse,
        _ => Remark.None,
    };

    /// <summary>The remark about a dequeue without an event: items that completed in the same second show it.</summary>
    static Remark Unseen(Decision decision, EventTime at, CounterSampleLog samples) =>
        samples.MayHaveCompleted(at.PlusMs(-GateTiming.StarvationMs), at) switch
        {
            true => Remark.DequeuedMeanwhile,
            _ when decision.MayBeBusy => Remark.MayHaveReadMore,
            false => decision.Near ? Remark.TooNear : Remark.NoneAdded,
            null => Remark.MaybeDequeued,
        };
}
