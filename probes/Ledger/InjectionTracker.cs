using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Judges the injection delay that an adjustment ends: an injection for starvation, or a step of blocking compensation.</summary>
sealed class InjectionTracker(TargetFacts target, GateTracker gate, CounterSampleLedger waits, WorkerArrivalTracker arrivals)
{
    /// <summary>
    /// Maximum number of kept injections that only returned threads removed by hill climbing. Counter samples have the same limit.
    /// </summary>
    const int MostGivenBack = CounterSampleLog.Capacity;

    readonly CompensationTracker compensation = new(target);
    readonly MaxThreadsDetector taskWaits = new();
    readonly Recent<EventTime> givenBack = new(MostGivenBack);
    EventTime? unseenRise;
    EventTime? previousStep;
    bool isSinceCall;
    int highest;
    EventTime? highestSince;

    /// <summary>Whether task waits for which the pool has added threads still last.</summary>
    public bool Compensates => compensation.Stands;

    /// <summary>Time of the last observed injection, by starvation detection or blocking compensation; null when there was none.</summary>
    public EventTime? LastRise { get; private set; }

    /// <summary>Last time at which an injection was observed or may have gone unseen; null when there was none.</summary>
    public EventTime? LastPossibleRise => unseenRise > LastRise || LastRise is null ? unseenRise : LastRise;

    /// <summary>Returns what is known about the highest target thread count so far. Below that count, MaxThreads was not reached.</summary>
    public HighestTargetThreads HighestAt(EventTime now, PoolSettings settings) => new(
        highestSince, givenBack.Count(at => waits.CounterSamples.CounterSamples is not [var oldest, ..] || at >= oldest.At),
        IsMaxForTaskWaits(now, settings));

    /// <summary>Handles an adjustment of the target thread count, for any reason.</summary>
    // When hill climbing or a timeout changes the target thread count, the pending step for task waits keeps the delay that was computed
    // for the previous count. So the next step is not timed.
    public void Adjusted(in TargetThreadsChanged fact, PoolState state, bool rises)
    {
        taskWaits.Adjusted(fact, rises, state.Existing, highest);
        (previousStep, isSinceCall) = (rises && fact.Reason == AdjustmentReason.CooperativeBlocking ? fact.At : null, false);
        if (fact.TargetThreads > highest)
        {
            Rose(fact.TargetThreads, fact.At);
        }
    }

    /// <summary>
    /// Handles a call that sets MinThreads or MaxThreads. The pool then counts task waits again, and a step's delay begins at the call.
    /// </summary>
    public void Limited(EventTime at) => (previousStep, isSinceCall) = (Compensates ? at : null, Compensates);

    /// <summary>Handles the number of existing worker threads; the target thread count was once at least that high.</summary>
    public void Counted(EventTime at, int workers)
    {
        if (workers > highest)
        {
            Rose(workers, highest == 0 ? null : at);
        }
    }

    /// <summary>Handles lost events, which may include adjustments.</summary>
    public void Lose(EventTime at)
    {
        (unseenRise, previousStep, isSinceCall) = (at, null, false);
        Rose(highest, at);
    }

    /// <summary>
    /// Handles a starvation injection: records the gate check and judges the delay. The injection shows that no item was dequeued for more
    /// than 500 ms, but not that an item waited. Even with an empty queue, a request for a worker thread stays open while long items hold
    /// all threads that the target thread count allows. The counter samples around the injection decide whether items starved.
    /// </summary>
    public void Starved(in TargetThreadsChanged fact, PoolState state, EventTime start)
    {
        gate.Seen(fact.ThreadId);
        waits.EndAt(fact.At, fact.TargetThreads > highest);
        var given = gate.CaseOf(fact, state).Shown(waits.CounterSamples, start) with
        {
            TaskWaits = compensation.At(waits.Hindrances.Last?.MemoryLoad, state.Settings.Processors),
        };
        var delay = waits.DelayJudgements.Close(given);
        if (fact.TargetThreads <= highest)
        {
            givenBack.Add(fact.At);
        }

        arrivals.Rose(delay, state.Existing);
        LastRise = fact.At;
    }

    /// <summary>Handles an adjustment by blocking compensation, up or down.</summary>
    /// <returns>Whether the step disproves the assumed MinThreads.</returns>
    public bool Compensated(in TargetThreadsChanged fact, PoolState state, bool rises)
    {
        gate.Seen(fact.ThreadId);
        var given = new CooperativeCase(state.Settings, state.TargetThreads, fact.TargetThreads, fact.At, previousStep, gate.LastStart,
            state.Existing)
        {
            IsSinceCall = isSinceCall,
        };
        var delay = waits.DelayJudgements.Close(given);
        compensation.Stepped(rises);
        if (rises)
        {
            arrivals.Rose(delay, state.Existing);
        }

        // At MaxThreads, a rise reactivates existing threads and does not explain waiting items.
        var atMax = fact.TargetThreads == state.Settings.Max || (state.Settings.Max is null && IsMaxForTaskWaits(fact.At, state.Settings));
        if (rises && !(atMax && fact.TargetThreads <= state.Existing))
        {
            waits.Episodes.Added(fact.At);
            LastRise = fact.At;
        }

        unseenRise = state.TargetThreads is null ? fact.At : unseenRise;
        return CooperativeDelayJudge.RefutesAssumedMin(delay, given);
    }

