using Tpwatch.Serving.Metrics;

namespace Tpwatch.Serving.Fleet;

/// <summary>How a log calls what happened, and how bad it is there.</summary>
enum LogSeverity
{
    /// <summary>Worth knowing.</summary>
    Info = 9,

    /// <summary>Worth acting.</summary>
    Warn = 13,

    /// <summary>Act now.</summary>
    Error = 17,
}

/// <summary>Something that began, ended or was found in a process, as a record of a log.</summary>
/// <param name="At">When it was seen, UTC.</param>
/// <param name="Name">What kind of event, such as <c>tpwatch.episode.begin</c>.</param>
/// <param name="Severity">How bad.</param>
/// <param name="Text">A sentence.</param>
/// <param name="Target">The process.</param>
sealed record FleetEvent(DateTime At, string Name, LogSeverity Severity, string Text, TargetState Target)
{
    /// <summary>The verdict in a word of labels; null where it is about none.</summary>
    public string? Verdict { get; init; }

    /// <summary>How long the episode lasts or lasted, seconds.</summary>
    public double? Seconds { get; init; }

    /// <summary>Of a finding: <c>TPW003</c>.</summary>
    public string? Finding { get; init; }
}
