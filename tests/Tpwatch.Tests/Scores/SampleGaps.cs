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

    public static Gap Gap(EventTime from, EventTime to, GapVerdict verdict, params GapWindow[] windows) => new()
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

    /// <summary>An injection that raises the goal to <paramref name="goal"/>.</summary>
    public static Gap Injection(EventTime at, int goal) => Gap(at.PlusMs(-1000), at, GapVerdict.Fits, new GapWindow(990, 1010)) with
    {
        Reason = AdjustmentReason.Starvation,
        GoalBefore = goal - 1,
        GoalAfter = goal,
    };

    public static GateTick Tick(EventTime at, bool fired, bool? answer, bool sure = true) =>
        new(at, 501, 0, fired, "", sure, Basis.Observed) { Answer = answer };

    public static Gap Ticking(params GateTick[] ticks) =>
        Gap(ticks[0].At, ticks[^1].At, GapVerdict.Fits) with { Reason = AdjustmentReason.Starvation, Ticks = ticks.ToImmutableArray() };
}
