namespace Tpwatch.Targets;

/// <summary>Contents of /proc/PID/stat.</summary>
/// <param name="Name">The process name as the kernel reports it, up to 15 characters.</param>
/// <param name="State">R, S, D, T, t, Z, X, I.</param>
/// <param name="StartTime">Clock ticks since boot; together with the pid it identifies a process uniquely,
/// and it is the key in the socket's name.</param>
sealed record ProcStat(string Name, char State, ulong StartTime)
{
    // Indexes of fields 14, 15, 20 and 22, after fields 1 and 2 are cut off: the name in field 2 can contain spaces and parentheses.
    const int UserTimeAfterName = 11;
    const int KernelTimeAfterName = 12;
    const int ThreadsAfterName = 17;
    const int StartTimeAfterName = 19;

    /// <summary>Length of a clock tick, milliseconds: 1/100 s on every architecture that .NET supports (USER_HZ).</summary>
    public const double CheckMs = 10;

    /// <summary>Processor time since the start of the process, user and kernel, milliseconds; null when unknown.</summary>
    public double? ProcessorMs { get; init; }

    /// <summary>Number of threads; null when unknown.</summary>
    public int? Threads { get; init; }

    /// <summary>Whether the process has ended, so that only its exit status remains.</summary>
    public bool HasEnded => State is 'Z' or 'X' or 'x';

    public static ProcStat? Parse(string? text)
    {
        if (text is null || text.IndexOf('(') is var open && open < 0 || text.LastIndexOf(')') is var close && close <= open)
        {
            return null;
        }

        var fields = text[(close + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return fields.Length > StartTimeAfterName
            && ulong.TryParse(fields[StartTimeAfterName], CultureInfo.InvariantCulture, out var start)
            ? new ProcStat(text[(open + 1)..close], fields[0][0], start)
            {
                ProcessorMs = (Number(fields[UserTimeAfterName]) + Number(fields[KernelTimeAfterName])) * CheckMs,
                Threads = (int?)Number(fields[ThreadsAfterName]),
            }
            : null;
    }

    static long? Number(string field) =>
        long.TryParse(field, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;
}
