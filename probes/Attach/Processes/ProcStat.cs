using System.Globalization;

namespace Tpwatch.Attach.Processes;

/// <summary>What /proc/PID/stat says.</summary>
/// <param name="Name">The kernel's name of the process, at most 15 characters.</param>
/// <param name="State">R, S, D, T, t, Z, X, I.</param>
/// <param name="StartTime">Clock ticks after boot; with the pid it names a process once and for all, and it is the key in the socket's name.</param>
internal sealed record ProcStat(string Name, char State, ulong StartTime)
{
    // Field 22 of the line; the first two are cut off with the name, which may itself hold blanks and parentheses.
    const int StartTimeAfterName = 19;

    /// <summary>Only the exit status is left.</summary>
    public bool HasEnded => State is 'Z' or 'X' or 'x';

    public static ProcStat? Parse(string? text)
    {
        if (text is null || text.IndexOf('(') is var open && open < 0 || text.LastIndexOf(')') is var close && close <= open)
        {
            return null;
        }

        string[] fields = text[(close + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return fields.Length > StartTimeAfterName && ulong.TryParse(fields[StartTimeAfterName], CultureInfo.InvariantCulture, out ulong start)
            ? new ProcStat(text[(open + 1)..close], fields[0][0], start)
            : null;
    }
}
