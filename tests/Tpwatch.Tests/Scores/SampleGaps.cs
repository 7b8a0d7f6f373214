using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Scores;

/// <summary>Gaps made by hand, on the clock of a truth made by hand.</summary>
static class SampleGaps
{
    /// <summary>The moment so many milliseconds after the first item was queued.</summary>
    public static EventTime At(RunTruth truth, double ms) => new EventTime(truth.Items[0].Enqueued).PlusMs(ms);

    /// <summary>The same truth of a process that counts so many processors, which is its min as well.</summary>
    public static RunTruth On(this RunTruth truth, int processors) =>
        truth with { Header = truth.Header with { Processors = processors, MinWorkers = processors } };

    public static InjectionDelay InjectionDelay(EventTime from, EventTime to, DelayVerdict verdict, params DelayWindow[] windows) => new()
    {
        Number = 1,
        Start = from,
        StartBasis = Basis.Observed,
        End = to,
        EndBasis = Basis.Observed,
        Windows = [.. windows],
        Verdict = verdict,
        Mechanism = Mechanism.G1GateTick,
        Because = "",
    };

    /// <summary>An injection that raises the goal to <paramref name="targetThreads"/>.</summary>
    public static InjectionDelay Injection(EventTime at, int targetThreads) =>
        InjectionDelay(at.PlusMs(-1000), at, DelayVerdict.AsExpected, new DelayWindow(990, 1010)) with
        {
            Reason = AdjustmentReason.Starvation,
            TargetThreadsBefore = targetThreads - 1,
            TargetThreadsAfter = targetThreads,
        };

    public static GateCheck Tick(EventTime at, bool fired, bool? answer, bool sure = true) =>
        new(at, 501, 0, fired, "", sure, Basis.Observed) { Answer = answer };

    public static InjectionDelay Ticking(params GateCheck[] checks) =>
        InjectionDelay(checks[0].At, checks[^1].At, DelayVerdict.AsExpected)
            with
        { Reason = AdjustmentReason.Starvation, Ticks = checks.ToImmutableArray() };
}
