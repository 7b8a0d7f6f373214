using Tpwatch.Attach.Processes;

namespace Tpwatch.Attach.Running;

/// <summary>How full memory is for the process: of its control group's limit, or else of the machine, whichever is fuller.</summary>
sealed class MemoryUse(Machine machine, ControlGroup group)
{
    /// <summary>0 to 1; null where the machine does not tell.</summary>
    public double? Load() => (group.MemoryLoad(), OfMachine()) switch
    {
        ({ } limited, { } whole) => Math.Max(limited, whole),
        var (limited, whole) => limited ?? whole,
    };

    double? OfMachine()
    {
        var text = ProcTree.ReadFile(Path.Combine(machine.Proc, "meminfo")).Text;
        return Kilobytes(text, "MemTotal:") is > 0 and { } total && Kilobytes(text, "MemAvailable:") is { } free ? 1 - free / total : null;
    }

    static double? Kilobytes(string? text, string key)
    {
        var line = text?.Split('\n').FirstOrDefault(l => l.StartsWith(key, StringComparison.Ordinal));
        return line?.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [_, var number, ..]
            && double.TryParse(number, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : null;
    }
}
