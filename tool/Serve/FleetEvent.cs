namespace Tpwatch.Serve;

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

/// <summary>
/// Something that began, ended or was found in a process, as a record of a log. It may wait for a collector for hours, so that it holds
/// words alone: with all that was seen of the process a thousand of them are 50 MB.
/// </summary>
/// <param name="At">When it was seen, UTC.</param>
/// <param name="Name">What kind of event, such as <c>tpwatch.episode.begin</c>.</param>
/// <param name="Severity">How bad.</param>
/// <param name="Text">A sentence.</param>
/// <param name="Pid">The process.</param>
/// <param name="Labels">What its series are told by.</param>
sealed record FleetEvent(DateTime At, string Name, LogSeverity Severity, string Text, int Pid, string Labels)
{
    /// <summary>The verdict in a word of labels; null where it is about none.</summary>
    public string? Verdict { get; init; }

    /// <summary>How long the episode lasts or lasted, seconds.</summary>
    public double? Seconds { get; init; }

    /// <summary>Of a finding: <c>TPW003</c>.</summary>
    public string? Finding { get; init; }
}
