using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// The workers of a simulated pool, after what is written of the runtime's (.NET 7 to 10): below the goal a worker comes at once; at most
/// one request for a worker is open; the first item that a worker takes asks for the next worker. Nothing here calls the engine.
/// </summary>
sealed class RunningPool(Agenda agenda, PoolCounts counts, Watcher seen)
{
    /// <summary>Somebody of the program's own who queues.</summary>
    const int Requester = 100;

    const int FirstWorker = 1000;

    /// <summary>From a release to the worker's look into the queue.</summary>
    const double WakeMs = 0.02;

    /// <summary>A worker without work ends after so long.</summary>
    const double LivesMs = 20_000;

    /// <summary>From the creation of a thread to its first step, and what the event of its creation takes of it.</summary>
    const double ThreadStartMs = 0.4;

    const double CreatingMs = 0.06;

    readonly List<PoolWorker> idle = [];
    int threads;

    public PoolQueues Queues { get; } = new(agenda);

    /// <summary>Runs an item's body and says when it is done; set by whoever knows what items do.</summary>
    public required Action<PoolWorker, MadeItem, Action> Body { get; init; }

    /// <summary>A request for a worker: the gate must be awake.</summary>
    public required Action<int> WakeGate { get; init; }

    /// <summary>Min has changed: whether compensation for task waits follows it.</summary>
    public required Func<bool> Recount { get; init; }

    public void Arrive(MadeItem item)
    {
        Queues.Put(item);
        Request(Requester);
    }

    public void Request(int thread)
    {
        if (!counts.Requested)
        {
            counts.Requested = true;
            WakeGate(thread);
            MaybeAdd(thread);
        }
    }

    /// <summary>One more works if fewer than the goal do: an idle one, else a new one. Whether a thread had to be created.</summary>
    public bool MaybeAdd(int creator)
    {
        if (counts.Working >= counts.TargetThreads)
        {
            return false;
        }

        counts.Working++;
        if (idle.Count > 0)
        {
            var woken = idle[^1];
            idle.RemoveAt(idle.Count - 1);
            agenda.In(WakeMs, () => Look(woken));
            return false;
        }

        Create(creator);
        return true;
    }

    void Create(int creator)
    {
        counts.Existing++;
        var worker = new PoolWorker(FirstWorker + threads++);
        Queues.Add(worker);
        agenda.In(CreatingMs, () => seen.Sees(at => new ThreadCreated(at, creator, worker.Thread)));
        agenda.In(ThreadStartMs, () =>
        {
            seen.Sees(at => new ThreadBegan(at, worker.Thread, worker.Thread));
            seen.Sees(at => new WorkerStarted(at, worker.Thread, counts.Existing));
            Look(worker);
        });
    }

    void Look(PoolWorker worker)
    {
        while (counts.Requested)
        {
            counts.Requested = false;
            counts.LastDequeueMs = agenda.NowMs;
            if (Queues.Take(worker) is { } item)
            {
                Request(worker.Thread);
                Run(worker, item);
                return;
            }
        }

        Sleep(worker);
    }

    void Run(PoolWorker worker, MadeItem item) => Body(worker, item, () =>
    {
        counts.Completed++;
        counts.LastDequeueMs = agenda.NowMs;
        if (counts.Working > counts.TargetThreads)
        {
            Queues.Leave(worker);
            Sleep(worker);
        }
        else if (Queues.Take(worker) is { } next)
        {
            Run(worker, next);
        }
        else
        {
            Look(worker);
        }
    });

    void Sleep(PoolWorker worker)
    {
        counts.Working--;
        idle.Add(worker);
        var sleep = ++worker.Sleeps;
        seen.Sees(at => new WorkerWaited(at, worker.Thread, counts.Existing));
        agenda.In(LivesMs, () => TimeOut(worker, sleep));
        if (counts.Requested)
        {
            MaybeAdd(worker.Thread);
        }
    }

    void TimeOut(PoolWorker worker, int sleep)
    {
        if (worker.Sleeps != sleep || !idle.Remove(worker))
        {
            return;
        }

        counts.Existing--;
        Queues.Remove(worker);
        var targetThreads = Math.Max(Math.Min(counts.TargetThreads, counts.Target), Math.Min(counts.Existing, counts.TargetThreads));
        if (targetThreads != counts.TargetThreads)
        {
            counts.TargetThreads = targetThreads;
            seen.Sees(at => new TargetThreadsChanged(at, worker.Thread, targetThreads, AdjustmentReason.ThreadTimedOut));
        }

        seen.Sees(at => new WorkerStopped(at, worker.Thread, counts.Existing));
    }

    /// <summary>SetMinThreads and SetMaxThreads: the goal follows without an adjustment event, unless somebody waits for a task.</summary>
    public void Limit(int min, int max)
    {
        (counts.Min, counts.Max) = (min, max);
        counts.TargetThreads = Math.Clamp(counts.TargetThreads, Recount() ? 1 : min, max);
        seen.Sees(at => new LimitsChanged(at, min, max));
        if (counts.Requested)
        {
            MaybeAdd(Requester);
        }
    }

    /// <summary>Hill climbing: a worker that has ended an item moves the goal.</summary>
    public void Climb(int by)
    {
        var targetThreads = Math.Clamp(counts.TargetThreads + by, counts.Min, counts.Max);
        if (targetThreads != counts.TargetThreads)
        {
            counts.TargetThreads = targetThreads;
            seen.Sees(at => new TargetThreadsChanged(at, FirstWorker, targetThreads, AdjustmentReason.ClimbingMove));
            if (counts.Requested)
            {
                MaybeAdd(FirstWorker);
            }
        }
    }
}
