namespace Tpwatch.Targets;

/// <summary>The description of one process from /proc, read once.</summary>
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

    /// <summary>The environment; null if it cannot be read.</summary>
    public ProcEnvironment? Environment { get; }

    /// <summary>File name of the executable.</summary>
    public string ProcessName { get; }

    public SocketSearch Socket { get; }
    public RuntimeTrace Runtime => runtime.Value;

    /// <summary>Entry assembly if <c>dotnet</c> runs one, otherwise the executable's name.</summary>
    public string Name =>
        CommandLine.EntryAssembly(Arguments) is { } assembly ? CommandLine.BareName(CommandLine.FileName(assembly)) : ProcessName;

    /// <summary>The portrait of a process; null if there is no such process.</summary>
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

/// <summary>The result of the search for a process's diagnostic socket.</summary>
/// <param name="Path">Path of the socket; null if not found.</param>
/// <param name="Tried">All paths that were searched, in order.</param>
/// <param name="Stale">Sockets with the same pid and another start time, left behind by an earlier process.</param>
sealed record SocketSearch(string? Path, ImmutableArray<string> Tried, ImmutableArray<string> Stale)
{
    /// <summary>
    /// Searches in the target's temporary folder, also through the target's root, which leads into other mount namespaces (containers,
    /// systemd's PrivateTmp), and in tpwatch's own temporary folder. The key in the socket's name must be the target's start time,
    /// which excludes stale sockets and reused pids. The socket must belong to the target's user, because any user can create a file there.
    /// <paramref name="mayBeDotnet"/> is called before whole folders are read: reading a temporary folder with thousands of files takes
    /// milliseconds, and doing so three times for each process of the machine takes half a second.
    /// </summary>
    public static SocketSearch Find(Machine machine, int pid, ProcStat stat, ProcEnvironment? environment, Func<bool> mayBeDotnet)
    {
        var status = machine.Tree.Status(pid);
        var innermost = status.InnermostPid ?? pid;
        var name = string.Create(CultureInfo.InvariantCulture, $"dotnet-diagnostic-{innermost}-{stat.StartTime}-socket");
        var folders = Folders(machine, pid, environment);
        ImmutableArray<string> tried = [.. folders.Select(folder => System.IO.Path.Combine(folder, name))];
        if (tried.FirstOrDefault(IsTheirs) is { } exact)
        {
            return new SocketSearch(exact, tried, []);
        }

        var elsewhen = machine.Tree.IsInAnotherNamespace(pid, "time");
        if (!elsewhen && !mayBeDotnet())
        {
            return new SocketSearch(null, tried, []);
        }

        ImmutableArray<string> others =
            [.. folders.SelectMany(folder => OfPid(folder, innermost)).Except(tried).Where(IsTheirs).Distinct()];

        // In another time namespace, start times count from another origin, so the keys cannot be compared.
        return others.Length > 0 && elsewhen
            ? new SocketSearch(others.MaxBy(File.GetLastWriteTimeUtc), tried, [])
            : new SocketSearch(null, tried, others);

        // root can change the owner of its files, and a program may have started as root.
        bool IsTheirs(string path) =>
            machine.SocketOwner(path) is { } owner && (owner == 0 || status.User is not { } user || owner == user);
    }

    static string[] Folders(Machine machine, int pid, ProcEnvironment? environment)
    {
        var theirs = Machine.TempOf(environment?["TMPDIR"]);
        var throughRoot = machine.Tree.PathOf(pid, "root") + theirs;
        if (environment?["TMPDIR"] is null)
        {
            return [.. ((string[])[machine.Temp, theirs, throughRoot]).Distinct()];
        }

        // If the target has its own mount namespace, the same path leads elsewhere in tpwatch's namespace.
        string[] own = machine.Tree.IsInAnotherNamespace(pid, "mnt") ? [throughRoot, theirs] : [theirs, throughRoot];
        return [.. own.Append(machine.Temp).Distinct()];
    }

    static string[] OfPid(string folder, int pid)
    {
        try
        {
            return Directory.GetFiles(folder, string.Create(CultureInfo.InvariantCulture, $"dotnet-diagnostic-{pid}-*-socket"));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
