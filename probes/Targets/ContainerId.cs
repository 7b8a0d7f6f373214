namespace Tpwatch.Targets;

/// <summary>The container of a process, by the name of its control group: 64 hexadecimal digits in every container runtime.</summary>
static class ContainerId
{
    const int Length = 64;

    /// <summary>As many digits as the container tools themselves show.</summary>
    const int Shown = 12;

    /// <summary>Its first twelve digits; null where the process is in no container, or its group's name is hidden by a namespace.</summary>
    /// <param name="groups">The text of <c>/proc/PID/cgroup</c>.</param>
    public static string? Of(string? groups) => groups?.Split('/', '-', '.', ':', '\n').LastOrDefault(IsId)?[..Shown];

    static bool IsId(string word) => word.Length == Length && word.All(char.IsAsciiHexDigitLower);
}
