using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Simulates given arrivals under a policy: passes the events of the simulated pool to the policy and applies the policy's decisions. The
/// simulation uses event time only, so equal input gives an equal run. Hill climbing and the timeout of idle worker threads are not
/// simulated, as each result states.
/// </summary>
sealed class PoolSimulator
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

    PoolSimulator(IInjectionPolicy policy, WhatIfOptions options, IReadOnlyList<WhatIfItem> items)
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

    /// <summary>Simulates <paramref name="items"/> under <paramref name="policy"/>.</summary>
    public static WhatIfResult Of(IInjectionPolicy policy, WhatIfOptions options, IReadOnlyList<WhatIfItem> items) =>
        new PoolSimulator(policy, options, items).Run();

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

    // Worker threads come before arrivals, and both before the gate thread: when a gate check runs, everything else at that time has
    // happened.
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

    // A starvation injection adds to the working threads. While fewer threads than the target thread count work, another thread is already
    // starting.
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

/// <summary>
/// Queue, worker threads and processors of a simulated pool. There is one shared queue, first in, first out; computing worker threads share
/// the processors evenly. The end of a task wait goes before the queue. The number of worker threads is not decided here.
/// </summary>
sealed class WhatIfPool(IReadOnlyList<WhatIfItem> items, WhatIfOptions options)
{
    readonly Queue<(int Item, WhatIfWorker? Ends)> queue = new();
    readonly WhatIfTimers timers = new(options.Pool.Processors);
    readonly List<WhatIfWorker> working = [];
    readonly PriorityQueue<int, int> idle = new();
    readonly WhatIfSpan[] spans = [.. items.Select(item => new WhatIfSpan(item.Queued, null, null, null))];
    readonly int[] arrivals = [.. Enumerable.Range(0, items.Count).OrderBy(index => items[index].Queued)];
    int arrived;
    int ended;
    double computedMs;
    EventTime rampedTo;
    EventTime servedTo;

    public EventTime Now { get; private set; }

    /// <summary>Number of existing worker threads.</summary>
    public int Existing { get; private set; }

    /// <summary>Number of worker threads that work or are about to.</summary>
    public int Working => working.Count;

    public int QueueLength => queue.Count + timers.Waiting;
    public int TaskWaits => working.Count(worker => worker.Phase == WorkerPhase.TaskWait);
    public bool AllEnded => ended == items.Count;
    public IReadOnlyList<WhatIfSpan> Spans => spans;

    /// <summary>Number of items queued so far.</summary>
    public int Arrived => arrived;

    /// <summary>Number of items taken so far.</summary>
    public int Dequeued { get; private set; }

    double Share => Math.Min(1, (double)options.Pool.Processors / Math.Max(1, Computing));
    int Computing => working.Count(worker => worker.Phase == WorkerPhase.Running);

    /// <summary>
    /// Returns the next time at which a phase ends or an item arrives; null when there is none. The gate thread is not included.
    /// </summary>
    public EventTime? Next()
    {
        var share = Share;
        var ends = working.Select(worker => worker.Ends(Now, share));
        return (arrived < arrivals.Length ? ends.Append(items[arrivals[arrived]].Queued) : ends).Cast<EventTime?>().Min();
    }

    /// <summary>Advances the time; nothing may be due before <paramref name="to"/>.</summary>
    public void Advance(EventTime to)
    {
        var (share, ms) = (Share, to.MsSince(Now));
        computedMs += ms * Math.Min(Computing, options.Pool.Processors);
        working.ForEach(worker => worker.Compute(ms * share));
        Now = to;
    }

    /// <summary>Queues the items that are due.</summary>
    public void Arrive()
    {
        while (arrived < arrivals.Length && items[arrivals[arrived]].Queued <= Now)
        {
            queue.Enqueue((arrivals[arrived++], null));
        }
    }

    /// <summary>
    /// Advances every worker thread whose phase is over. While more than <paramref name="targetThreads"/> threads work, a thread stops
    /// after its item.
    /// </summary>
    public void Work(int targetThreads)
    {
        foreach (var worker in working.Where(worker => worker.Over(Now)).ToArray())
        {
            while (worker.Over(Now) && Step(worker, targetThreads))
            {
            }
        }
    }

