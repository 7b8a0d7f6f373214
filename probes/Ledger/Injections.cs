using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Closes and judges the gap that an injection ends: by the gate for starvation, or for task waits.</summary>
sealed class Injections(TargetFacts target, GateTracker gate, WaitLedger waits, ArrivalTracker arrivals)
{
    /// <summary>As many as the log has heartbeats: older ones answered checks that are forgotten as well.</summary>
    const int MostGivenBack = BeatLog.Capacity;

    readonly CompensationTracker compensation = new(target);
    readonly TaskWaitTop taskWaits = new();
    readonly Recent<EventTime> givenBack = new(MostGivenBack);
    EventTime? unseenRise;
    EventTime? previousStep;
    bool isSinceCall;
    int highest;
    EventTime? highestSince;

    /// <summary>Whether task waits go on that were compensated.</summary>
    public bool Compensates => compensation.Stands;

    /// <summary>The last rise of the goal that was seen.</summary>
    public EventTime? LastRise { get; private set; }

    /// <summary>The last moment at which the goal may have risen.</summary>
    public EventTime? LastPossibleRise => unseenRise > LastRise || LastRise is null ? unseenRise : LastRise;

    /// <summary>The highest goal so far: max was not reached before.</summary>
    public HighestGoal HighestAt(EventTime now, PoolSettings settings) => new(
        highestSince, givenBack.Count(at => waits.Beats.Beats is not [var oldest, ..] || at >= oldest.At),
        IsMaxForTaskWaits(now, settings));

    /// <summary>The goal was adjusted, for whatever reason.</summary>
    // Where hill climbing or a time-out moves the goal, the step for task waits that is pending keeps the delay of the goal before.
    public void Adjusted(in WorkerGoalChanged fact, PoolState state, bool rises)
    {
        taskWaits.Adjusted(fact, rises, state.Existing, highest);
        (previousStep, isSinceCall) = (rises && fact.Reason == AdjustmentReason.CooperativeBlocking ? fact.At : null, false);
        if (fact.Goal > highest)
        {
            Rose(fact.Goal, fact.At);
        }
    }

    /// <summary>A call has set limits: task waits that go on are counted anew, and the delay of the next step begins with that.</summary>
    public void Limited(EventTime at) => (previousStep, isSinceCall) = (Compensates ? at : null, Compensates);

    /// <summary>Threads that exist were wanted once: the goal they come from may have been before the capture.</summary>
    public void Counted(EventTime at, int workers)
    {
        if (workers > highest)
        {
            Rose(workers, highest == 0 ? null : at);
        }
    }

    /// <summary>Events were lost, adjustments perhaps among them.</summary>
    public void Lose(EventTime at)
    {
        (unseenRise, previousStep, isSinceCall) = (at, null, false);
        Rose(highest, at);
    }

    /// <summary>
    /// A starvation injection: the gate's tick and its own judgement. It shows that nothing was dequeued for more than 500 ms, but not
    /// that anything waited: a request for a worker stays open when as many long items run as the goal allows and the queue is empty.
    /// So whether it starved is decided by the heartbeats around it.
    /// </summary>
    public void Starved(in WorkerGoalChanged fact, PoolState state, EventTime start)
    {
        gate.Seen(fact.ThreadId);
        waits.EndAt(fact.At, fact.Goal > highest);
        var given = gate.CaseOf(fact, state).Shown(waits.Beats, start) with
        {
            TaskWaits = compensation.At(waits.Hindrances.Last?.MemoryLoad, state.Settings.Processors),
        };
        var gap = waits.Judgements.Close(given);
        if (fact.Goal <= highest)
        {
            givenBack.Add(fact.At);
        }

        arrivals.Rose(gap, state.Existing);
        LastRise = fact.At;
    }

