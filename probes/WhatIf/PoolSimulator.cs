using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Simulates a pool under a policy: passes the events of the simulated pool to the policy and applies the policy's decisions. A what-if
/// supplies items; a forecast supplies an observed state, from which the queue drains. The simulation uses event time only, so equal input
/// gives an equal run. Hill climbing and the timeout of idle worker threads are not simulated, as each result states.
/// </summary>
sealed class PoolSimulator
{
    /// <summary>Maximum number of items of a drain that are simulated one by one; this takes a fraction of a millisecond.</summary>
    const int MostItems = 2000;

    /// <summary>Maximum number of simulated gate checks of a drain: twenty minutes of simulated time.</summary>
    const int MostChecks = 2400;

    /// <summary>Minimum run time of an item in a drain, milliseconds; a forecast's lower bound of the run time can be zero.</summary>
    const double ShortestRunMs = 0.001;

    readonly IInjectionPolicy policy;
    readonly SimulationOptions options;
    readonly QueueDrainState? drain;
    readonly SimulatedPool pool;
    readonly ImmutableArray<SimulatedPoint>.Builder curve = ImmutableArray.CreateBuilder<SimulatedPoint>();
    readonly ImmutableArray<SimulatedAdjustment>.Builder adjustments = ImmutableArray.CreateBuilder<SimulatedAdjustment>();
    PoolState state;
    int arrivedBefore;
    int arrivedAtCheck;
    int dequeuedBefore;
    int idleChecks;
    EventTime lastCheck;
    int moved;
    int checks;

    PoolSimulator(IInjectionPolicy policy, SimulationOptions options, IReadOnlyList<SimulatedItem> items)
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

    // For a drain, processor use and waiting items come from the observed state; a simulation of items computes both.
    PoolSimulator(IInjectionPolicy policy, QueueDrainState given)
    {
        (this.policy, drain, options) = (policy, given, new(given.State.Settings, new(long.MaxValue)));
        pool = new([new(given.At, 0, given.RunMs)], options, endless: true);
        pool.Begin(given);
        // The start lies in the middle between two gate checks; any other position gives equally exact forecasts. If fewer threads work
        // than the target thread count permits, the others did not start although items waited. So none of them starts here.
        state = given.State with
        {
            TargetThreads = pool.Working,
            LastCheck = given.At.PlusMs(-GateTiming.AfterHold / 2),
            CheckPeriodMs = GateTiming.AfterHold,
            CooperativeDue = given.State.CooperativeDue < given.At ? null : given.State.CooperativeDue,
            LastDequeue = given.At.PlusMs(given.LastDequeueMs
                ?? given.FreeMs.Select(at => at - given.RunMs).Where(at => at <= 0).DefaultIfEmpty(0).Max()),
            CheckBeforeDequeue = null,
            DequeuedUnseen = false,
            QueueLength = pool.QueueLength,
            Outstanding = true,
        };
    }

    // At MaxThreads, no gate check of a drain adds a thread. So no checks are simulated, even if items hang for hours.
    InjectionCheck? NextCheck => drain is { State: var start } && (start.IsAtMax || state.IsAtMax) ? null : policy.NextCheck(state);

    int TargetThreads => state.TargetThreads ?? state.Settings.Min;

    public static SimulationResult Of(IInjectionPolicy policy, SimulationOptions options, IReadOnlyList<SimulatedItem> items) =>
        new PoolSimulator(policy, options, items).Run();

    /// <summary>
    /// Simulates how a queue drains, first in, first out. After <see cref="MostItems"/> items, the rest drains at the rate of that time.
    /// </summary>
    public static QueueDrain Drain(IInjectionPolicy policy, QueueDrainState given)
    {
        // With a run time of zero, the simulation would take items forever at the same moment.
        var lasting = given with { RunMs = given.RunMs > ShortestRunMs ? given.RunMs : ShortestRunMs };
        return new PoolSimulator(policy, lasting).Run(lasting);
    }

    SimulationResult Run()
    {
        while (Step())
        {
            Draw();
        }

        return new() { Items = [.. pool.Spans], Curve = curve.ToImmutable(), Adjustments = adjustments.ToImmutable() };
    }

