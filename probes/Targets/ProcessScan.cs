namespace Tpwatch.Targets;

/// <summary>A .NET process of this machine.</summary>
sealed record ListedProcess
{
    public required int Pid { get; init; }

    /// <summary>Start time, clock ticks since boot; together with the pid it identifies the process uniquely.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init; }

    /// <summary>File name of the executable; null when unknown.</summary>
    public string? Executable { get; init; }

    /// <summary>First twelve digits of the container id; null if the process is in no container, or the id is not visible.</summary>
    public string? Container { get; init; }

    public required string User { get; init; }

    /// <summary>Version of the shared runtime; null when unknown.</summary>
    public string? Runtime { get; init; }

    /// <summary>
    /// The whole command line, which may contain secrets. For display, shorten it with <see cref="TargetCommandLine.Shorten(string)"/>.
    /// </summary>
    public required string CommandLine { get; init; }

    /// <summary>Path of the diagnostic socket; null if there is no usable socket.</summary>
    public string? SocketPath { get; init; }

    /// <summary>Why the process cannot be watched, one sentence; null if it can be watched.</summary>
    public string? WhyNot { get; init; }

    /// <summary>What the user can do so that the process can be watched; null if it can be watched.</summary>
    public string? Hint { get; init; }

    public int? Threads { get; init; }

    /// <summary>Processor time used, milliseconds; null when unknown.</summary>
    public double? ProcessorMs { get; init; }

    /// <summary>Time since the start of the process, milliseconds; null when unknown.</summary>
    public double? AgeMs { get; init; }
}

/// <summary>Lists the .NET processes of this machine.</summary>
static class ProcessScan
{
    /// <summary>
    /// The .NET processes, ordered by pid, without tpwatch itself. Requires /proc; otherwise throws <see cref="UserErrorException"/> (exit
    /// code 4).
    /// </summary>
    public static ImmutableArray<ListedProcess> All() => All(SystemPaths.Local);

    internal static ImmutableArray<ListedProcess> All(SystemPaths machine) => [.. Portraits(machine).Select(p => Describe(machine, p))];

    /// <summary>The .NET process with this id; null if there is none, or the process is not a .NET process.</summary>
    internal static ListedProcess? One(SystemPaths machine, int pid) =>
        ProcessPortrait.Of(machine, pid) is { } portrait && IsDotnet(machine, portrait) ? Describe(machine, portrait) : null;

    internal static IEnumerable<ProcessPortrait> Portraits(SystemPaths machine)
    {
        if (!machine.IsLinux)
        {
            throw new UserErrorException(
                "tpwatch can list processes and find them by name on Linux only.",
                "Name the process by its id: --pid N.", ExitCode.Unsupported);
        }

        var self = machine.Tree.SelfPid();
        return from pid in machine.Tree.Pids()
               where pid != self
               let portrait = ProcessPortrait.Of(machine, pid)
               where portrait is not null && IsDotnet(machine, portrait)
               select portrait;
    }

    // If tpwatch cannot read the process's memory map, the thread names, which every user can read, decide.
    static bool IsDotnet(SystemPaths machine, ProcessPortrait portrait) =>
        !portrait.Stat.HasEnded
        && (portrait.Socket.Path is not null || (portrait.Runtime.IsDotnet ?? ThreadNames.AreOfDotnet(machine.Tree, portrait.Pid)));

    // In the list, a stopped process counts as not watchable, because it does not answer. An attach waits until the process continues.
    static ListedProcess Describe(SystemPaths machine, ProcessPortrait p) =>
        Describe(machine, p, TargetFinder.WhyNot(machine, p) ?? TargetErrors.IsStopped(p));

