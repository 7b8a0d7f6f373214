using System.Diagnostics.Tracing;
using Tpwatch.Reports;

namespace Tpwatch.Sessions;

/// <summary>One event source to switch on in the target.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Level">How much of it.</param>
/// <param name="Keywords">Which parts of it.</param>
/// <param name="Arguments">Its own arguments, or null.</param>
sealed record PlannedProvider(string Name, EventLevel Level, long Keywords, ImmutableSortedDictionary<string, string>? Arguments = null);

/// <summary>What to switch on in a target, as plain data.</summary>
sealed record SessionPlan(ImmutableArray<PlannedProvider> Providers)
{
    /// <summary>The target's buffer, megabytes; it takes only what it needs of it.</summary>
    public int BufferMb { get; init; } = 64;

    /// <summary>
    /// Ask for events without stacks where the runtime can (.NET 9 and later); with them an event costs nine times as much.
    /// </summary>
    public bool WithoutStacks { get; init; } = true;

    /// <summary>At its end the runtime tells every method it has compiled, by name; takes the longer the larger the target.</summary>
    public bool Rundown { get; init; }

    /// <summary>What all this amounts to.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>A second session to open before a waiting target goes on, so that it misses nothing either; null is none.</summary>
    public SessionPlan? Beside { get; init; }

    /// <summary>The same without counters, for a process that may still be starting; null where it has none.</summary>
    public SessionPlan? AtStart { get; init; }
}