    QueueDrain Run(QueueDrainState given)
    {
        var (startDelay, gone, at, arrivals) = (double.PositiveInfinity, double.PositiveInfinity, 0.0, given.ArrivalsPerMs);
        while (double.IsInfinity(Math.Max(startDelay, gone)) && pool.Dequeued < MostItems && checks < MostChecks && Step())
        {
            at = Math.Max(0, pool.LastDequeue.MsSince(given.At));
            startDelay = pool.Dequeued > given.QueueLength ? Math.Min(startDelay, at) : startDelay;
            gone = pool.Dequeued >= given.QueueLength + arrivals * at ? Math.Min(gone, at) : gone;
        }

        // When too many items remain to simulate or items run for too long, the rest drains at the rate of the existing worker threads.
        var (rate, left) = (pool.Working / given.RunMs, given.QueueLength - pool.Dequeued);
        return new(
            rate > 0 ? Math.Min(startDelay, at + Math.Max(0, left + 1) / rate) : startDelay,
            rate > arrivals ? Math.Min(gone, at + Math.Max(0, left + arrivals * at) / (rate - arrivals)) : gone,
            adjustments.Count);
    }

    // Simulates the next moment at which something happens; false when nothing more happens.
    bool Step()
    {
        if (pool.AllEnded || NextMoment() is not { } at || at > options.Until)
        {
            return false;
        }

        pool.Advance(at);
        MoveTargetThreads();
        Happen();
        if (NextCheck is { } check && check.At <= at)
        {
            Tick(check with { At = at });
            Happen();
        }

        return true;
    }

    EventTime? NextMoment()
    {
        var next = SimulatedPool.Earlier(pool.Next(), moved < options.Moves.Length ? options.Moves[moved].At : null);
        return NextCheck is not { } check || next < check.At ? next
            : check.At > pool.Now ? check.At
            : pool.Now;
    }

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

    // Simulates what happens at one moment: worker threads first, then arrivals. A gate check at the same moment comes last.
    void Happen()
    {
        pool.Work(TargetThreads);
        pool.Arrive();
        WakeGate();
        pool.Release(TargetThreads);
        pool.Work(TargetThreads);
        Tell();
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
        if (pool.Existing > state.Existing)
        {
            Apply(new PoolInput.WorkersSeen(pool.Now, pool.Existing));
        }

        // The task waits of an observed pool are not known. The policy then expects one compensation after another.
        if (state.TaskWaits is not null)
        {
            Apply(new PoolInput.TaskWaitsSeen(pool.Now, pool.TaskWaits));
        }

        arrivedBefore = pool.Arrived;
    }

    // Only gate checks depend on these inputs, so the newest ones before a check are enough.
    void TellBefore(InjectionCheck check)
    {
        if (pool.Dequeued > dequeuedBefore)
        {
            Apply(new PoolInput.Dequeued(pool.LastDequeue));
            dequeuedBefore = pool.Dequeued;
        }

        if (drain is null)
        {
            Apply(new PoolInput.QueueLengthSeen(pool.Now, pool.QueueLength));
        }

        if (drain is null && check.Kind == GateWakeReason.Periodic)
        {
            var elapsed = Math.Max(1, check.At.MsSince(lastCheck) * options.Pool.Processors);
            Apply(new PoolInput.Counted(check.At, Completed: false, pool.TakeComputedMs() / elapsed, pool.QueueLength > 0));
            lastCheck = check.At;
        }
    }

    void Tick(InjectionCheck check)
    {
        checks++;
        TellBefore(check);
        var decision = drain is { AtEveryCheck: true } ? new(DecisionKind.Add, Mechanism.None) : policy.Decide(state, check);
        var targetThreads = Change(check, decision);
        state = policy.After(state, check, targetThreads);
        if (targetThreads is { } changed)
        {
            adjustments.Add(new(check.At, check.Kind, decision.Mechanism, changed));
        }

        if (check.Kind == GateWakeReason.Periodic)
        {
            SleepWhenIdle();
        }
    }

