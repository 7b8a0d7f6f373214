namespace Tpwatch.WhatIf;

/// <summary>
/// Queue, worker threads and processors of a simulated pool: one shared queue, first in, first out; worker threads that compute share the
/// processors evenly. The end of a task wait goes before the queue. It does not decide how many worker threads there should be.
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

    /// <summary>Number of worker threads that exist.</summary>
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
    /// The next time at which something happens without the gate thread: a phase ends or an item arrives; null when there is none.
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
    /// Advances every worker thread whose phase is over; above <paramref name="targetThreads"/> working threads, a thread stops after its
    /// item.
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

    // Each new worker thread requests the next one, so they start one after another.
    EventTime StartOfNew() => rampedTo = EventTime.Max(Now.PlusMs(options.StartMs), rampedTo.PlusMs(options.RampMs));

    /// <summary>Creates the worker threads that exist already, idle.</summary>
    public void Begin(int workers)
    {
        for (; Existing < workers; Existing++)
        {
            idle.Enqueue(Existing, Existing);
        }
    }

    /// <summary>Processor time used since the previous call, milliseconds.</summary>
    public double TakeComputedMs() => (computedMs, computedMs = 0).Item1;

    // Returns false when the worker thread has nothing more to do.
    bool Step(WhatIfWorker worker, int targetThreads)
    {
        if (worker.Phase != WorkerPhase.Starting)
        {
            if (worker.HangsOn())
            {
                // Each processor has a timer list, and the list of an item is as good as random.
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

    // A resource that serves one item at a time serves them in the order in which they come.
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
/// before the queue; it ends the first wait itself and queues the others behind all waiting items. Therefore task waits last longer than
/// the tasks while the queue is long. Source: TimerQueue.FireNextTimers of dotnet/runtime, confirmed by measured runs.
/// </summary>
sealed class WhatIfTimers(int lists)
{
    readonly Queue<WhatIfWorker>[] due = [.. Enumerable.Range(0, Math.Max(1, lists)).Select(_ => new Queue<WhatIfWorker>())];
    readonly Queue<int> fired = new();

    /// <summary>Number of lists with a due timer; each is one waiting item.</summary>
    public int Waiting => fired.Count;

    /// <summary>The timer of a worker thread's wait is due, in the list that <paramref name="number"/> maps to.</summary>
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
    /// Takes the next list for a worker thread: the first wait ends, and the end of the others is queued like any item; null when no list
    /// waits.
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
