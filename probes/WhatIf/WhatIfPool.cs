namespace Tpwatch.WhatIf;

/// <summary>
/// Queue, workers and processors of an imagined pool: one shared queue, first in, first out; whoever computes shares the processors evenly
/// with the others that do. What ends a wait for a task goes before the queue. Knows nothing of how many workers there should be.
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

    /// <summary>Workers that exist.</summary>
    public int Existing { get; private set; }

    /// <summary>Workers that work or are about to.</summary>
    public int Working => working.Count;

    public int Backlog => queue.Count + timers.Waiting;
    public int TaskWaits => working.Count(worker => worker.Phase == WorkerPhase.TaskWait);
    public bool AllEnded => ended == items.Count;
    public IReadOnlyList<WhatIfSpan> Spans => spans;

    /// <summary>Items queued so far.</summary>
    public int Arrived => arrived;

    /// <summary>Items taken so far.</summary>
    public int Dequeued { get; private set; }

    double Share => Math.Min(1, (double)options.Pool.Processors / Math.Max(1, Computing));
    int Computing => working.Count(worker => worker.Phase == WorkerPhase.Running);

    /// <summary>When something happens of itself.</summary>
    public EventTime? Next()
    {
        var share = Share;
        var ends = working.Select(worker => worker.Ends(Now, share));
        return (arrived < arrivals.Length ? ends.Append(items[arrivals[arrived]].Queued) : ends).Cast<EventTime?>().Min();
    }

    /// <summary>Lets time pass; nothing may be due before <paramref name="to"/>.</summary>
    public void Advance(EventTime to)
    {
        var (share, ms) = (Share, to.MsSince(Now));
        computedMs += ms * Math.Min(Computing, options.Pool.Processors);
        working.ForEach(worker => worker.Compute(ms * share));
        Now = to;
    }

    /// <summary>Queues what is due.</summary>
    public void Arrive()
    {
        while (arrived < arrivals.Length && items[arrivals[arrived]].Queued <= Now)
        {
            queue.Enqueue((arrivals[arrived++], null));
        }
    }

    /// <summary>Brings every worker on whose phase is over; beyond <paramref name="goal"/> it stops after its item.</summary>
    public void Work(int goal)
    {
        foreach (var worker in working.Where(worker => worker.Over(Now)).ToArray())
        {
            while (worker.Over(Now) && Step(worker, goal))
            {
            }
        }
    }

    /// <summary>Lets idle workers, then new ones, begin while fewer than <paramref name="goal"/> work and somebody is needed.</summary>
    public void Release(int goal)
    {
        while (working.Count < goal && working.Count(worker => worker.Phase == WorkerPhase.Starting) < Backlog)
        {
            working.Add(
                idle.TryDequeue(out var number, out _) ? new WhatIfWorker(number, Now) : new WhatIfWorker(Existing++, StartOfNew()));
        }
    }

    // Each new worker asks for the next one, so that they follow each other.
    EventTime StartOfNew() => rampedTo = EventTime.Max(Now.PlusMs(options.StartMs), rampedTo.PlusMs(options.RampMs));

    /// <summary>So many workers exist already, and are idle.</summary>
    public void Begin(int workers)
    {
        for (; Existing < workers; Existing++)
        {
            idle.Enqueue(Existing, Existing);
        }
    }

    /// <summary>Processor time used since it was last asked, milliseconds.</summary>
    public double TakeComputedMs() => (computedMs, computedMs = 0).Item1;

    // False when the worker has nothing more to do.
    bool Step(WhatIfWorker worker, int goal)
    {
        if (worker.Phase != WorkerPhase.Starting)
        {
            if (worker.HangsOn())
            {
                // Each processor has its list, and where an item runs is as good as random.
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

        return (working.Count <= goal && Take(worker)) || Stop(worker);
    }

    // What an item that awaits does after its wait is taken for nothing.
    void End(int item)
    {
        var awaitedMs = items[item] is { Blocking: Blocking.Awaits, BlockMs: > 0 and var ms } ? ServedAfterMs(ms) : 0;
        spans[item] = spans[item] with { Ended = double.IsPositiveInfinity(awaitedMs) ? null : Now.PlusMs(awaitedMs) };
        ended++;
    }

    // Who comes to one that serves one at a time is served after all who came before.
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
