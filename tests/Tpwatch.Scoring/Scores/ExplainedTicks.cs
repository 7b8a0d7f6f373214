using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Scores;

/// <summary>How many looks of the gate are explained: the rule's answer, by our reading of its clock, is what happened.</summary>
/// <param name="Pure">Ticks before which no item had ended for a while, by the truth: every dequeue shows in the events.</param>
/// <param name="PureSure">Those of them of which the tool says that it is sure.</param>
/// <param name="All">All ticks.</param>
readonly record struct ExplainedTicks(Share Pure, Share PureSure, Share All)
{
    /// <summary>
    /// An item that ends frees its worker for a dequeue without an event; longer ago it no longer matters to the rule of 500 ms.
    /// </summary>
    const double QuietMs = 1000;

    public static ExplainedTicks Of(PoolReport report, RunTruth truth)
    {
        var ends = truth.Items.Where(item => item.Ended is not null).Select(item => new EventTime(item.Ended!.Value)).Order().ToArray();
        var checks = report.InjectionDelays.SelectMany(delay => delay.Ticks).ToArray();
        var pure = checks.Where(check => !Array.Exists(ends, end => end <= check.At && check.At.MsSince(end) < QuietMs)).ToArray();
        return new(Explained(pure), Explained(pure.Where(check => check.Sure)), Explained(checks));
    }

    public static ExplainedTicks operator +(ExplainedTicks one, ExplainedTicks other) =>
        new(one.Pure + other.Pure, one.PureSure + other.PureSure, one.All + other.All);

    static Share Explained(IEnumerable<GateCheck> checks)
    {
        var all = checks.ToArray();
        return new(all.Count(check => check.Answer == check.Fired), all.Length);
    }
}