    // A starvation injection adds one to the number of working threads. If that number is below the target thread count, another thread is
    // already starting.
    int? Change(InjectionCheck check, Decision decision) => (decision.Kind, check.Kind) switch
    {
        (DecisionKind.Add, GateWakeReason.Periodic) => pool.Working >= TargetThreads ? pool.Working + 1 : null,
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
        var point = new SimulatedPoint(pool.Now, pool.Existing, pool.QueueLength);
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

/// <summary>A queue, the worker threads that take items from it, and the sources of further items and threads.</summary>
/// <param name="At">The time at which the simulation starts.</param>
/// <param name="FreeMs">When each busy worker thread takes its next item, milliseconds after <paramref name="At"/>.</param>
/// <param name="RunMs">How long an item holds its worker thread, milliseconds: one value for all items, the mean if items differ.</param>
/// <param name="QueueLength">Queue length.</param>
/// <param name="State">The state of the pool at the start, for the policy.</param>
sealed partial record QueueDrainState(EventTime At, ImmutableArray<double> FreeMs, double RunMs, long QueueLength, PoolState State)
{
    /// <summary>
    /// Whether every gate check adds a worker thread, which gives a lower bound of the queue time. Otherwise the policy decides.
    /// </summary>
    public bool AtEveryCheck { get; init; }

    /// <summary>Number of items that arrive per millisecond; used only for the time at which the queue is empty.</summary>
    public double ArrivalsPerMs { get; init; }

    /// <summary>
    /// Time of the last dequeue, milliseconds after <see cref="At"/>, zero or negative; null to derive it from the worker threads.
    /// </summary>
    public double? LastDequeueMs { get; init; }

    /// <summary>
    /// Returns when the worker threads that continue complete their items. Above the target thread count, a thread stops after its item. So
    /// only the last <paramref name="working"/> threads continue.
    /// </summary>
    public static ImmutableArray<double> Working(IEnumerable<double> freeMs, int working) =>
        [.. freeMs.OrderDescending().Take(Math.Max(1, working))];
}

/// <summary>How a queue drained.</summary>
/// <param name="StartDelayMs">Queue time of an item queued at the beginning, milliseconds; infinite when the item never starts.</param>
/// <param name="GoneMs">Time until the queue is empty, milliseconds; infinite when more items arrive than worker threads complete.</param>
/// <param name="Added">Number of worker threads added meanwhile.</param>
readonly record struct QueueDrain(double StartDelayMs, double GoneMs, int Added);

/// <summary>The conditions under which a policy is simulated.</summary>
/// <param name="Pool">Processors, MinThreads and MaxThreads.</param>
/// <param name="Until">Time at which the simulation ends even if items remain.</param>
sealed record SimulationOptions(PoolSettings Pool, EventTime Until)
{
    /// <summary>Time from the decision to add a worker thread to its first item, milliseconds. An existing thread needs no time.</summary>
    public double StartMs { get; init; } = GateTiming.InjectionToDequeue;

    /// <summary>Time between the starts of two new worker threads, milliseconds; each new thread requests the next one.</summary>
    public double RampMs { get; init; }

    /// <summary>
    /// Time that the awaited resource takes for each item if it serves one item at a time, milliseconds. Null if it serves all items at
    /// once, each for its own time.
    /// </summary>
    public double? ServiceMs { get; init; }

    /// <summary>Number of worker threads that exist at the beginning.</summary>
    public int Existing { get; init; }

    /// <summary>Observed changes of the target thread count that the simulation repeats, in time order.</summary>
    public ImmutableArray<ReplayedAdjustment> Moves { get; init; } = [];
}

/// <summary>An observed change of the target thread count that the simulation repeats.</summary>
/// <param name="At">Time of the change.</param>
/// <param name="By">Change of the count, positive or negative; the result stays within MinThreads and MaxThreads.</param>
/// <param name="Reason">The reason given by the runtime.</param>
readonly record struct ReplayedAdjustment(EventTime At, int By, AdjustmentReason Reason);

/// <summary>The times and the worker thread of one item. What did not happen before the end of the simulation is null.</summary>
readonly record struct SimulatedItemTimes(EventTime Queued, EventTime? Started, EventTime? Ended, int? Worker)
{
    /// <summary>Time from queued to started, milliseconds; null when the item never started.</summary>
    public double? StartDelayMs => Started?.MsSince(Queued);
}

/// <summary>One point of the curve: the number of worker threads and the queue length from <paramref name="At"/> on.</summary>
readonly record struct SimulatedPoint(EventTime At, int Workers, int QueueLength);

/// <summary>A change of the target thread count by the gate thread.</summary>
readonly record struct SimulatedAdjustment(EventTime At, GateWakeReason Kind, Mechanism Mechanism, int TargetThreads);

/// <summary>The result of a simulation under one policy. Hill climbing and the timeout of idle worker threads are not simulated.</summary>
sealed partial record SimulationResult
{
    /// <summary>The times of the items, in the order in which the items were given.</summary>
    public required ImmutableArray<SimulatedItemTimes> Items { get; init; }

    /// <summary>Number of worker threads and queue length at each change.</summary>
    public required ImmutableArray<SimulatedPoint> Curve { get; init; }

    /// <summary>The changes of the target thread count by the gate thread.</summary>
    public required ImmutableArray<SimulatedAdjustment> Adjustments { get; init; }

    /// <summary>Time from the first item queued to the last one completed, milliseconds; null when some had not completed.</summary>
    public double? TotalMs => Items.Length > 0 && Items.All(item => item.Ended is not null)
        ? Items.Max(item => item.Ended!.Value).MsSince(Items.Min(item => item.Queued))
        : null;
}
