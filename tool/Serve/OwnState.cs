namespace Tpwatch.Serve;

/// <summary>The watcher itself at one moment; immutable.</summary>
/// <param name="Version">Of the tool.</param>
/// <param name="Watched">Processes that are watched.</param>
/// <param name="Waiting">Processes for which there is no room.</param>
/// <param name="Refused">Processes that could not be attached to since the start, or could not be watched.</param>
/// <param name="Limit">Processes that may be watched at once.</param>
sealed record OwnState(string Version, int Watched, int Waiting, long Refused, int Limit)
{
    /// <summary>Processor time used since the start, seconds.</summary>
    public required double ProcessorSeconds { get; init; }

    /// <summary>Memory that lies in the machine's own, bytes.</summary>
    public required long ResidentBytes { get; init; }

    /// <summary>When the watcher started, seconds since 1970.</summary>
    public required double StartedAt { get; init; }

    /// <summary>Watched processes that ended since the start.</summary>
    public required long Ended { get; init; }

    /// <summary>Incidents that were written.</summary>
    public long IncidentsKept { get; init; }

    /// <summary>Incidents that could not be written.</summary>
    public long IncidentsFailed { get; init; }
}
