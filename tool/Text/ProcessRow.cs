namespace Tpwatch.Text;

/// <summary>A .NET process, as a list shows it.</summary>
/// <param name="Pid">Process id in our own namespace.</param>
/// <param name="Name">Entry assembly, or the process name where that is not known.</param>
/// <param name="Runtime">Version of the runtime; null when it does not show.</param>
/// <param name="User">Owner; null when unknown.</param>
/// <param name="CommandLine">The whole command line; null when unknown.</param>
/// <param name="WhyNot">Why one cannot attach to it, one sentence; null when one can.</param>
sealed record ProcessRow(int Pid, string Name, string? Runtime, string? User, string? CommandLine, string? WhyNot = null)
{
    /// <summary>Its name, on one line.</summary>
    public string Name { get; init; } = ForeignText.Line(Name);

    /// <summary>Its command line, on one line.</summary>
    public string? CommandLine { get; init; } = CommandLine is null ? null : ForeignText.Line(CommandLine);

    /// <summary>File name of its executable; null when unknown.</summary>
    public string? Executable { get; init => field = value is null ? null : ForeignText.Line(value); }

    /// <summary>Its container; null where it is in none, or none shows.</summary>
    public string? Container { get; init; }

    /// <summary>When it was started; with the pid it names the process once and for all. Null when unknown.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>Of one that has come to a port of ours: names this run of its runtime. Null of one that was found here.</summary>
    public Guid? Run { get; init; }

    /// <summary>What to do about why one cannot attach to it; null when one can, or when nothing helps.</summary>
    public string? Hint { get; init; }

    /// <summary>Its threads; null when unknown.</summary>
    public int? Threads { get; init; }

    /// <summary>Processor time that it has used, milliseconds; null when unknown.</summary>
    public double? ProcessorMs { get; init; }

    /// <summary>Time since its start, milliseconds; null when unknown.</summary>
    public double? AgeMs { get; init; }

    /// <summary>Whether it is the same process, found in another way or once more.</summary>
    public bool IsSameAs(ProcessRow other) =>
        Pid == other.Pid && StartTime == other.StartTime && (StartTime is not null || Run == other.Run);

    /// <summary>Major version of the runtime, or null when unknown.</summary>
    public int? RuntimeMajor =>
        int.TryParse(Runtime?.Split('.')[0], System.Globalization.CultureInfo.InvariantCulture, out var major) ? major : null;
}
