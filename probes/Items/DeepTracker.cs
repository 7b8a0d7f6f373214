using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>What the second stream has told up to one moment; immutable.</summary>
sealed record DeepSnapshot(ItemSnapshot Items, ImmutableArray<LockWait> Locks)
{
    /// <summary>Requests; null where none were told.</summary>
    public RequestSnapshot? Requests { get; init; }
}

/// <summary>Folds the second stream: items, locks and requests. Counts what a flood is recognised by.</summary>
sealed class DeepTracker : IDeepSink
{
    readonly ItemTracker items = new();
    readonly LockTracker locks = new();
    readonly RequestTracker requests = new();
    long requestsTold;

    /// <summary>Events that were told beyond the pool's own, so far.</summary>
    public long Told { get; private set; }

    /// <summary>What most of them tell of, as a sentence begins.</summary>
    public string Subject => requestsTold > Told / 2 ? "Requests" : "Work items";

    /// <summary>Whether any were lost.</summary>
    public bool HasLost { get; private set; }

    /// <summary>Time of the newest event.</summary>
    public EventTime Now { get; private set; }

    public DeepSnapshot Snapshot() => new(items.Snapshot(), locks.Snapshot())
    {
        Requests = requestsTold > 0 ? requests.Snapshot() : null,
    };

    public void On(in ItemQueued fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        items.Queued(fact);
    }

    public void On(in ItemTaken fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        items.Taken(fact);
    }

    public void On(in LockAwaited fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        locks.Awaited(fact);
    }

    public void On(in LockTaken fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        locks.Taken(fact);
    }

    public void On(in RequestStarted fact)
    {
        (Told, Now, requestsTold) = (Told + 1, fact.At, requestsTold + 1);
        requests.Started(fact);
    }

    public void On(in RequestStopped fact)
    {
        (Told, Now, requestsTold) = (Told + 1, fact.At, requestsTold + 1);
        requests.Stopped(fact);
    }

    public void On(in WorkerStarted fact) => items.WorkerBorn(fact.At, fact.ThreadId);

    public void On(in WorkerStopped fact) => items.WorkerIdle(fact.At, fact.ThreadId);

    public void On(in WorkerWaited fact) => items.WorkerIdle(fact.At, fact.ThreadId);

    public void On(in CountersRead fact)
    {
        Now = fact.At;
        items.Listened(fact.At);
        requests.Listened(fact.At);
        if (fact.Backlog == 0)
        {
            items.QueueEmpty(fact.At);
        }
    }

    public void On(in EventsLost fact)
    {
        HasLost = true;
        items.Lost(fact.At);
        locks.Lost();
        requests.Lost(fact.At);
    }

    public void On(in StreamOpened fact) => requests.Opened(fact.At);

    public void On(in WorkerGoalChanged fact)
    {
    }

    public void On(in ThroughputSampled fact)
    {
    }

    public void On(in ThreadCreated fact)
    {
    }

    public void On(in ThreadBegan fact)
    {
    }

    public void On(in LimitsChanged fact)
    {
    }

    public void On(in HeartbeatOverruled fact)
    {
    }

    public void On(in ProcessorsCounted fact)
    {
    }

    public void On(in SwitchSeen fact)
    {
    }

    public void On(in ThreadsSuspended fact)
    {
    }

    public void On(in ProcessSampled fact)
    {
    }

    public void On(in ClockSeen fact)
    {
    }

    public void On(in EventUndecodable fact)
    {
    }
}
