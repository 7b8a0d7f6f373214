namespace Tpwatch.Targets;

/// <summary>A process that tpwatch can watch; <see cref="TargetFinder"/> finds it.</summary>
sealed record Target
{
    /// <summary>Process id, in tpwatch's own process-id namespace.</summary>
    public required int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init => field = UntrustedText.Line(value); }

    /// <summary>Path of the diagnostic socket; null if the system has none (Windows), or the client library finds it (macOS).</summary>
    public string? SocketPath { get; init; }

    /// <summary>
    /// Start time in clock ticks since boot; together with the pid it identifies the process uniquely. Null outside Linux.
    /// </summary>
    public ulong? StartTime { get; init; }

    /// <summary>
    /// Whether the target is reached through a diagnostic port from another pid namespace (such as a container's, through a shared folder).
    /// Its pid is then that of its own namespace, and this machine's /proc does not describe it.
    /// </summary>
    public bool IsElsewhere { get; init; }
}
