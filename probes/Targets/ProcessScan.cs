namespace Tpwatch.Targets;

/// <summary>A .NET process of this machine.</summary>
sealed record ListedProcess
{
    /// <summary>Process id.</summary>
    public required int Pid { get; init; }

    /// <summary>Start time, clock ticks since boot; together with the pid it identifies the process uniquely.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init; }

    /// <summary>File name of the executable.</summary>
    public string? Executable { get; init; }

    /// <summary>First twelve digits of the container id; null if the process is in no container, or the id is not visible.</summary>
    public string? Container { get; init; }

    /// <summary>Name of the user.</summary>
    public required string User { get; init; }

    /// <summary>Version of the shared runtime; null when unknown.</summary>
    public string? Runtime { get; init; }

    /// <summary>
    /// The whole command line, which may contain secrets. For display, shorten it with <see cref="CommandLine.Shorten(string)"/>.
    /// </summary>
    public required string CommandLine { get; init; }

    /// <summary>Path of the diagnostic socket; null if there is no usable socket.</summary>
    public string? SocketPath { get; init; }

    /// <summary>Why the process cannot be watched, one sentence; null if it can be watched.</summary>
    public string? WhyNot { get; init; }

    /// <summary>How to make it possible to watch the process; null if it can be watched.</summary>
    public string? Hint { get; init; }

    /// <summary>Number of threads; null when unknown.</summary>
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
    public static ImmutableArray<ListedProcess> All() => All(Machine.Local);

    internal static ImmutableArray<ListedProcess> All(Machine machine) => [.. Portraits(machine).Select(p => Describe(machine, p))];

    /// <summary>The .NET process with this id; null if there is none, or the process is not a .NET process.</summary>
    internal static ListedProcess? One(Machine machine, int pid) =>
        ProcessPortrait.Of(machine, pid) is { } portrait && IsDotnet(machine, portrait) ? Describe(machine, portrait) : null;

    internal static IEnumerable<ProcessPortrait> Portraits(Machine machine)
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

    // Every user can read the names of threads, even of processes whose memory map tpwatch cannot read.
    static bool IsDotnet(Machine machine, ProcessPortrait portrait) =>
        !portrait.Stat.HasEnded
        && (portrait.Socket.Path is not null || (portrait.Runtime.IsDotnet ?? ThreadNames.AreOfDotnet(machine.Tree, portrait.Pid)));

    // An attach to a stopped process waits for it to continue; a list reports at once that the process does not answer.
    static ListedProcess Describe(Machine machine, ProcessPortrait p) =>
        Describe(machine, p, TargetFinder.WhyNot(machine, p) ?? WrongTarget.IsStopped(p));

    static ListedProcess Describe(Machine machine, ProcessPortrait p, UserErrorException? whyNot) => new()
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
        AgeMs = machine.Tree.UptimeMs() - p.Stat.StartTime * ProcStat.CheckMs,
    };
}

/// <summary>
/// The id of a process's container, taken from the name of its control group: 64 hexadecimal digits in every container runtime.
/// </summary>
static class ContainerId
{
    const int Length = 64;

    /// <summary>Number of digits that container tools show.</summary>
    const int Shown = 12;

    /// <summary>The first twelve digits; null if the process is in no container, or a namespace hides the name of its group.</summary>
    /// <param name="groups">The text of <c>/proc/PID/cgroup</c>.</param>
    public static string? Of(string? groups) => groups?.Split('/', '-', '.', ':', '\n').LastOrDefault(IsId)?[..Shown];

    static bool IsId(string word) => word.Length == Length && word.All(char.IsAsciiHexDigitLower);
}