    /// <summary>
    /// Starts idle worker threads, then new ones, while fewer than <paramref name="targetThreads"/> work and an item has no thread.
    /// </summary>
    public void Release(int targetThreads)
    {
        while (working.Count < targetThreads && working.Count(worker => worker.Phase == WorkerPhase.Starting) < QueueLength)
        {
            working.Add(
                idle.TryDequeue(out var number, out _) ? new WhatIfWorker(number, Now) : new WhatIfWorker(Existing++, StartOfNew()));
        }
    }

    // Each new worker thread requests the next one, so new threads start one after another.
    EventTime StartOfNew() => rampedTo = EventTime.Max(Now.PlusMs(options.StartMs), rampedTo.PlusMs(options.RampMs));

    /// <summary>Creates the worker threads that exist at the beginning, all of them idle.</summary>
    public void Begin(int workers)
    {
        for (; Existing < workers; Existing++)
        {
            idle.Enqueue(Existing, Existing);
        }
    }

    /// <summary>Returns the processor time used since the previous call, milliseconds.</summary>
    public double TakeComputedMs() => (computedMs, computedMs = 0).Item1;

    // Returns false when the worker thread has nothing more to do.
    bool Step(WhatIfWorker worker, int targetThreads)
    {
        if (worker.Phase != WorkerPhase.Starting)
        {
            if (worker.HangsOn())
            {
                // Each processor has a timer list, and the list that an item's timer belongs to is as good as random.
                timers.Due(worker.Item!.Value, worker);
                return false;
            }

            var item = worker.Item!.Value;
            if (worker.BlocksNext)
            {
                worker.Block(Now, ServedAfterMs(items[item].BlockMs));
                return true;
            }

            worker.Leave();
            End(item);
        }

        return (working.Count <= targetThreads && Take(worker)) || Stop(worker);
    }

    // The work of an item after an await is assumed to take no time.
    void End(int item)
    {
        var awaitedMs = items[item] is { Blocking: Blocking.Awaits, BlockMs: > 0 and var ms } ? ServedAfterMs(ms) : 0;
        spans[item] = spans[item] with { Ended = double.IsPositiveInfinity(awaitedMs) ? null : Now.PlusMs(awaitedMs) };
        ended++;
    }

    // A resource that serves one item at a time serves items in the order in which they come.
    double ServedAfterMs(double ms)
    {
        if (options.ServiceMs is not { } service || double.IsPositiveInfinity(ms))
        {
            return ms;
        }

        servedTo = EventTime.Max(servedTo, Now).PlusMs(service);
        return servedTo.MsSince(Now);
    }

    bool Take(WhatIfWorker worker)
    {
        while (timers.Take() is { } due)
        {
            Dequeued++;
            due.First.Wake(Now);
            Array.ForEach(due.Others, other => queue.Enqueue((0, other)));
        }

        while (queue.TryDequeue(out var next))
        {
            Dequeued++;
            if (next.Ends is null)
            {
                spans[next.Item] = spans[next.Item] with { Started = Now, Worker = worker.Number };
                worker.Take(next.Item, items[next.Item]);
                return true;
            }

            next.Ends.Wake(Now);
        }

        return false;
    }

    bool Stop(WhatIfWorker worker)
    {
        working.Remove(worker);
        idle.Enqueue(worker.Number, worker.Number);
        return false;
    }
}

/// <summary>
/// The timers that end task waits. The runtime keeps one timer list per processor. A list with a due timer is one work item that goes
/// before the queue. This work item ends the first wait itself and queues the ends of the others behind all waiting items. So while the
/// queue is long, task waits last longer than the tasks. Source: TimerQueue.FireNextTimers of dotnet/runtime, confirmed by measured runs.
/// </summary>
sealed class WhatIfTimers(int lists)
{
    readonly Queue<WhatIfWorker>[] due = [.. Enumerable.Range(0, Math.Max(1, lists)).Select(_ => new Queue<WhatIfWorker>())];
    readonly Queue<int> fired = new();

