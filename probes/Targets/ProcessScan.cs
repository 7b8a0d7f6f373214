namespace Tpwatch.Targets;

/// <summary>A .NET process of this machine.</summary>
sealed record ListedProcess
{
    /// <summary>Process id.</summary>
    public required int Pid { get; init; }

    /// <summary>When it was started, clock ticks after boot; with the pid it names the process once and for all.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init; }

    /// <summary>File name of its executable.</summary>
    public string? Executable { get; init; }

    /// <summary>Its container, twelve digits; null where it is in none, or none shows.</summary>
    public string? Container { get; init; }

    /// <summary>Its user's name.</summary>
    public required string User { get; init; }

    /// <summary>Version of a shared runtime; null when unknown.</summary>
    public string? Runtime { get; init; }

    /// <summary>
    /// The whole command line, for those who asked: it may hold secrets. Shorten it with <see cref="CommandLine.Shorten(string)"/>.
    /// </summary>
    public required string CommandLine { get; init; }

    /// <summary>Its diagnostic socket; null when there is none that can be used.</summary>
    public string? SocketPath { get; init; }

    /// <summary>Why it cannot be watched, one sentence; null when it can.</summary>
    public string? WhyNot { get; init; }

    /// <summary>What to do about that; null when it can be watched.</summary>
    public string? Hint { get; init; }

    /// <summary>Its threads; null when unknown.</summary>
    public int? Threads { get; init; }

    /// <summary>Processor time that it has used, milliseconds; null when unknown.</summary>
    public double? ProcessorMs { get; init; }

    /// <summary>Time since its start, milliseconds; null when unknown.</summary>
    public double? AgeMs { get; init; }
}

/// <summary>Looks at every process of this machine.</summary>
static class ProcessScan
{
    /// <summary>
    /// The .NET processes, ordered by pid, without this one. Needs /proc: <see cref="ForeseenException"/> (exit code 4) elsewhere.
    /// </summary>
    public static ImmutableArray<ListedProcess> All() => All(Machine.Local);

    internal static ImmutableArray<ListedProcess> All(Machine machine) => [.. Portraits(machine).Select(p => Describe(machine, p))];

    /// <summary>The .NET process of that id; null when there is none, or it is no .NET process.</summary>
    internal static ListedProcess? One(Machine machine, int pid) =>
        ProcessPortrait.Of(machine, pid) is { } portrait && IsDotnet(machine, portrait) ? Describe(machine, portrait) : null;

    internal static IEnumerable<ProcessPortrait> Portraits(Machine machine)
    {
        if (!machine.IsLinux)
        {
            throw new ForeseenException(
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

    // Everybody may read the names of threads, also where the memory map is closed to us.
    static bool IsDotnet(Machine machine, ProcessPortrait portrait) =>
        !portrait.Stat.HasEnded
        && (portrait.Socket.Path is not null || (portrait.Runtime.IsDotnet ?? ThreadNames.AreOfDotnet(machine.Tree, portrait.Pid)));

    // Who asks for one that is stopped waits for it; a list says at once that it does not answer.
    static ListedProcess Describe(Machine machine, ProcessPortrait p) =>
        Describe(machine, p, TargetFinder.WhyNot(machine, p) ?? WrongTarget.IsStopped(p));

    static ListedProcess Describe(Machine machine, ProcessPortrait p, ForeseenException? whyNot) => new()
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
        AgeMs = machine.Tree.UptimeMs() - p.Stat.StartTime * ProcStat.TickMs,
    };
}

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
