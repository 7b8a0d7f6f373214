namespace Tpwatch.Targets;

/// <summary>Contents of /proc/PID/status; null for missing values.</summary>
/// <param name="ProcessId">Id of the process to which the pid belongs, if the pid is a thread id.</param>
/// <param name="InnermostPid">The pid in the process's own namespace, which is part of its socket's name.</param>
/// <param name="User">Effective user id.</param>
/// <param name="AllowedProcessors">Number of processors that the process may run on; its runtime never counts more.</param>
sealed record ProcStatus(int? ProcessId, int? InnermostPid, int? User, int? AllowedProcessors)
{
    public static ProcStatus Parse(string? text)
    {
        Dictionary<string, string[]> lines = [];
        foreach (var line in (text ?? "").Split('\n'))
        {
            if (line.IndexOf(':') is > 0 and var colon)
            {
                lines[line[..colon]] = line[(colon + 1)..].Split((char[])['\t', ' '], StringSplitOptions.RemoveEmptyEntries);
            }
        }

        return new ProcStatus(Number(lines, "Tgid", 0), Number(lines, "NSpid", ^1), Number(lines, "Uid", 1), Processors(lines));
    }

    static int? Number(Dictionary<string, string[]> lines, string name, Index index) =>
        lines.TryGetValue(name, out var values) && index.GetOffset(values.Length) is var at && at >= 0 && at < values.Length
            && int.TryParse(values[at], NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : null;

    // Counts the processors in a list of ranges, such as "0-3,8".
    static int? Processors(Dictionary<string, string[]> lines)
    {
        if (!lines.TryGetValue("Cpus_allowed_list", out var values) || values.Length == 0)
        {
            return null;
        }

        var count = 0;
        foreach (var range in values[0].Split(','))
        {
            var ends = range.Split('-');
            if (!int.TryParse(ends[0], CultureInfo.InvariantCulture, out var first)
                || !int.TryParse(ends[^1], CultureInfo.InvariantCulture, out var last))
            {
                return null;
            }

            count += last - first + 1;
        }

        return count;
    }
}
