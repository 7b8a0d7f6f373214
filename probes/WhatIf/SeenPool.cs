using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>The pool of a capture: its settings, what moved its goal, and its life done again with the goal as it was seen.</summary>
static class SeenPool
{
    /// <summary>An imagined run ends after an hour; who waits longer waits for ever.</summary>
    const double LongestMs = 3_600_000;

    /// <summary>Clocks of Linux step 10 ms at most, that of Windows 15.6.</summary>
    const double ShortestOfWindowsMs = 15;

    /// <summary>The settings as far as known; min is the number of processors where nothing says otherwise.</summary>
    public static PoolSettings Settings(PoolReport report) => new KnownSettings(report.Timeline.Target).Current;

    /// <summary>
    /// Whether the pool grew for task waits more often than by its gate: that tells what items wait for, since the pool knows of task waits
    /// alone.
    /// </summary>
    public static bool WaitsForTasks(PoolReport report) =>
        report.Compensations > report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);

    /// <summary>
    /// Whether the gate of the target checks by the clock of Windows: its system says so, or its clock was read and moves by 15.6 ms.
    /// </summary>
    public static bool IsByWindowsClock(PoolReport report) => report.Timeline.Target.Os is { } os
        ? os.StartsWith("Windows", StringComparison.OrdinalIgnoreCase)
        : report.Timeline.Clock is { StepMs: >= ShortestOfWindowsMs };

    /// <summary>The items run while the goal does what it was seen to do, whatever moved it.</summary>
    public static WhatIfResult Run(PoolReport report, ItemsSeen seen) =>
        WhatIfRun.Of(new GoalAsSeen(), Options(report, seen, Settings(report)) with { Moves = Moves(report, _ => true) }, seen.Items);

    /// <summary>The world for other settings; hill climbing and time-outs move the goal as they were seen to.</summary>
    public static WhatIfOptions Options(PoolReport report, ItemsSeen seen, PoolSettings settings) => new(settings, Until(report, seen))
    {
        RampMs = seen.RampMs,
        Existing = seen.Existing,
        Moves = Moves(report, reason => reason is not (AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking)),
    };

    // Where no item ended within the capture nothing can be said of the time after it.
    static EventTime Until(PoolReport report, ItemsSeen seen) => seen.Items.Any(item => double.IsPositiveInfinity(item.BlockMs))
        ? report.Timeline.Now
        : seen.Items[^1].Queued.PlusMs(LongestMs);

    static ImmutableArray<WhatIfMove> Moves(PoolReport report, Func<AdjustmentReason, bool> whose)
    {
        var min = Settings(report).Min;
        return
        [
            .. from gap in report.Gaps
               where gap is { Reason: { } reason, GoalAfter: not null } && whose(reason)
               let before = gap.GoalBefore ?? min
               where gap.GoalAfter != before
               select new WhatIfMove(gap.End, gap.GoalAfter!.Value - before, gap.Reason!.Value),
        ];
    }

    /// <summary>Decides nothing: the goal's moves are all inputs.</summary>
    sealed class GoalAsSeen : IInjectionPolicy
    {
        readonly PortablePolicy memory = new();

        public PoolState Start(PoolSettings settings) => memory.Start(settings);

        public PoolState Apply(PoolState state, PoolInput input) => memory.Apply(state, input);

        public PoolTick? NextTick(PoolState state) => null;

        public Decision Decide(PoolState state, PoolTick tick) => new(DecisionKind.Hold, Mechanism.None, "");
    }
}
