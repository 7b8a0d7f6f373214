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
    int arrivedAtCheck;
    int dequeuedBefore;
    int idleChecks;
    EventTime lastCheck;
    int moved;

    WhatIfRun(IInjectionPolicy policy, WhatIfOptions options, IReadOnlyList<WhatIfItem> items)
    {
        (this.policy, this.options) = (policy, options);
        pool = new(items, options);
        state = policy.Start(options.Pool);
        pool.Begin(Math.Min(options.Existing, state.Settings.Max ?? int.MaxValue));
        var targetThreads = Math.Max(state.Settings.Min, pool.Existing);
        state = state with
        {
            TargetThreads = targetThreads,
            Existing = pool.Existing,
            QueueLength = 0,
            Outstanding = false,
            TaskWaits = 0,
        };
    }

    int TargetThreads => state.TargetThreads ?? state.Settings.Min;

    /// <summary>Runs <paramref name="items"/> under <paramref name="policy"/>.</summary>
    public static WhatIfResult Of(IInjectionPolicy policy, WhatIfOptions options, IReadOnlyList<WhatIfItem> items) =>
        new WhatIfRun(policy, options, items).Run();

    WhatIfResult Run()
    {
        while (!pool.AllEnded && NextMoment() is { } at && at <= options.Until)
        {
            pool.Advance(at);
            MoveTargetThreads();
            Happen();
            if (policy.NextCheck(state) is { } check && check.At <= at)
            {
                Tick(check with { At = at });
                Happen();
            }
        }

        return new() { Items = [.. pool.Spans], Curve = curve.ToImmutable(), Adjustments = adjustments.ToImmutable() };
    }

    EventTime? NextMoment()
    {
        var next = Earlier(pool.Next(), moved < options.Moves.Length ? options.Moves[moved].At : null);
        return policy.NextCheck(state) is not { } check || next < check.At ? next
            : check.At > pool.Now ? check.At
            : pool.Now;
    }

    static EventTime? Earlier(EventTime? one, EventTime? other) => one is null || other < one ? other : one;

    void MoveTargetThreads()
    {
        for (; moved < options.Moves.Length && options.Moves[moved] is var move && move.At <= pool.Now; moved++)
        {
            var most = state.Settings.Max ?? int.MaxValue;
            var targetThreads = Math.Max(Math.Min(TargetThreads + move.By, most), Math
                .Min(Math.Min(state.Settings.Min, TargetThreads), most));
            Apply(new PoolInput.TargetThreadsSeen(pool.Now, targetThreads, move.Reason));
        }
    }

    // Worker threads come before arrivals, and both before the gate thread: everything at the time of a gate check has happened when it
    // runs.
    void Happen()
    {
        pool.Work(TargetThreads);
        pool.Arrive();
        WakeGate();
        pool.Release(TargetThreads);
        pool.Work(TargetThreads);
        Tell();
        Draw();
    }

    void WakeGate()
    {
        if (pool.Arrived > arrivedBefore && state.LastCheck is null)
        {
            Apply(new PoolInput.GateBegan(pool.Now));
            lastCheck = pool.Now;
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

        Apply(new PoolInput.QueueLengthSeen(pool.Now, pool.QueueLength));
        Apply(new PoolInput.TaskWaitsSeen(pool.Now, pool.TaskWaits));
        (arrivedBefore, dequeuedBefore) = (pool.Arrived, pool.Dequeued);
    }

    void Tick(PoolCheck check)
    {
        if (check.Kind == GateCheckKind.Periodic)
        {
            var elapsed = Math.Max(1, check.At.MsSince(lastCheck) * options.Pool.Processors);
            Apply(new PoolInput.Counted(check.At, Completed: false, pool.TakeComputedMs() / elapsed, pool.QueueLength > 0));
            lastCheck = check.At;
        }

        var decision = policy.Decide(state, check);
        var targetThreads = Change(check, decision);
        state = GateWalk.After(policy, state, check, targetThreads);
        if (targetThreads is { } changed)
        {
            adjustments.Add(new(check.At, check.Kind, decision.Mechanism, changed));
        }

        if (check.Kind == GateCheckKind.Periodic)
        {
            SleepWhenIdle();
        }
    }

    // A starvation injection adds to the working threads: while fewer than the target thread count work, another thread is starting
    // already.
    int? Change(PoolCheck check, Decision decision) => (decision.Kind, check.Kind) switch
    {
        (DecisionKind.Add, GateCheckKind.Periodic) => pool.Working >= TargetThreads ? pool.Working + 1 : null,
        (DecisionKind.Add, _) => TargetThreads + decision.Workers,
        (DecisionKind.Lower, _) => TargetThreads - decision.Workers,
        _ => null,
    };

    void SleepWhenIdle()
    {
        idleChecks = pool.QueueLength == 0 && pool.Arrived == arrivedAtCheck ? idleChecks + 1 : 0;
        arrivedAtCheck = pool.Arrived;
        if (idleChecks >= policy.IdleChecksBeforeSleep && state.CooperativeDue is null)
        {
            Apply(new PoolInput.GateLost(pool.Now));
            idleChecks = 0;
        }
    }

    void Draw()
    {
        var point = new WhatIfPoint(pool.Now, pool.Existing, pool.QueueLength);
        if (curve.Count > 0 && curve[^1].At == point.At)
        {
            curve[^1] = point;
        }
        else if (curve.Count == 0 || curve[^1].Workers != point.Workers || curve[^1].QueueLength != point.QueueLength)
        {
            curve.Add(point);
        }
    }

    void Apply(PoolInput input) => state = policy.Apply(state, input);
}