    static ListedProcess Describe(SystemPaths machine, ProcessPortrait p, UserErrorException? whyNot) => new()
    {
        Pid = p.Pid,
        StartTime = p.Stat.StartTime,
        Name = p.Name,
        Executable = p.ProcessName,
        Container = ContainerId.Of(machine.Tree.Read(p.Pid, "cgroup").Text),
        User = new UserNames(machine.Passwd).Of(p.User),
        Runtime = p.Runtime.Version,
        CommandLine = string.Join(' ', p.Arguments),
        SocketPath = whyNot is null ? p.Socket.Path : null,
        WhyNot = whyNot?.Message,
        Hint = whyNot?.Hint,
        Threads = p.Stat.Threads,
        ProcessorMs = p.Stat.ProcessorMs,
        AgeMs = machine.Tree.UptimeMs() - p.Stat.StartTime * ProcStat.ClockTickMs,
    };
}

/// <summary>
/// The id of a process's container, taken from the name of its control group: 64 hexadecimal digits in every container runtime.
/// </summary>
static class ContainerId
{
    const int Length = 64;

    /// <summary>Number of digits of an id that are kept: as many as container tools show.</summary>
    const int Shown = 12;

    /// <summary>The first digits of the id; null if the process is in no container, or a namespace hides its group's name.</summary>
    /// <param name="groups">The text of <c>/proc/PID/cgroup</c>.</param>
    public static string? Of(string? groups) => groups?.Split('/', '-', '.', ':', '\n').LastOrDefault(IsId)?[..Shown];

    static bool IsId(string word) => word.Length == Length && word.All(char.IsAsciiHexDigitLower);
}

/// <summary>The description of one process from /proc, read once.</summary>
sealed class ProcessPortrait
{
    readonly Lazy<MappedRuntime> runtime;

    ProcessPortrait(SystemPaths machine, int pid, ProcStat stat)
    {
        var tree = machine.Tree;
        Pid = pid;
        Stat = stat;
        User = tree.Status(pid).User;
        Arguments = tree.Arguments(pid) ?? [];
        Environment = tree.Environment(pid);
        ProcessName = NameOf(tree.Link(pid, "exe"), Arguments, stat);
        runtime = new(() => MappedRuntime.Of(tree, pid));
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
    public MappedRuntime Runtime => runtime.Value;

    /// <summary>Entry assembly if <c>dotnet</c> runs one, otherwise the executable's name.</summary>
    public string Name =>
        TargetCommandLine.EntryAssembly(Arguments) is { } assembly ? TargetCommandLine.BareName(TargetCommandLine.FileName(assembly))
            : ProcessName;

    /// <summary>The portrait of a process; null if there is no such process.</summary>
    public static ProcessPortrait? Of(SystemPaths machine, int pid) =>
        machine.Tree.Stat(pid) is { } stat ? new ProcessPortrait(machine, pid, stat) : null;

    public bool IsCalled(string name)
    {
        var wanted = TargetCommandLine.BareName(name);
        return ((string[])[Name, ProcessName,
            Stat.Name]).Any(n => TargetCommandLine.BareName(n).Equals(wanted, StringComparison.OrdinalIgnoreCase));
    }

    static string NameOf(string? executable, IReadOnlyList<string> arguments, ProcStat stat)
    {
        const string Deleted = " (deleted)";
        var path = executable ?? (arguments.Count > 0 ? arguments[0] : null);
        return string.IsNullOrEmpty(path)
            ? stat.Name
            : TargetCommandLine.FileName(path.EndsWith(Deleted, StringComparison.Ordinal) ? path[..^Deleted.Length] : path);
    }
}

/// <summary>The result of the search for a process's diagnostic socket.</summary>
/// <param name="Path">Path of the socket; null if not found.</param>
/// <param name="Tried">All paths that were searched, in order.</param>
/// <param name="Stale">Sockets with the same pid but another start time, which an earlier process has left behind.</param>
sealed record SocketSearch(string? Path, ImmutableArray<string> Tried, ImmutableArray<string> Stale)
{
    /// <summary>
    /// Searches the temporary folders of tpwatch and of the target. The target's folder is also read through /proc/PID/root, which leads
    /// into its mount namespace (containers, systemd's PrivateTmp). The socket's name must contain the target's start time, which excludes
    /// sockets of earlier processes with the same pid. The socket's owner must be the target's user or root: any user can create files
    /// there. If <paramref name="mayBeDotnet"/> returns false, folders are usually not listed, because that takes milliseconds.
    /// </summary>
    public static SocketSearch Find(SystemPaths machine, int pid, ProcStat stat, ProcEnvironment? environment, Func<bool> mayBeDotnet)
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

