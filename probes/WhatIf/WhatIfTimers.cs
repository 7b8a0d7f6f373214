namespace Tpwatch.WhatIf;

/// <summary>
/// What ends waits for tasks: timers, which the runtime keeps in as many lists as there are processors. A list with something due is one
/// work item that goes before the queue; it ends the first wait itself and puts the others behind everything that waits. That is how waits
/// for tasks last longer than the tasks while the queue is long. Source: TimerQueue.FireNextTimers of dotnet/runtime, seen in measured
/// runs.
/// </summary>
sealed class WhatIfTimers(int lists)
{
    readonly Queue<WhatIfWorker>[] due = [.. Enumerable.Range(0, Math.Max(1, lists)).Select(_ => new Queue<WhatIfWorker>())];
    readonly Queue<int> fired = new();

    /// <summary>Lists with something due: each is one item that waits.</summary>
    public int Waiting => fired.Count;

    /// <summary>
    /// The wait of a worker is over as far as its timer is concerned, in the list that <paramref name="number"/> falls on.
    /// </summary>
    public void Due(int number, WhatIfWorker worker)
    {
        var list = number % due.Length;
        due[list].Enqueue(worker);
        if (due[list].Count == 1)
        {
            fired.Enqueue(list);
        }
    }

    /// <summary>A worker takes the next list: whose wait ends, and whose end is queued like any item; null when no list waits.</summary>
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
