namespace Tpwatch.Targets;

/// <summary>What /proc/PID/stat says.</summary>
/// <param name="Name">The kernel's name of the process, at most 15 characters.</param>
/// <param name="State">R, S, D, T, t, Z, X, I.</param>
/// <param name="StartTime">Clock ticks after boot; with the pid it names a process once and for all,
/// and it is the key in the socket's name.</param>
sealed record ProcStat(string Name, char State, ulong StartTime)
{
    // Fields 14, 15, 20 and 22 of the line; the first two are cut off with the name, which may itself hold blanks and parentheses.
    const int UserTimeAfterName = 11;
    const int KernelTimeAfterName = 12;
    const int ThreadsAfterName = 17;
    const int StartTimeAfterName = 19;

    /// <summary>The kernel counts these times in hundredths of a second on every architecture that .NET runs on (USER_HZ).</summary>
    public const double TickMs = 10;

    /// <summary>Processor time since its start, user and kernel, milliseconds; null when it does not say.</summary>
    public double? ProcessorMs { get; init; }

    /// <summary>Its threads; null when it does not say.</summary>
    public int? Threads { get; init; }

    /// <summary>Only the exit status is left.</summary>
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
                ProcessorMs = (Number(fields[UserTimeAfterName]) + Number(fields[KernelTimeAfterName])) * TickMs,
                Threads = (int?)Number(fields[ThreadsAfterName]),
            }
            : null;
    }

    static long? Number(string field) =>
        long.TryParse(field, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;
}
