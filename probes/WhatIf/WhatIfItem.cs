namespace Tpwatch.WhatIf;

/// <summary>How an item holds its worker while it does not compute.</summary>
enum Blocking
{
    /// <summary>A sleep, a lock, a socket: the pool does not know.</summary>
    Unseen,

    /// <summary>A wait for a task, of which the pool of .NET 6 and later knows.</summary>
    TaskWait,

    /// <summary>The same, where the task's end is work for the pool itself, as that of a timer is.</summary>
    PoolTask,

    /// <summary>None: the item awaits and gives its worker back meanwhile.</summary>
    Awaits,
}

/// <summary>A work item of an imagined run.</summary>
/// <param name="Queued">When it is queued.</param>
/// <param name="RunMs">Processor time it takes, milliseconds; infinite for one that never ends.</param>
/// <param name="BlockMs">How long it blocks afterwards, milliseconds; infinite for one that never ends.</param>
/// <param name="Blocking">How it blocks.</param>
readonly record struct WhatIfItem(EventTime Queued, double RunMs, double BlockMs, Blocking Blocking = Blocking.Unseen);
