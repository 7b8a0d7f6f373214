using System.Diagnostics.Tracing;
using Tpwatch.Reports;

namespace Tpwatch.Sessions;

/// <summary>One event source to switch on in the target.</summary>
/// <param name="Name">Name of the source.</param>
/// <param name="Level">The level up to which the source writes events.</param>
/// <param name="Keywords">The groups of events that the source writes.</param>
/// <param name="Arguments">Arguments of the source, or null.</param>
sealed record PlannedProvider(string Name, EventLevel Level, long Keywords, ImmutableSortedDictionary<string, string>? Arguments = null);

/// <summary>The event sources and options of a session, as plain data.</summary>
sealed record SessionPlan(ImmutableArray<PlannedProvider> Providers)
{
    /// <summary>The maximum size of the target's event buffer, megabytes; the runtime allocates only what it needs.</summary>
    public int BufferMb { get; init; } = 64;

    /// <summary>
    /// Whether to request events without stacks where the runtime supports it (.NET 9 and later); with stacks an event costs nine times as
    /// much.
    /// </summary>
    public bool WithoutStacks { get; init; } = true;

    /// <summary>
    /// Whether the runtime reports, at the session's end, the name of every method it has compiled; the larger the target is, the longer
    /// this takes.
    /// </summary>
    public bool Rundown { get; init; }

    /// <summary>The depth of observation that these providers give.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>A second session to open before a suspended target is resumed, so that it also misses no event; null for none.</summary>
    public SessionPlan? Side { get; init; }

    /// <summary>This plan without counters, for a process that may still be starting; null if the plan has no counters.</summary>
    public SessionPlan? AtStart { get; init; }
}
