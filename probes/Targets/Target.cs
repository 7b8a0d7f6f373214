namespace Tpwatch.Targets;

/// <summary>A process that can be watched; found by <see cref="TargetFinder"/>.</summary>
sealed record Target
{
    /// <summary>Process id, in the watcher's own process-id namespace.</summary>
    public required int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init => field = ForeignText.Line(value); }

    /// <summary>Its diagnostic socket; null where the system has none (Windows) or we do not look ourselves (macOS).</summary>
    public string? SocketPath { get; init; }

    /// <summary>Its start in clock ticks after boot; with the pid it names the process once and for all. Null outside Linux.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>
    /// Reached through a diagnostic port from where its pid means nothing (a container's, through a shared folder): then the pid is the
    /// one that it counts itself, and nothing of this machine's /proc is about it.
    /// </summary>
    public bool IsElsewhere { get; init; }
}
