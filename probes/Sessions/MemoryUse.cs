using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// How full memory is for the process, as the collector reckons it: of its control group's limit, else of the machine.
/// </summary>
sealed class MemoryUse(Machine machine, ControlGroup group)
{
    /// <summary>0 to 1; null where the group's limit is not known: the machine's load then says nothing of the process.</summary>
    public double? Load()
    {
        var text = ProcTree.ReadFile(Path.Combine(machine.Proc, "meminfo")).Text;
        var total = Kilobytes(text, "MemTotal:") * 1024;
        return group.Memory() is not { } memory ? null
            : memory.Limit is { } limit ? memory.Used / Math.Min(limit, total ?? limit)
            : total > 0 ? 1 - Kilobytes(text, "MemAvailable:") * 1024 / total
            : null;
    }

    static double? Kilobytes(string? text, string key)
    {
        var line = text?.Split('\n').FirstOrDefault(l => l.StartsWith(key, StringComparison.Ordinal));
        return line?.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [_, var number, ..]
            && double.TryParse(number, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : null;
    }
}
