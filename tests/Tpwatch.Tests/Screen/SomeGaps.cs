using Tpwatch.Core;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Screen;

/// <summary>The adjustments of those reports.</summary>
static partial class Some
{
    /// <summary>A move of hill climbing.</summary>
    public static InjectionDelay Climbing(int number, double at, int before, int after) => new()
    {
        Number = number, StartBasis = Basis.Unknown, End = At(at), EndBasis = Basis.Observed, Reason = AdjustmentReason.ClimbingMove,
        TargetThreadsBefore = before, TargetThreadsAfter = after, Verdict = DelayVerdict.NotTimed, Mechanism = Mechanism.G11Probing,
        Because = "Hill climbing tries another number of threads. It acts when items complete, not at fixed times.",
    };

    static IEnumerable<InjectionDelay> BurstGaps()
    {
        yield return Climbing(1, 0.9, 8, 9);
        yield return Climbing(2, 2.4, 9, 8);
        var at = 3.6;
        for (var i = 0; i < 10; i++)
        {
            var late = i == 6;
            var ms = i == 3 ? 501.4 : late ? 1503.6 : 1002.6;
            at += ms / 1000;
            yield return Injection(i + 3, (at, ms), 8 + i, late);
        }

        yield return Climbing(13, 16.4, 18, 17);
    }

    static InjectionDelay Injection(int number, (double At, double Ms) end, int before, bool late)
    {
        var start = At(end.At - end.Ms / 1000);
        var delay = new InjectionDelay
        {
            Number = number, Start = start, StartBasis = Basis.Inferred, End = At(end.At), EndBasis = Basis.Observed,
            Reason = AdjustmentReason.Starvation, TargetThreadsBefore = before,
            TargetThreadsAfter = before + 1, Windows = [new(500.8, 502.9), new(1001.9, 1004.2)],
            Ticks = [.. Enumerable.Range(1, (int)Math.Round(end.Ms / 501.3)).Select(k => Tick(start, k, end.Ms, late))],
            Verdict = late ? DelayVerdict.Late : DelayVerdict.AsExpected,
            Mechanism = Mechanism.G1GateTick, QueueLength = Queued(end.At), Cpu = 0.06, Because = "",
        };
        return delay with
        {
            Because = StarvationSentence.Of(delay, new(8, 8, 32767)),
            Ticks = [.. delay.Ticks.Select((check, i) => check with { IsTold = StarvationSentence.Tells(delay, i) })],
        };
    }

    // The last one of a delay added the thread; the one that should have before it says so.
    static GateCheck Tick(EventTime start, int k, double wholeMs, bool late)
    {
        var (at, fired) = (k * 501.2, k * 501.2 > wholeMs - 20);
        var since = fired && k == 1 ? at : at - 1.3;
        Decision decision = new(!fired && k == 1 ? DecisionKind.Hold : DecisionKind.Add, Mechanism.G1GateTick)
        {
            SinceDequeueMs = since, NeedMs = 500,
            Certainty = late ? Certainty.Certain : !fired && k > 1 ? Certainty.TooClose : Certainty.Expected,
        };
        var (why, spoken) = GateCheckSentence.Of(decision, StarvationDelayJudge.RemarkOf(decision, fired, start, new()), isUseKnown: false);
        return new(start.PlusMs(at), since, 0.06, fired, why, Sure: true, fired ? Basis.Observed : Basis.Inferred)
        {
            Spoken = spoken, IsReading = GateCheckSentence.IsReading(decision, fired),
        };
    }
}