    /// <summary>A step for task waits, up or down.</summary>
    /// <returns>Whether it refutes the min that was assumed.</returns>
    public bool Compensated(in WorkerGoalChanged fact, PoolState state, bool rises)
    {
        gate.Seen(fact.ThreadId);
        var given = new CooperativeCase(state.Settings, state.Goal, fact.Goal, fact.At, previousStep, gate.LastStart, state.Existing)
        {
            IsSinceCall = isSinceCall,
        };
        var gap = waits.Judgements.Close(given);
        compensation.Stepped(rises);
        if (rises)
        {
            arrivals.Rose(gap, state.Existing);
        }

        // At max a rise calls back threads that exist: it accounts for nothing that waits.
        var atMax = fact.Goal == state.Settings.Max || (state.Settings.Max is null && IsMaxForTaskWaits(fact.At, state.Settings));
        if (rises && !(atMax && fact.Goal <= state.Existing))
        {
            waits.Episodes.Added(fact.At);
            LastRise = fact.At;
        }

        unseenRise = state.Goal is null ? fact.At : unseenRise;
        return CooperativeJudge.RefutesAssumedMin(gap, given);
    }

    // Where memory counts as high no step comes either; with steps of the configuration's nobody knows when one is due.
    bool IsMaxForTaskWaits(EventTime at, PoolSettings settings) => taskWaits.IsMaxAt(at) && !settings.CooperativeChanged
        && !compensation.MayBeVetoed(waits.Hindrances.Last?.MemoryLoad, settings.Processors);

    void Rose(int to, EventTime? at)
    {
        (highest, highestSince) = (to, at);
        givenBack.Clear();
        taskWaits.Forget();
    }
}

/// <summary>Whether task waits go on that the pool has compensated, and whether memory lets it.</summary>
sealed class CompensationTracker(TargetFacts target)
{
    readonly MemoryThreshold threshold = MemoryThreshold.Of(target);

    /// <summary>
    /// Whether task waits go on that were compensated: the last step raised the goal, and their end would have lowered it.
    /// </summary>
    public bool Stands { get; private set; }

    /// <summary>Whether memory may keep the pool from a step, as far as there is reason to ask; as for <see cref="At"/>.</summary>
    public bool MayBeVetoed(double? load, int processors) => threshold.MayBeHigh(load, processors);

    public void Stepped(bool rises) => Stands = rises;

    /// <summary>What is known with such a share of the memory in use, 0 to 1, or none known, and so many processors.</summary>
    public TaskWaitsKnown At(double? load, int processors) =>
        new(Stands, threshold.IsHigh(load, processors), load, threshold.VetoPercent / 100) { Setting = threshold.Setting?.Name };
}

/// <summary>
/// Rises of the goal for task waits that brought no thread. To as many threads as exist it rises at once, and from there by one after 250
/// ms at most, for as long as more wait than are compensated (PortableThreadPool.Blocking). Where it stays there, either just as many wait
/// as are compensated, or max is reached. When that comes again and again, after falls between, it is no chance.
/// </summary>
sealed class TaskWaitTop
{
    /// <summary>Twice the longest delay of a step, MaxDelayMs of the runtime: the gate's thread may be late.</summary>
    const double NextStepMs = 2 * 250;

    /// <summary>Once or twice just as many may wait as are compensated.</summary>
    const int StandsThatProve = 3;

    /// <summary>What shows itself at least so often holds for now: three heartbeats.</summary>
    const double RecentMs = 3000;

    int stands;
    EventTime? since;
    EventTime? left;

    /// <summary>The goal was adjusted while so many workers existed, the most there ever were.</summary>
    public void Adjusted(in WorkerGoalChanged fact, bool rises, int? existing, int highest)
    {
        if (Stands(fact.At))
        {
            (stands, left) = (stands + 1, fact.At);
        }

        since = rises && fact.Reason == AdjustmentReason.CooperativeBlocking && fact.Goal == existing && fact.Goal == highest
            ? fact.At : null;
    }

    /// <summary>Whether the number of threads to which it rises is max, as far as can be seen by then.</summary>
    public bool IsMaxAt(EventTime now) => Stands(now) ? stands + 1 >= StandsThatProve
        : stands >= StandsThatProve && now.MsSince(left!.Value) <= RecentMs;

    /// <summary>More threads are wanted, or nobody knows: what was seen shows nothing any more.</summary>
    public void Forget() => (stands, since, left) = (0, null, null);

    bool Stands(EventTime at) => since is { } from && at.MsSince(from) >= NextStepMs;
}