    /// <summary>Number of lists with a due timer; each is one waiting item.</summary>
    public int Waiting => fired.Count;

    /// <summary>Adds the due timer of a worker thread's wait to the list that <paramref name="number"/> maps to.</summary>
    public void Due(int number, WhatIfWorker worker)
    {
        var list = number % due.Length;
        due[list].Enqueue(worker);
        if (due[list].Count == 1)
        {
            fired.Enqueue(list);
        }
    }

    /// <summary>
    /// Takes the next list for a worker thread: the first wait of the list ends, and the ends of the other waits are queued like items.
    /// Null when no list has a due timer.
    /// </summary>
    public (WhatIfWorker First, WhatIfWorker[] Others)? Take()
    {
        if (!fired.TryDequeue(out var list))
        {
            return null;
        }

        var first = due[list].Dequeue();
        WhatIfWorker[] others = [.. due[list]];
        due[list].Clear();
        return (first, others);
    }
}

/// <summary>The phase of a worker thread that is allowed to work.</summary>
enum WorkerPhase
{
    Starting,
    Running,
    Blocked,
    TaskWait,
}

/// <summary>A working worker thread of a simulated pool.</summary>
sealed class WhatIfWorker(int number, EventTime startsAt)
{
    /// <summary>A time after the end of any simulation.</summary>
    static readonly EventTime Never = new(long.MaxValue);

    // An event time is a whole number of nanoseconds, so after rounding less than one nanosecond of a run is left.
    const double NothingMs = 1e-6;

    public int Number { get; } = number;
    public WorkerPhase Phase { get; private set; } = WorkerPhase.Starting;
    public int? Item { get; private set; }

    EventTime until = startsAt;
    double leftMs;
    WhatIfItem work;
    bool told;

    /// <summary>Returns when the phase ends if the thread has <paramref name="share"/> of a processor from now on.</summary>
    public EventTime Ends(EventTime now, double share) =>
        Phase != WorkerPhase.Running ? until
        : double.IsPositiveInfinity(leftMs) ? Never
        : now.PlusMs(leftMs / share);

    public bool Over(EventTime now) => Phase == WorkerPhase.Running ? leftMs <= NothingMs : until <= now;

    public void Compute(double ms) => leftMs -= Phase == WorkerPhase.Running ? ms : 0;

    public void Take(int item, WhatIfItem what) => (Item, work, leftMs, Phase, told) = (item, what, what.RunMs, WorkerPhase.Running, false);

    /// <summary>Whether the awaited task now needs a worker thread to end, because the time of the wait is over; true only once.</summary>
    public bool HangsOn()
    {
        var hangs = Phase == WorkerPhase.TaskWait && work.Blocking == Blocking.PoolTask && !told;
        (told, until) = hangs ? (true, Never) : (told, until);
        return hangs;
    }

    /// <summary>Handles the end of the awaited task.</summary>
    public void Wake(EventTime now) => until = now;

    public bool BlocksNext => Phase == WorkerPhase.Running && work.BlockMs > 0 && work.Blocking != Blocking.Awaits;

    /// <summary>Handles the completion of the item.</summary>
    public void Leave() => Item = null;

    /// <summary>Blocks for <paramref name="ms"/> milliseconds.</summary>
    public void Block(EventTime now, double ms)
    {
        Phase = work.Blocking == Blocking.Unseen ? WorkerPhase.Blocked : WorkerPhase.TaskWait;
        until = double.IsPositiveInfinity(ms) ? Never : now.PlusMs(ms);
    }
}

/// <summary>How an item holds its worker thread while it does not compute.</summary>
enum Blocking
{
    /// <summary>A sleep, a lock, a socket: the pool cannot detect it.</summary>
    Unseen,

    /// <summary>A wait for a task, which the pool of .NET 6 and later detects.</summary>
    TaskWait,

    /// <summary>A wait for a task whose end is itself work for the pool, such as the end of a timer.</summary>
    PoolTask,

    /// <summary>No blocking: the item awaits and releases its worker thread meanwhile.</summary>
    Awaits,
}

