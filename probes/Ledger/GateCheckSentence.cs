using System.Text.RegularExpressions;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Says in a few words why one gate check injected or did not.</summary>
static partial class GateCheckSentence
{
    const string NoneAdded = ", but no thread was added and no item completed";
    const string DequeuedMeanwhile = ", but items completed then, so one was dequeued meanwhile";
    const string Busy = " with busy processors";
    const string Coarse = " as far as tpwatch can read the clock";
    const string LessBusy = "; the runtime read less processor use than the counter sample";
    const string MoreBusy = "; the runtime may have read more processor use than the counter sample";
    const string Close = " (borderline)";
    const string Missed = ": should have added a thread and did not";

    /// <summary>The reason as part of a sentence that continues "The check added no thread:"; short forms are written in full.</summary>
    public static string Spoken(string why)
    {
        var said = Since().Replace(why, "$1 ms since the last $2");
        said = TooNear().Replace(said, ". This time is too close to $1 ms for tpwatch to be certain");
        said = NotMoreThan().Replace(said, "not more than $1 ms");
        return MoreThan().Replace(said, "more than $1 ms")
            .Replace(Busy, "", StringComparison.Ordinal)
            .Replace(Coarse, ". tpwatch cannot read the clock more exactly", StringComparison.Ordinal)
            .Replace(LessBusy, ". So the runtime read less processor use than the counter sample shows", StringComparison.Ordinal)
            .Replace(MoreBusy, ". The runtime may have read more processor use than the counter sample shows", StringComparison.Ordinal)
            .Replace(NoneAdded, ". The pool may have read a slightly shorter time", StringComparison.Ordinal)
            .Replace(DequeuedMeanwhile, ". But items completed then, so one was dequeued meanwhile", StringComparison.Ordinal)
            .Replace(Missed, ". This check should have added a thread and did not", StringComparison.Ordinal);
    }

    /// <summary>Whether a check added nothing only because of the time it read, without a further remark.</summary>
    public static bool IsReading(string why) => Reading().IsMatch(why);

    /// <summary>Whether the only explanation is that the runtime read less processor use than the counter sample shows.</summary>
    public static bool IsReadLess(string why) => why.Contains(LessBusy, StringComparison.Ordinal);

    public static string Of(Decision decision, bool fired, EventTime at, CounterSampleLog samples) => (decision.Kind, fired) switch
    {
        (DecisionKind.Add, false) when decision.Certain => $"{Why(decision, at, samples)}{Missed}",
        (DecisionKind.Add, false) when decision.Close => Why(decision, at, samples),
        (DecisionKind.Add, false) => Why(decision, at, samples) + Reset(decision, at, samples),
        (DecisionKind.Hold, false) when !decision.Sure && !decision.Close => Why(decision, at, samples) + Close,
        (DecisionKind.Hold, true) when decision.Mechanism == Mechanism.G2CpuThrottle => Why(decision, at, samples) + LessBusy,
        (DecisionKind.Hold, true) => $"{Why(decision, at, samples)}{Coarse}",
        _ => Why(decision, at, samples),
    };

    /// <summary>The remark about a dequeue without an event: items that completed in the same second show it.</summary>
    static string Reset(Decision decision, EventTime at, CounterSampleLog samples) =>
        samples.MayHaveCompleted(at.PlusMs(-GateTiming.StarvationMs), at) switch
        {
            true => DequeuedMeanwhile,
            _ when decision.MayBeBusy => MoreBusy,
            false => decision.Near ? Close : NoneAdded,
            null => " unless an item was dequeued meanwhile",
        };

    static string Why(Decision decision, EventTime at, CounterSampleLog samples) =>
        decision.Mechanism == Mechanism.G2CpuThrottle && samples.CpuAt(at) is not null
            ? decision.Why + Busy
            : decision.Why;

    [GeneratedRegex(@"(\d+)ms since (dequeue|dispatch)\b")]
    private static partial Regex Since();

    [GeneratedRegex(@"^\d+ms since (dequeue|dispatch), not >\d+(?: with busy processors)?$")]
    private static partial Regex Reading();

    // The result of the comparison is left out where it may be wrong.
    [GeneratedRegex(@", (?:not )?>(\d+)(?: with busy processors)? \(borderline\)")]
    private static partial Regex TooNear();

    [GeneratedRegex(@"not >(\d+)")]
    private static partial Regex NotMoreThan();

    [GeneratedRegex(@">(\d+)")]
    private static partial Regex MoreThan();
}
