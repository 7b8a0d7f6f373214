namespace Tpwatch.WhatIf;

/// <summary>
/// Queue, worker threads and processors of a simulated pool; the caller decides the number of worker threads. There is one shared queue,
/// first in, first out; computing worker threads share the processors evenly. A timer that ends a task wait goes before the queue. If
/// <paramref name="endless"/>, as in a drain, the first item is queued again and again.
/// </summary>
sealed class SimulatedPool(IReadOnlyList<SimulatedItem> items, SimulationOptions options, bool endless = false)
{
    // Remaining run time that counts as zero, milliseconds: event times are rounded to whole nanoseconds.
    const double NothingMs = 1e-6;

    readonly Queue<(int Item, SimulatedWorker? Ends)> queue = new();
    readonly SimulatedTimers timers = new(options.Pool.Processors);
    readonly List<SimulatedWorker> over = [];

    // running: computing worker threads, by the value of workMs at which each completes. ending: the others, by the end of their phase.
    readonly PriorityQueue<SimulatedWorker, double> running = new();
    readonly PriorityQueue<SimulatedWorker, EventTime> ending = new();
    readonly PriorityQueue<int, int> idle = new();
    readonly SimulatedItemTimes[] spans = [.. items.Select(item => new SimulatedItemTimes(item.Queued, null, null, null))];
    readonly int[] arrivals = [.. Enumerable.Range(0, items.Count).OrderBy(index => items[index].Queued)];
    int arrived;
    int ended;
    int starting;
    int released;
    double computedMs;

    // Processor time of a thread that has computed all the time, milliseconds; reset to zero while no thread computes.
    double workMs;
    EventTime rampedTo;
    EventTime servedTo;

    public EventTime Now { get; private set; }

    public int Existing { get; private set; }

    /// <summary>Number of worker threads that work or are starting.</summary>
    public int Working { get; private set; }

    public int QueueLength => endless ? int.MaxValue : queue.Count + timers.Waiting;
    public int TaskWaits { get; private set; }
    public bool AllEnded => !endless && ended == items.Count;
    public IReadOnlyList<SimulatedItemTimes> Spans => spans;

    public int Arrived => arrived;

    public int Dequeued { get; private set; }
    public EventTime LastDequeue { get; private set; }

    double Share => Math.Min(1, (double)options.Pool.Processors / Math.Max(1, running.Count));

    /// <summary>Returns the earlier of two moments; null when there is none.</summary>
    public static EventTime? Earlier(EventTime? one, EventTime? other) => one is null || other < one ? other : one;

    /// <summary>
    /// Returns the next time at which a phase ends or an item arrives; null when there is none. The gate thread is not included.
    /// </summary>
    public EventTime? Next()
    {
        var next = arrived < arrivals.Length ? items[arrivals[arrived]].Queued : (EventTime?)null;
        if (running.TryPeek(out _, out var work) && double.IsFinite(work))
        {
            next = Earlier(next, Now.PlusMs((work - workMs) / Share));
        }

        return ending.TryPeek(out _, out var ends) ? Earlier(next, ends) : next;
    }

    /// <summary>Advances the time; nothing may be due before <paramref name="to"/>.</summary>
    public void Advance(EventTime to)
    {
        var ms = to.MsSince(Now);
        computedMs += ms * Math.Min(running.Count, options.Pool.Processors);
        // Restarts at zero when no thread computes: a sum over the whole event time would lose digits.
        workMs = running.Count == 0 ? 0 : workMs + ms * Share;
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
        while (running.TryPeek(out var computes, out var work) && work - workMs <= NothingMs)
        {
            over.Add(computes);
            running.Dequeue();
        }

        while (ending.TryPeek(out var waits, out var ends) && ends <= Now)
        {
            over.Add(waits);
            ending.Dequeue();
        }

        if (over.Count > 1)
        {
            over.Sort((one, other) => one.Order.CompareTo(other.Order));
        }

        foreach (var worker in over)
        {
            while (Step(worker, targetThreads))
            {
            }
        }

        over.Clear();
    }

