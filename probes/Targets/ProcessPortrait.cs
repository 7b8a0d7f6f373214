namespace Tpwatch.Targets;

/// <summary>Everything that /proc says of one process, read once.</summary>
sealed class ProcessPortrait
{
    readonly Lazy<RuntimeTrace> runtime;

    ProcessPortrait(Machine machine, int pid, ProcStat stat)
    {
        var tree = machine.Tree;
        Pid = pid;
        Stat = stat;
        User = tree.Status(pid).User;
        Arguments = tree.Arguments(pid) ?? [];
        Environment = tree.Environment(pid);
        ProcessName = NameOf(tree.Link(pid, "exe"), Arguments, stat);
        runtime = new(() => RuntimeTrace.Of(tree, pid));
        Socket = SocketSearch.Find(machine, pid, stat, Environment, () => Runtime.IsDotnet != false);
    }

    public int Pid { get; }
    public ProcStat Stat { get; }

    /// <summary>Effective user id.</summary>
    public int? User { get; }

    public IReadOnlyList<string> Arguments { get; }

    /// <summary>Null when it must not be read.</summary>
    public ProcEnvironment? Environment { get; }

    /// <summary>File name of the executable.</summary>
    public string ProcessName { get; }

    public SocketSearch Socket { get; }
    public RuntimeTrace Runtime => runtime.Value;

    /// <summary>Entry assembly where <c>dotnet</c> runs one, else the executable's name.</summary>
    public string Name =>
        CommandLine.EntryAssembly(Arguments) is { } assembly ? CommandLine.BareName(CommandLine.FileName(assembly)) : ProcessName;

    /// <summary>Null when there is no such process.</summary>
    public static ProcessPortrait? Of(Machine machine, int pid) =>
        machine.Tree.Stat(pid) is { } stat ? new ProcessPortrait(machine, pid, stat) : null;

    public bool IsCalled(string name)
    {
        var wanted = CommandLine.BareName(name);
        return ((string[])[Name, ProcessName,
            Stat.Name]).Any(n => CommandLine.BareName(n).Equals(wanted, StringComparison.OrdinalIgnoreCase));
    }

    static string NameOf(string? executable, IReadOnlyList<string> arguments, ProcStat stat)
    {
        const string Deleted = " (deleted)";
        var path = executable ?? (arguments.Count > 0 ? arguments[0] : null);
        return string.IsNullOrEmpty(path)
            ? stat.Name
            : CommandLine.FileName(path.EndsWith(Deleted, StringComparison.Ordinal) ? path[..^Deleted.Length] : path);
    }
}
