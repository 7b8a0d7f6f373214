namespace Tpwatch.WhatIf;

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
