using Tpwatch.Attach.Processes;

namespace Tpwatch.Attach.Running;

/// <summary>
/// The control group of the process and those above it: a quota of processor time or a limit of memory may be set at any of them. Reads
/// version 2, and of version 1 the processor's controller; where neither is visible it knows nothing.
/// </summary>
sealed class ControlGroup
{
    // Deeper than any container platform nests.
    const int MostLevels = 12;

    // What systems call the folder of the processor's controller.
    static readonly string[] ProcessorControllers = ["cpu,cpuacct", "cpu"];

    readonly string[] unified;
    readonly string[] processor;

    ControlGroup(string[] unified, string[] processor) => (this.unified, this.processor) = (unified, processor);

    /// <summary>Of a process, as the watcher sees it.</summary>
    public static ControlGroup Of(Machine machine, int pid)
    {
        var lines = machine.Tree.Read(pid, "cgroup").Text?.Split('\n') ?? [];
        var two = Path(lines, line => line.StartsWith("0::", StringComparison.Ordinal));
        var one = Path(lines, line => line.Split(':') is [_, var controllers, _] && controllers.Split(',').Contains("cpu"));
        return new ControlGroup(
            Levels(machine.ControlGroups, two, "cpu.stat"),
            [.. ProcessorControllers.SelectMany(c => Levels(System.IO.Path.Combine(machine.ControlGroups, c), one, "cpu.stat"))]);
    }

    /// <summary>
    /// Time that it was throttled since it exists, milliseconds, summed over its processors; null where no quota is visible.
    /// </summary>
    public double? ThrottledMs()
    {
        double?[] all =
        [
            .. unified.Select(level => Number(level, "cpu.stat", "throttled_usec") / 1e3),
            .. processor.Select(level => Number(level, "cpu.stat", "throttled_time") / 1e6),
        ];
        return all.Max();
    }

    /// <summary>Whether it is frozen, as a paused container is.</summary>
    public bool IsFrozen() => unified is [var own, ..] && Number(own, "cgroup.events", "frozen") == 1;

    /// <summary>Memory in use as a share of the lowest limit, 0 to 1, the way the runtime reckons it; null without a limit.</summary>
    public double? MemoryLoad()
    {
        double? highest = null;
        foreach (var level in unified)
        {
            if (Single(level, "memory.max") is > 0 and { } limit && Single(level, "memory.current") is { } used)
            {
                var load = (used - (Number(level, "memory.stat", "inactive_file") ?? 0)) / limit;
                highest = Math.Max(highest ?? 0, load);
            }
        }

        return highest;
    }

    static string? Path(string[] lines, Func<string, bool> which) =>
        Array.Find(lines, line => which(line))?.Split(':', 3)[2].Trim() is { } path && !path.Contains("..", StringComparison.Ordinal)
            ? path
            : null;

    // Its own first, then those above it. A path that is not there belongs to another namespace; then only the root is ours to see.
    static string[] Levels(string root, string? path, string witness)
    {
        if (path is null || !Directory.Exists(root))
        {
            return [];
        }

        List<string> levels = [];
        var parts = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        for (var depth = parts.Length; depth >= 0 && levels.Count < MostLevels; depth--)
        {
            var level = System.IO.Path.Combine([root, .. parts.Take(depth)]);
            if (File.Exists(System.IO.Path.Combine(level, witness)))
            {
                levels.Add(level);
            }
        }

        return [.. levels];
    }

    static double? Single(string level, string file) =>
        ProcTree.ReadFile(System.IO.Path.Combine(level, file)).Text is { } text
        && double.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : null;

    static double? Number(string level, string file, string key)
    {
        var text = ProcTree.ReadFile(System.IO.Path.Combine(level, file)).Text;
        var line = text?.Split('\n').FirstOrDefault(l => l.StartsWith(key + " ", StringComparison.Ordinal));
        return line is not null
            && double.TryParse(line[(key.Length + 1)..], NumberStyles.Integer, CultureInfo.InvariantCulture, out var value)
            ? value
            : null;
    }
}
