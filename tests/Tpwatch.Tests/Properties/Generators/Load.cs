using System.Globalization;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>What holds a worker while it has an item.</summary>
enum Holds
{
    /// <summary>A sleep, a socket, an event: the pool does not know.</summary>
    Sleep,

    /// <summary>A wait for a task, of which the pool is told.</summary>
    Task,

    /// <summary>The item computes.</summary>
    Processor,

    /// <summary>One lock for all items that want it, each for so long.</summary>
    Lock,
}

/// <summary>Like items that arrive one after the other.</summary>
/// <param name="AtMs">When the first arrives, since the process began.</param>
/// <param name="Count">How many.</param>
/// <param name="EveryMs">From one to the next; 0 is all at once.</param>
/// <param name="By">What holds the worker.</param>
/// <param name="HoldMs">For how long.</param>
readonly record struct Load(double AtMs, int Count, double EveryMs, Holds By, double HoldMs)
{
    /// <summary>
    /// Items that each of them queues to its worker's own queue and waits for, one after the other:
    /// they run inline unless another worker took them.
    /// </summary>
    public int Children { get; init; }

    /// <summary>What the children queue and wait for in their turn.</summary>
    public int Grandchildren { get; init; }

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Count} × {By} {HoldMs} ms at {AtMs} every {EveryMs}")
            + (Children > 0 ? $" with {Children} children{(Grandchildren > 0 ? $" of {Grandchildren}" : "")}" : "");
}
