using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// The pool of a capture: its settings, the changes of its target thread count, and a simulation with the target thread count as observed.
/// </summary>
static class SeenPool
{
    /// <summary>
    /// How long a simulation continues after the last item was queued, milliseconds: one hour. Items still queued then count as never
    /// started.
    /// </summary>
    const double LongestMs = 3_600_000;

    /// <summary>
    /// The shortest clock step that indicates Windows, milliseconds. Clocks of Linux step at most 10 ms, that of Windows 15.6.
    /// </summary>
    const double ShortestOfWindowsMs = 15;

    /// <summary>The settings as far as known; MinThreads is the number of processors unless known otherwise.</summary>
    public static PoolSettings Settings(PoolReport report) => new KnownSettings(report.Timeline.Target).Current;

    /// <summary>
    /// Whether the pool grew more often for task waits than by its gate thread. Then items wait for tasks, because the pool detects no
    /// other blocking.
    /// </summary>
    public static bool WaitsForTasks(PoolReport report) =>
        report.Compensations > report.Adjustments.GetValueOrDefault(AdjustmentReason.Starvation);

    /// <summary>
    /// Whether the gate thread of the target uses the clock of Windows: its operating system is Windows, or its clock was read and steps by
    /// 15.6 ms.
    /// </summary>
    public static bool IsByWindowsClock(PoolReport report) => report.Timeline.Target.Os is { } os
        ? os.StartsWith("Windows", StringComparison.OrdinalIgnoreCase)
        : report.Timeline.Clock is { StepMs: >= ShortestOfWindowsMs };

    /// <summary>Runs the items with the target thread count as observed, whatever changed it.</summary>
    public static WhatIfResult Run(PoolReport report, ItemsSeen seen) =>
        WhatIfRun.Of(new TargetThreadsAsSeen(), Options(report, seen, Settings(report))
            with
        { Moves = Moves(report, _ => true) }, seen.Items);

    /// <summary>The simulation options for other settings; hill climbing and timeouts change the target thread count as observed.</summary>
    public static WhatIfOptions Options(PoolReport report, ItemsSeen seen, PoolSettings settings) => new(settings, Until(report, seen))
    {
        RampMs = seen.RampMs,
        Existing = seen.Existing,
        Moves = Moves(report, reason => reason is not (AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking)),
    };

    // If no item completed within the capture, the time after it cannot be simulated.
    static EventTime Until(PoolReport report, ItemsSeen seen) => seen.Items.Any(item => double.IsPositiveInfinity(item.BlockMs))
        ? report.Timeline.Now
        : seen.Items[^1].Queued.PlusMs(LongestMs);

    static ImmutableArray<WhatIfMove> Moves(PoolReport report, Func<AdjustmentReason, bool> whose)
    {
        var min = Settings(report).Min;
        return
        [
            .. from delay in report.InjectionDelays
               where delay is { Reason: { } reason, TargetThreadsAfter: not null } && whose(reason)
               let before = delay.TargetThreadsBefore ?? min
               where delay.TargetThreadsAfter != before
               select new WhatIfMove(delay.End, delay.TargetThreadsAfter!.Value - before, delay.Reason!.Value),
        ];
    }

    /// <summary>A policy that decides nothing: all changes of the target thread count are inputs.</summary>
    sealed class TargetThreadsAsSeen : IInjectionPolicy
    {
        readonly PortablePolicy memory = new();

        public PoolState Start(PoolSettings settings) => memory.Start(settings);

        public PoolState Apply(PoolState state, PoolInput input) => memory.Apply(state, input);

        public PoolCheck? NextCheck(PoolState state) => null;

        public Decision Decide(PoolState state, PoolCheck check) => new(DecisionKind.Hold, Mechanism.None, "");
    }
}
