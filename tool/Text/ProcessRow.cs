namespace Tpwatch.Text;

/// <summary>A .NET process as shown in a list.</summary>
/// <param name="Pid">Process id in the pid namespace of tpwatch.</param>
/// <param name="Name">Entry assembly, or the process name if that is not known.</param>
/// <param name="Runtime">Version of the runtime; null when unknown.</param>
/// <param name="User">Owner; null when unknown.</param>
/// <param name="CommandLine">The whole command line; null when unknown.</param>
/// <param name="WhyNot">Why tpwatch cannot attach to it, one sentence; null when it can.</param>
sealed record ProcessRow(int Pid, string Name, string? Runtime, string? User, string? CommandLine, string? WhyNot = null)
{
    /// <summary>Its name, on one line; control characters are question marks.</summary>
    public string Name { get; init; } = UntrustedText.Line(Name);

    /// <summary>Its command line, on one line; control characters are question marks. Null when unknown.</summary>
    public string? CommandLine { get; init; } = CommandLine is null ? null : UntrustedText.Line(CommandLine);

    /// <summary>File name of its executable; null when unknown.</summary>
    public string? Executable { get; init => field = value is null ? null : UntrustedText.Line(value); }

    /// <summary>Its container; null if it is in none, or when unknown.</summary>
    public string? Container { get; init; }

    /// <summary>When it was started; identifies the process together with the pid. Null when unknown.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>Identifies the runtime instance of a process that connected to a port of tpwatch; null if found locally.</summary>
    public Guid? Run { get; init; }

    /// <summary>How to make attaching possible; null when tpwatch can attach, or when nothing helps.</summary>
    public string? Hint { get; init; }

    /// <summary>Count of its threads; null when unknown.</summary>
    public int? Threads { get; init; }

    /// <summary>Processor time that it has used, milliseconds; null when unknown.</summary>
    public double? ProcessorMs { get; init; }

    /// <summary>Time since its start, milliseconds; null when unknown.</summary>
    public double? AgeMs { get; init; }

    /// <summary>Whether the other row is of the same process, found in another way or again.</summary>
    public bool IsSameAs(ProcessRow other) =>
        Pid == other.Pid && StartTime == other.StartTime && (StartTime is not null || Run == other.Run);

    /// <summary>Major version of the runtime, or null when unknown.</summary>
    public int? RuntimeMajor =>
        int.TryParse(Runtime?.Split('.')[0], System.Globalization.CultureInfo.InvariantCulture, out var major) ? major : null;
}
