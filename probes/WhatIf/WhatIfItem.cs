namespace Tpwatch.WhatIf;

/// <summary>How an item holds its worker thread while it does not compute.</summary>
enum Blocking
{
    /// <summary>A sleep, a lock, a socket: the pool cannot detect it.</summary>
    Unseen,

    /// <summary>A wait for a task, which the pool of .NET 6 and later detects.</summary>
    TaskWait,

    /// <summary>A wait for a task whose end is work for the pool itself, such as that of a timer.</summary>
    PoolTask,

    /// <summary>None: the item awaits and releases its worker thread meanwhile.</summary>
    Awaits,
}

/// <summary>A work item of a simulation.</summary>
/// <param name="Queued">When it is queued.</param>
/// <param name="RunMs">Processor time it uses, milliseconds; infinite for an item that never completes.</param>
/// <param name="BlockMs">How long it blocks afterwards, milliseconds; infinite for an item that never completes.</param>
/// <param name="Blocking">How it blocks.</param>
readonly record struct WhatIfItem(EventTime Queued, double RunMs, double BlockMs, Blocking Blocking = Blocking.Unseen);
