namespace Tpwatch.Tests.Properties.Generators;

/// <summary>What items do on a worker: hold it, and wait for items that they queued themselves.</summary>
sealed class ItemBodies(Agenda agenda, SharedProcessors processors, RunningCompensation compensation)
{
    readonly Queue<(double HoldMs, Action Then)> atLock = new();

    public required Func<RunningPool> Pool { get; init; }

    public void Run(PoolWorker worker, MadeItem item, Action then)
    {
        foreach (var child in item.Children)
        {
            Pool().Queues.Put(child, worker);
        }

        if (item.Children.Length > 0)
        {
            Pool().Request(worker.Thread);
        }

        Hold(item.What, () => Await(worker, item, 0, () => End(item, then)));
    }

    void Hold(Load what, Action then)
    {
        switch (what.By)
        {
            case Holds.Processor: processors.Compute(what.HoldMs, then); break;
            case Holds.Lock: Enter(what.HoldMs, then); break;
            case Holds.Task: Wait(then, done => agenda.In(what.HoldMs, done)); break;
            default: agenda.In(what.HoldMs, then); break;
        }
    }

    void Await(PoolWorker worker, MadeItem item, int from, Action then)
    {
        for (var i = from; i < item.Children.Length; i++)
        {
            var (child, next) = (item.Children[i], i + 1);
            if (Pool().Queues.TakeBack(worker, child))
            {
                Run(worker, child, () => Await(worker, item, next, then));
                return;
            }

            if (child.EndedMs is null)
            {
                Wait(() => Await(worker, item, next, then), done => child.WhenEnded = done);
                return;
            }
        }

        then();
    }

    void End(MadeItem item, Action then)
    {
        item.EndedMs = agenda.NowMs;
        item.WhenEnded?.Invoke();
        then();
    }

    void Wait(Action then, Action<Action> begin)
    {
        compensation.Waits();
        begin(() =>
        {
            compensation.Goes();
            then();
        });
    }

    void Enter(double ms, Action then)
    {
        atLock.Enqueue((ms, then));
        if (atLock.Count == 1)
        {
            agenda.In(ms, Leave);
        }
    }

    void Leave()
    {
        var (_, then) = atLock.Dequeue();
        if (atLock.TryPeek(out var next))
        {
            agenda.In(next.HoldMs, Leave);
        }

        then();
    }
}