        // In another time namespace, start times have another origin and cannot be compared, so the newest socket is taken.
        return others.Length > 0 && elsewhen
            ? new SocketSearch(others.MaxBy(File.GetLastWriteTimeUtc), tried, [])
            : new SocketSearch(null, tried, others);

        // A socket of root is also accepted: a program that started as root may have changed its user later.
        bool IsTheirs(string path) =>
            machine.SocketOwner(path) is { } owner && (owner == 0 || status.User is not { } user || owner == user);
    }

    static string[] Folders(SystemPaths machine, int pid, ProcEnvironment? environment)
    {
        var theirs = SystemPaths.TempOf(environment?["TMPDIR"]);
        var throughRoot = machine.Tree.PathOf(pid, "root") + theirs;
        if (environment?["TMPDIR"] is null)
        {
            return [.. ((string[])[machine.Temp, theirs, throughRoot]).Distinct()];
        }

        // If the target has another mount namespace, the path names another folder for tpwatch: /proc/PID/root then comes first.
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

/// <summary>
/// User names from /etc/passwd. A user that is not listed there (of a container or a directory service) is shown by its number.
/// </summary>
sealed class UserNames(string passwd)
{
    readonly Dictionary<int, string> names = Load(passwd);

    /// <summary>The name of a user; <c>user id N</c> if the user has no name, <c>unknown</c> for null.</summary>
    public string Of(int? user) =>
        user is not { } id ? "unknown" : names.GetValueOrDefault(id, "user id " + id.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether /etc/passwd has no name for the user.</summary>
    public bool IsNameless(int user) => !names.ContainsKey(user);

    static Dictionary<int, string> Load(string passwd)
    {
        Dictionary<int, string> names = [];
        try
        {
            foreach (var line in File.ReadLines(passwd))
            {
                var fields = line.Split(':');
                if (fields.Length > 2 && int.TryParse(fields[2], NumberStyles.None, CultureInfo.InvariantCulture, out var id))
                {
                    names.TryAdd(id, fields[0]);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Users without a name are shown by their ids.
        }

        return names;
    }
}

/// <summary>Recognises the threads of a .NET runtime by the names that the runtime gives them, read from /proc.</summary>
static class ThreadNames
{
    /// <summary>The runtime's name for a worker thread, since .NET 7.</summary>
    const string Worker = ".NET TP Worker";

    /// <summary>The runtime's name for the thread that serves the diagnostic socket, and for the thread of each event session.</summary>
    const string EventPipe = ".NET EventPipe";

    /// <summary>The OS ids of the pool's worker threads as in the runtime's events: in a container, ids of its pid namespace.</summary>
    public static IReadOnlySet<int> Workers(ProcTree tree, int pid)
    {
        var isInner = tree.Status(pid).InnermostPid is { } inner && inner != pid;
        return Called(tree, pid, Worker)
            .Select(id => isInner ? ProcStatus.Parse(tree.ReadThread(pid, id, "status").Text).InnermostPid : id).OfType<int>().ToHashSet();
    }

    /// <summary>Number of event sessions; -1 if no thread serves a diagnostic socket, or the runtime does not name its threads.</summary>
    public static int Sessions(ProcTree tree, int pid) => Called(tree, pid, EventPipe).Count() - 1;

    /// <summary>Whether a .NET runtime has named a thread of the process; true also for the runtime in a NativeAOT program.</summary>
    public static bool AreOfDotnet(ProcTree tree, int pid) => Called(tree, pid, ".NET ").Any();

    static IEnumerable<int> Called(ProcTree tree, int pid, string name) => tree.Threads(pid)
        .Where(id => tree.ReadThread(pid, id, "comm").Text?.StartsWith(name, StringComparison.Ordinal) == true);
}
