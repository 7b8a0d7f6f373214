using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Simulates given arrivals under a policy: passes the policy exactly the events of the simulated pool and applies its decisions. It uses
/// event time only, so equal input gives an equal run. Hill climbing and the timeout of idle worker threads are not simulated; a result
/// states this.
/// </summary>
sealed class WhatIfRun
{
    readonly IInjectionPolicy policy;
    readonly WhatIfOptions options;
    readonly WhatIfPool pool;
    readonly ImmutableArray<WhatIfPoint>.Builder curve = ImmutableArray.CreateBuilder<WhatIfPoint>();
    readonly ImmutableArray<WhatIfAdjustment>.Builder adjustments = ImmutableArray.CreateBuilder<WhatIfAdjustment>();
    PoolState state;
    int arrivedBefore;
    int arrivedAtTick;
    int dequeuedBefore;
    int idleTicks;
    EventTime lastTick;
    int moved;

    WhatIfRun(IInjectionPolicy policy, WhatIfOptions options, IReadOnlyList<WhatIfItem> items)
    {
        (this.policy, this.options) = (policy, options);
        pool = new(items, options);
        state = policy.Start(options.Pool);
        pool.Begin(Math.Min(options.Existing, state.Settings.Max ?? int.MaxValue));
        var goal = Math.Max(state.Settings.Min, pool.Existing);
        state = state with
        {
            Goal = goal,
            Existing = pool.Existing,
            Backlog = 0,
            Outstanding = false,
            TaskWaits = 0,
        };
    }

    int Goal => state.Goal ?? state.Settings.Min;

    /// <summary>Runs <paramref name="items"/> under <paramref name="policy"/>.</summary>
    public static WhatIfResult Of(IInjectionPolicy policy, WhatIfOptions options, IReadOnlyList<WhatIfItem> items) =>
        new WhatIfRun(policy, options, items).Run();

    WhatIfResult Run()
    {
        while (!pool.AllEnded && NextMoment() is { } at && at <= options.Until)
        {
            pool.Advance(at);
            MoveGoal();
            Happen();
            if (policy.NextTick(state) is { } tick && tick.At <= at)
            {
                Tick(tick with { At = at });
                Happen();
            }
        }

        return new() { Items = [.. pool.Spans], Curve = curve.ToImmutable(), Adjustments = adjustments.ToImmutable() };
    }

    EventTime? NextMoment()
    {
        var next = Earlier(pool.Next(), moved < options.Moves.Length ? options.Moves[moved].At : null);
        return policy.NextTick(state) is not { } tick || next < tick.At ? next
            : tick.At > pool.Now ? tick.At
            : pool.Now;
    }

    static EventTime? Earlier(EventTime? one, EventTime? other) => one is null || other < one ? other : one;

    void MoveGoal()
    {
        for (; moved < options.Moves.Length && options.Moves[moved] is var move && move.At <= pool.Now; moved++)
        {
            var most = state.Settings.Max ?? int.MaxValue;
            var goal = Math.Max(Math.Min(Goal + move.By, most), Math.Min(Math.Min(state.Settings.Min, Goal), most));
            Apply(new PoolInput.GoalSeen(pool.Now, goal, move.Reason));
        }
    }

    // Worker threads come before arrivals, and both before the gate thread: everything at the time of a gate check has happened when it
    // runs.
    void Happen()
    {
        pool.Work(Goal);
        pool.Arrive();
        WakeGate();
        pool.Release(Goal);
        pool.Work(Goal);
        Tell();
        Draw();
    }

    void WakeGate()
    {
        if (pool.Arrived > arrivedBefore && state.LastTick is null)
        {
            Apply(new PoolInput.GateBegan(pool.Now));
            lastTick = pool.Now;
            pool.TakeComputedMs();
        }
    }

    void Tell()
    {
        if (pool.Arrived > arrivedBefore)
        {
            Apply(new PoolInput.Queued(pool.Now));
        }

        if (pool.Existing > state.Existing)
        {
            Apply(new PoolInput.WorkersSeen(pool.Now, pool.Existing));
        }

        if (pool.Dequeued > dequeuedBefore)
        {
            Apply(new PoolInput.Dequeued(pool.Now));
        }

        Apply(new PoolInput.BacklogSeen(pool.Now, pool.Backlog));
        Apply(new PoolInput.TaskWaitsSeen(pool.Now, pool.TaskWaits));
        (arrivedBefore, dequeuedBefore) = (pool.Arrived, pool.Dequeued);
    }

    void Tick(PoolTick tick)
    {
        if (tick.Kind == TickKind.Periodic)
        {
            var elapsed = Math.Max(1, tick.At.MsSince(lastTick) * options.Pool.Processors);
            Apply(new PoolInput.Counted(tick.At, Completed: false, pool.TakeComputedMs() / elapsed, pool.Backlog > 0));
            lastTick = tick.At;
        }

        var decision = policy.Decide(state, tick);
        var goal = Change(tick, decision);
        state = GateWalk.After(policy, state, tick, goal);
        if (goal is { } changed)
        {
            adjustments.Add(new(tick.At, tick.Kind, decision.Mechanism, changed));
        }

        if (tick.Kind == TickKind.Periodic)
        {
            SleepWhenIdle();
        }
    }

    // A starvation injection adds to the working threads: while fewer than the target thread count work, another thread is starting
    // already.
    int? Change(PoolTick tick, Decision decision) => (decision.Kind, tick.Kind) switch
    {
        (DecisionKind.Add, TickKind.Periodic) => pool.Working >= Goal ? pool.Working + 1 : null,
        (DecisionKind.Add, _) => Goal + decision.Workers,
        (DecisionKind.Lower, _) => Goal - decision.Workers,
        _ => null,
    };

    void SleepWhenIdle()
    {
        idleTicks = pool.Backlog == 0 && pool.Arrived == arrivedAtTick ? idleTicks + 1 : 0;
        arrivedAtTick = pool.Arrived;
        if (idleTicks >= policy.IdleTicksBeforeSleep && state.CooperativeDue is null)
        {
            Apply(new PoolInput.GateLost(pool.Now));
            idleTicks = 0;
        }
    }

    void Draw()
    {
        var point = new WhatIfPoint(pool.Now, pool.Existing, pool.Backlog);
        if (curve.Count > 0 && curve[^1].At == point.At)
        {
            curve[^1] = point;
        }
        else if (curve.Count == 0 || curve[^1].Workers != point.Workers || curve[^1].Backlog != point.Backlog)
        {
            curve.Add(point);
        }
    }

    void Apply(PoolInput input) => state = policy.Apply(state, input);
}