    // The proof by MaxThreadsDetector is valid only if high memory use cannot prevent steps, and no setting changes their delays.
    bool IsMaxForTaskWaits(EventTime at, PoolSettings settings) => taskWaits.IsMaxAt(at) && !settings.CooperativeChanged
        && !compensation.MayBeVetoed(waits.Hindrances.Last?.MemoryLoad, settings.Processors);

    void Rose(int to, EventTime? at)
    {
        (highest, highestSince) = (to, at);
        givenBack.Clear();
        taskWaits.Forget();
    }
}

/// <summary>Tracks whether the task waits that the pool added threads for still last, and whether memory allows one more thread.</summary>
sealed class CompensationTracker(TargetFacts target)
{
    readonly MemoryThreshold threshold = MemoryThreshold.Of(target);

    /// <summary>
    /// Whether task waits for which the pool has added threads still last: the last step raised the target thread count, and the end of
    /// these waits would have lowered it.
    /// </summary>
    public bool Stands { get; private set; }

    /// <summary>Whether high memory use may prevent a step; for the parameters, see <see cref="At"/>.</summary>
    public bool MayBeVetoed(double? load, int processors) => threshold.MayBeHigh(load, processors);

    public void Stepped(bool rises) => Stands = rises;

    /// <summary>
    /// Returns what is known about task waits and memory use. <paramref name="load"/> is the share of memory in use, 0 to 1; null when
    /// unknown.
    /// </summary>
    public TaskWaitState At(double? load, int processors) =>
        new(Stands, threshold.IsHigh(load, processors), load, threshold.PoolHighPercent / 100) { Setting = threshold.Setting?.Name };
}

/// <summary>
/// Detects an unknown MaxThreads from rises of the target thread count for task waits. The pool raises this count to the number of existing
/// threads without delay. While further task waits need a thread, the pool then adds one within 250 ms (PortableThreadPool.Blocking). If it
/// adds none, either no further task wait needs a thread, or MaxThreads is reached. If this happens several times at one count, that count
/// is MaxThreads.
/// </summary>
sealed class MaxThreadsDetector
{
    /// <summary>
    /// Minimum time from a rise to the next adjustment for the rise to count as lasting, milliseconds. Twice the longest delay of a step
    /// (MaxDelayMs of the runtime), because the gate thread may be late.
    /// </summary>
    const double NextStepMs = 2 * 250;

    /// <summary>Number of lasting rises that proves MaxThreads. One or two may be exactly what the waiting threads need.</summary>
    const int StandsThatProve = 3;

    /// <summary>Time for which a proof stays valid after the end of the last lasting rise, milliseconds: three counter samples.</summary>
    const double RecentMs = 3000;

    int stands;
    EventTime? since;
    EventTime? left;

    /// <summary>Records an adjustment, with the number of existing worker threads and the highest target thread count so far.</summary>
    public void Adjusted(in TargetThreadsChanged fact, bool rises, int? existing, int highest)
    {
        if (Stands(fact.At))
        {
            (stands, left) = (stands + 1, fact.At);
        }

        since = rises && fact.Reason == AdjustmentReason.CooperativeBlocking && fact.TargetThreads == existing
            && fact.TargetThreads == highest
            ? fact.At : null;
    }

    /// <summary>Whether the rises so far show that the number of threads that they reached is MaxThreads.</summary>
    public bool IsMaxAt(EventTime now) => Stands(now) ? stands + 1 >= StandsThatProve
        : stands >= StandsThatProve && now.MsSince(left!.Value) <= RecentMs;

    /// <summary>Forgets earlier rises, because the pool targets more threads or the target thread count is unknown.</summary>
    public void Forget() => (stands, since, left) = (0, null, null);

    bool Stands(EventTime at) => since is { } from && at.MsSince(from) >= NextStepMs;
}

/// <summary>
/// The highest number of threads that the pool was seen to target or to have. Injections up to that number only return threads removed by
/// hill climbing, so that number may be MaxThreads.
/// </summary>
/// <param name="Since">When the pool was seen to rise to this number; null when the first observation already showed this number.</param>
/// <param name="GivenBack">Number of starvation injections since that rise; they only returned removed threads.</param>
/// <param name="IsMaxForTaskWaits">Whether repeated rises to this number for task waits show that this number is MaxThreads.</param>
readonly record struct HighestTargetThreads(EventTime? Since, int GivenBack, bool IsMaxForTaskWaits);