/// <summary>A work item of a simulation.</summary>
/// <param name="Queued">When the item is queued.</param>
/// <param name="RunMs">Processor time that the item uses, milliseconds; infinite for an item that never completes.</param>
/// <param name="BlockMs">How long the item then blocks, milliseconds; infinite for an item that never completes.</param>
/// <param name="Blocking">How the item blocks.</param>
readonly record struct WhatIfItem(EventTime Queued, double RunMs, double BlockMs, Blocking Blocking = Blocking.Unseen);

/// <summary>The conditions under which a policy is simulated.</summary>
/// <param name="Pool">Processors, MinThreads and MaxThreads.</param>
/// <param name="Until">Time at which the simulation ends even if items remain.</param>
sealed record WhatIfOptions(PoolSettings Pool, EventTime Until)
{
    /// <summary>Time from the decision to add a worker thread to its first item, milliseconds. An existing thread takes none.</summary>
    public double StartMs { get; init; } = GateTiming.InjectionToDequeue;

    /// <summary>Time from the start of a new worker thread, which requests the next one, to the next start, milliseconds.</summary>
    public double RampMs { get; init; }

    /// <summary>
    /// Time that the awaited resource takes for each item if it serves one item at a time, milliseconds. Null if it serves all items at
    /// once, each for its own time.
    /// </summary>
    public double? ServiceMs { get; init; }

    /// <summary>Number of worker threads that exist at the beginning.</summary>
    public int Existing { get; init; }

    /// <summary>Observed changes of the target thread count that the simulation repeats, in time order.</summary>
    public ImmutableArray<WhatIfMove> Moves { get; init; } = [];
}

/// <summary>An observed change of the target thread count that the simulation repeats.</summary>
/// <param name="At">Time of the change.</param>
/// <param name="By">Number of worker threads by which the count changes, within MinThreads and MaxThreads.</param>
/// <param name="Reason">The reason given by the runtime.</param>
readonly record struct WhatIfMove(EventTime At, int By, AdjustmentReason Reason);

/// <summary>The times and the worker thread of one item; null for times after the end of the simulation.</summary>
readonly record struct WhatIfSpan(EventTime Queued, EventTime? Started, EventTime? Ended, int? Worker)
{
    /// <summary>Time from queued to started, milliseconds; null when the item never started.</summary>
    public double? StartDelayMs => Started?.MsSince(Queued);
}

/// <summary>One point of the curve: the number of worker threads and the queue length from <paramref name="At"/> on.</summary>
readonly record struct WhatIfPoint(EventTime At, int Workers, int QueueLength);

/// <summary>A change of the target thread count by the gate thread.</summary>
readonly record struct WhatIfAdjustment(EventTime At, GateCheckKind Kind, Mechanism Mechanism, int TargetThreads);

/// <summary>The result of a simulation under one policy. Hill climbing and the timeout of idle worker threads are not simulated.</summary>
sealed record WhatIfResult
{
    /// <summary>The times of the items, in the order in which the items were given.</summary>
    public required ImmutableArray<WhatIfSpan> Items { get; init; }

    /// <summary>Number of worker threads and queue length at each change.</summary>
    public required ImmutableArray<WhatIfPoint> Curve { get; init; }

    /// <summary>The changes of the target thread count by the gate thread.</summary>
    public required ImmutableArray<WhatIfAdjustment> Adjustments { get; init; }

    /// <summary>Time from the first item queued to the last one completed, milliseconds; null when some had not completed.</summary>
    public double? TotalMs => Items.Length > 0 && Items.All(item => item.Ended is not null)
        ? Items.Max(item => item.Ended!.Value).MsSince(Items.Min(item => item.Queued))
        : null;

    /// <summary>Returns the number of worker threads at <paramref name="at"/>.</summary>
    public int WorkersAt(EventTime at) => Curve.LastOrDefault(point => point.At <= at).Workers;

    /// <summary>Returns the queue length at <paramref name="at"/>.</summary>
    public int QueueLengthAt(EventTime at) => Curve.LastOrDefault(point => point.At <= at).QueueLength;
}
