namespace Tpwatch.Tests.Properties.Generators;

/// <summary>The queues of a simulated pool: a shared one, first in, first out, and one for each worker.</summary>
sealed class PoolQueues(Agenda agenda)
{
    readonly LinkedList<MadeItem> shared = new();
    readonly List<PoolWorker> workers = [];

    /// <summary>What the runtime's counter shows: the shared queue and all others.</summary>
    public int Length => shared.Count + workers.Sum(worker => worker.Own.Count);

    public void Add(PoolWorker worker) => workers.Add(worker);

    public void Remove(PoolWorker worker) => workers.Remove(worker);

    public void Put(MadeItem item)
    {
        item.QueuedMs = agenda.NowMs;
        shared.AddLast(item);
    }

    public void Put(MadeItem item, PoolWorker own)
    {
        item.QueuedMs = agenda.NowMs;
        own.Own.Add(item);
    }

    /// <summary>What a worker takes next: the newest of its own, the oldest shared one, or the oldest of another's.</summary>
    public MadeItem? Take(PoolWorker worker)
    {
        var item = Newest(worker) ?? First() ?? workers.Select(Oldest).FirstOrDefault(found => found is not null);
        return item is null ? null : Taken(item);
    }

    /// <summary>A thread that waits for an item takes it out of its own queue to run it itself; false where another has it.</summary>
    public bool TakeBack(PoolWorker worker, MadeItem item)
    {
        var found = worker.Own.Remove(item);
        if (found)
        {
            Taken(item).Inlined = true;
        }

        return found;
    }

    /// <summary>A worker that stops leaves its items to all.</summary>
    public void Leave(PoolWorker worker)
    {
        worker.Own.ForEach(item => shared.AddLast(item));
        worker.Own.Clear();
    }

    MadeItem Taken(MadeItem item)
    {
        item.TakenMs = agenda.NowMs;
        return item;
    }

    MadeItem? First()
    {
        var first = shared.First?.Value;
        if (first is not null)
        {
            shared.RemoveFirst();
        }

        return first;
    }

    static MadeItem? Newest(PoolWorker worker) => At(worker, worker.Own.Count - 1);

    static MadeItem? Oldest(PoolWorker worker) => At(worker, 0);

    static MadeItem? At(PoolWorker worker, int index)
    {
        if (worker.Own.Count == 0)
        {
            return null;
        }

        var item = worker.Own[index];
        worker.Own.RemoveAt(index);
        return item;
    }
}