    /// <summary>
    /// Starts idle worker threads, then new ones, while fewer than <paramref name="targetThreads"/> work and an item has no thread.
    /// </summary>
    public void Release(int targetThreads)
    {
        while (Working < targetThreads && starting < QueueLength)
        {
            Working++;
            starting++;
            var isIdle = idle.TryDequeue(out var number, out _);
            ending.Enqueue(new(isIdle ? number : Existing, released++), isIdle ? Now : StartOfNew());
            Existing += isIdle ? 0 : 1;
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

    /// <summary>Creates the worker threads that exist at the beginning of a drain: busy, or idle.</summary>
    public void Begin(QueueDrainState given)
    {
        // EnqueueRange adds all at once: single calls cost more than linear time, and a large pool has thousands of worker threads.
        ending.EnqueueRange(given.FreeMs.Where(double.IsFinite).Select(
            (at, order) => (new SimulatedWorker(order, order) { Phase = WorkerPhase.Blocked }, given.At.PlusMs(Math.Max(0, at)))));
        released = Existing = Working = given.FreeMs.Length;
        Begin(given.State.Existing ?? 0);
    }

    /// <summary>Returns the processor time used since the previous call, milliseconds.</summary>
    public double TakeComputedMs() => (computedMs, computedMs = 0).Item1;

    // Moves a worker thread to its next phase, and returns whether that phase ends at once.
    bool Step(SimulatedWorker worker, int targetThreads)
    {
        if (worker.HangsOn())
        {
            // Each processor has a timer list. An item's timer may be in any of them, so the number of the item selects one.
            timers.Due(worker.Item!.Value, worker);
            return false;
        }

        if (worker.BlocksNext)
        {
            Block(worker);
            return false;
        }

        starting -= worker.Phase == WorkerPhase.Starting ? 1 : 0;
        TaskWaits -= worker.Phase == WorkerPhase.TaskWait ? 1 : 0;
        if (worker.Item is { } item)
        {
            worker.Item = null;
            End(item);
        }

        if (Working > targetThreads || !Take(worker))
        {
            Working--;
            idle.Enqueue(worker.Number, worker.Number);
            return false;
        }

        if (worker.RunMs > NothingMs)
        {
            running.Enqueue(worker, workMs + worker.RunMs);
        }

        return worker.RunMs <= NothingMs;
    }

    void Block(SimulatedWorker worker)
    {
        worker.Block();
        TaskWaits += worker.Phase == WorkerPhase.TaskWait ? 1 : 0;
        if (ServedAfterMs(items[worker.Item!.Value].BlockMs) is var ms && double.IsFinite(ms))
        {
            ending.Enqueue(worker, Now.PlusMs(ms));
        }
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

    bool Take(SimulatedWorker worker)
    {
        while (timers.Take() is { } due)
        {
            (Dequeued, LastDequeue) = (Dequeued + 1, Now);
            ending.Enqueue(due.First, Now);
            Array.ForEach(due.Others, other => queue.Enqueue((0, other)));
        }

        (int Item, SimulatedWorker? Ends) next = default;
        while (endless || queue.TryDequeue(out next))
        {
            (Dequeued, LastDequeue) = (Dequeued + 1, Now);
            if (next.Ends is null)
            {
                spans[next.Item] = spans[next.Item] with { Started = Now, Worker = worker.Number };
                worker.Take(next.Item, items[next.Item]);
                return true;
            }

            ending.Enqueue(next.Ends, Now);
        }

        return false;
    }
}

/// <summary>
/// The timers that end task waits. The runtime keeps one timer list per processor. A list with a due timer is one work item that goes
/// before the queue. This work item ends the first wait itself and queues the ends of the others behind all waiting items. So while the
/// queue is long, task waits last longer than the tasks. Source: TimerQueue.FireNextTimers of dotnet/runtime, confirmed by measured runs.
/// </summary>
sealed class SimulatedTimers(int lists)
{
    readonly Queue<SimulatedWorker>[] due = [.. Enumerable.Range(0, Math.Max(1, lists)).Select(_ => new Queue<SimulatedWorker>())];
    readonly Queue<int> fired = new();

    /// <summary>Number of lists with a due timer; each is one waiting item.</summary>
    public int Waiting => fired.Count;

    /// <summary>Adds the due timer of a worker thread's wait to the list that <paramref name="number"/> maps to.</summary>
    public void Due(int number, SimulatedWorker worker)
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
    public (SimulatedWorker First, SimulatedWorker[] Others)? Take()
    {
        if (!fired.TryDequeue(out var list))
        {
            return null;
        }

        var first = due[list].Dequeue();
        SimulatedWorker[] others = [.. due[list]];
        due[list].Clear();
        return (first, others);
    }
}

/// <summary>The phase of a worker thread that is not idle.</summary>
enum WorkerPhase
{
    Starting,
    Running,
    Blocked,
    TaskWait,
}

/// <summary>A worker thread of a simulated pool that is not idle.</summary>
/// <param name="number">The number of the thread; a thread keeps its number while it is idle.</param>
/// <param name="order">Worker threads whose phases end at the same time go on in this order.</param>
sealed class SimulatedWorker(int number, int order)
{
    public int Number { get; } = number;
    public int Order { get; } = order;
    public WorkerPhase Phase { get; set; } = WorkerPhase.Starting;
    public int? Item { get; set; }

    SimulatedItem work;
    bool told;

    public double RunMs => work.RunMs;

    public void Take(int item, SimulatedItem what) => (Item, work, Phase, told) = (item, what, WorkerPhase.Running, false);

    /// <summary>Whether the time of a task wait is over, and its task now needs a worker thread to end; true only once per item.</summary>
    public bool HangsOn() => Phase == WorkerPhase.TaskWait && work.Blocking == Blocking.PoolTask && !told && (told = true);

    public bool BlocksNext => Phase == WorkerPhase.Running && work.BlockMs > 0 && work.Blocking != Blocking.Awaits;

    public void Block() => Phase = work.Blocking == Blocking.Unseen ? WorkerPhase.Blocked : WorkerPhase.TaskWait;
}

/// <summary>How an item holds its worker thread while it does not compute.</summary>
enum Blocking
{
    /// <summary>A sleep, a lock or a socket, which the pool cannot detect.</summary>
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
readonly record struct SimulatedItem(EventTime Queued, double RunMs, double BlockMs, Blocking Blocking = Blocking.Unseen);
