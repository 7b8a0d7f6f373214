namespace Tpwatch.Attach;

/// <summary>A process that can be watched; found by <see cref="TargetFinder"/>.</summary>
public sealed record Target
{
    /// <summary>Process id, in the watcher's own process-id namespace.</summary>
    public required int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init; }

    /// <summary>Its diagnostic socket; null where the system has none (Windows) or we do not look ourselves (macOS).</summary>
    public string? SocketPath { get; init; }

    /// <summary>Its start in clock ticks after boot; with the pid it names the process once and for all. Null outside Linux.</summary>
    public ulong? StartTime { get; init; }
}
