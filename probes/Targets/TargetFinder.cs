using System.Diagnostics;

namespace Tpwatch.Targets;

/// <summary>Finds the requested process, or explains why it cannot be watched.</summary>
static class TargetFinder
{
    /// <summary>
    /// The process with this id. Throws <see cref="UserErrorException"/> (exit code 1) if there is no such process, or it is tpwatch
    /// itself, not .NET, has diagnostics disabled, belongs to another user, or has no socket.
    /// </summary>
    public static Target ByPid(int pid) => ByPid(SystemPaths.Local, pid);

    /// <summary>
    /// The only .NET process whose executable or entry assembly has this name, ignoring case, with or without .dll or .exe. Throws
    /// <see cref="UserErrorException"/>: no match (exit code 1), several matches (3, with a list), or the process cannot be watched (1).
    /// </summary>
    public static Target ByName(string name) => ByName(SystemPaths.Local, name);

    /// <summary>
    /// The ids of all .NET processes with this name, compared as in <see cref="ByName(string)"/>, including processes that cannot be
    /// watched. Throws <see cref="UserErrorException"/> if there is none (exit code 1).
    /// </summary>
    public static IReadOnlyList<int> AllByName(string name) => Called(SystemPaths.Local, name) is { Length: > 0 } found
        ? [.. found.Select(p => p.Pid)]
        : throw TargetErrors.NoName(name);

    /// <summary>
    /// Finds a process again by its id and start time; a null start time is not compared. Throws <see cref="UserErrorException"/> as
    /// <see cref="ByPid(int)"/> does, and if another process now has this id (exit code 1).
    /// </summary>
    public static Target Again(int pid, ulong? startTime) => Again(SystemPaths.Local, pid, startTime);

    internal static Target Again(SystemPaths machine, int pid, ulong? startTime) =>
        ByPid(machine, pid, () => TargetErrors.IsGone(pid)) is var found
            && startTime is { } chosen && found.StartTime is { } now && now != chosen
            ? throw TargetErrors.IsAnother(pid)
            : found;

    internal static Target ByPid(SystemPaths machine, int pid) => ByPid(machine, pid, () => TargetErrors.NoProcess(
        pid, machine.Tree.ReadSelf("mountinfo").Text?.Contains("hidepid=", StringComparison.Ordinal) == true));

    static Target ByPid(SystemPaths machine, int pid, Func<UserErrorException> absent)
    {
        if (!machine.IsLinux)
        {
            return ByPidWithoutProc(pid);
        }

        var tree = machine.Tree;
        if (pid <= 0 || ProcessPortrait.Of(machine, pid) is not { } portrait)
        {
            throw absent();
        }

        if (tree.Status(pid).ProcessId is { } process && process != pid)
        {
            throw TargetErrors.IsThread(pid, process);
        }

        return TargetOf(machine, portrait);
    }

    internal static Target ByName(SystemPaths machine, string name)
    {
        var matches = Called(machine, name);
        return matches switch
        {
            [] => throw TargetErrors.NoName(name),
            [var one] => TargetOf(machine, one),
            _ => throw Several(name, matches),
        };
    }

    /// <summary>The most basic reason why the process cannot be watched; null if it can be watched.</summary>
    internal static UserErrorException? WhyNot(SystemPaths machine, ProcessPortrait p)
    {
        var tree = machine.Tree;
        var self = ProcStatus.Parse(tree.ReadSelf("status").Text).User;
        UserNames names = new(machine.Passwd);
        return p switch
        {
            { Pid: var pid } when pid == tree.SelfPid() => TargetErrors.IsSelf(pid),
            { Stat.HasEnded: true } => TargetErrors.HasEnded(p),
            _ when self is { } me and not 0 && p.User is { } owner && owner != me => TargetErrors.OtherUser(p, names, owner, me),
            { Socket.Path: not null } => null,
            { Runtime.IsDotnet: false } when !ThreadNames.AreOfDotnet(tree, p.Pid) => TargetErrors.IsNotDotnet(p),
            _ when p.Environment?.WhatDisablesDiagnostics() is { } setting => TargetErrors.DiagnosticsDisabled(p, setting),
            { Runtime.IsDotnet: false } => TargetErrors.IsNativeAot(p),
            _ when ThreadNames.AreOfDotnet(tree, p.Pid) && ThreadNames.Sessions(tree, p.Pid) < 0 => TargetErrors.NeverListened(p),
            _ => TargetErrors.SocketMissing(p, names.Of(p.User), tree.Link(p.Pid, "root") is null),
        };
    }

    static ProcessPortrait[] Called(SystemPaths machine, string name) => [.. ProcessScan.Portraits(machine).Where(p => p.IsCalled(name))];

    static Target TargetOf(SystemPaths machine, ProcessPortrait p) => WhyNot(machine, p) is { } reason
        ? throw reason
        : new Target { Pid = p.Pid, Name = p.Name, SocketPath = p.Socket.Path, StartTime = p.Stat.StartTime };

    static UserErrorException Several(string name, ProcessPortrait[] matches) => new(
        $"{matches.Length.ToString(CultureInfo.InvariantCulture)} .NET processes are called \"{name}\":"
            + string.Concat(matches
                .Select(p => string.Create(CultureInfo.InvariantCulture,
                    $"\n  {p.Pid,7}  {p.Name}  {TargetCommandLine.Shorten(p.Arguments)}"))),
        "Choose one with --pid N, or take all with --all in report, record and whatif.",
        ExitCode.Arguments);

    static Target ByPidWithoutProc(int pid)
    {
        if (pid == Environment.ProcessId)
        {
            throw TargetErrors.IsSelf(pid);
        }

        try
        {
            using var process = Process.GetProcessById(pid);
            return new Target { Pid = pid, Name = process.ProcessName };
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            throw TargetErrors.NoProcess(pid, othersAreHidden: false);
        }
    }
}

/// <summary>A process that tpwatch can watch; <see cref="TargetFinder"/> finds it.</summary>
sealed record Target
{
    /// <summary>Process id in tpwatch's pid namespace; in the target's own namespace if <see cref="IsElsewhere"/>.</summary>
    public required int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public required string Name { get; init => field = UntrustedText.Line(value); }

    /// <summary>Path of the diagnostic socket; null if the system has none (Windows), or the client library finds it (macOS).</summary>
    public string? SocketPath { get; init; }

    /// <summary>Start time in clock ticks since boot, which with the pid identifies the process uniquely; null outside Linux.</summary>
    public ulong? StartTime { get; init; }

    /// <summary>
    /// Whether the target runs in another pid namespace, such as a container's, and is reached only through a diagnostic port in a shared
    /// folder. This machine's /proc then does not describe the target.
    /// </summary>
    public bool IsElsewhere { get; init; }
}

/// <summary>Errors for processes that cannot be watched: one sentence and one hint for each reason.</summary>
static class TargetErrors
{
    const string ListThem = "`dotnet tpwatch ps` lists the processes that you can watch.";

    // The text does not tell the user to become root: the user may already be root.
    const string NeedsPtrace = "That needs CAP_SYS_PTRACE, which root has, but not in most containers.";

    public static UserErrorException NoProcess(int pid, bool othersAreHidden) => No(
        $"There is no process {Id(pid)}.",
        othersAreHidden ? "/proc hides other users' processes here (hidepid): run as that user or as root. " + ListThem : ListThem);

    public static UserErrorException IsGone(int pid) => No($"Process {Id(pid)} has ended.", ListThem);

    public static UserErrorException IsAnother(int pid) => No(
        $"The process has ended, and another process now has its id {Id(pid)}.", ListThem);

    public static UserErrorException IsThread(int pid, int process) => No(
        $"{Id(pid)} is a thread of process {Id(process)}, not a process.", $"Use --pid {Id(process)}.");

    public static UserErrorException HasEnded(ProcessPortrait p) => No(
        $"Process {Called(p)} has ended; its parent has not read its exit status yet (zombie).", ListThem);

    public static UserErrorException IsSelf(int pid) => No($"Process {Id(pid)} is this tpwatch, which cannot watch itself.", ListThem);

    public static UserErrorException NoName(string name) => No(
        $"No .NET process is called \"{name}\", and none has an entry assembly of that name.", ListThem);

    public static UserErrorException IsNotDotnet(ProcessPortrait p) => No(
        $"Process {Called(p)} is not a .NET process: it has no .NET runtime loaded and no diagnostic socket.",
        "If the process is a launcher or a shell, watch the program that it started: see `dotnet tpwatch ps`. "
            + "tpwatch can watch a NativeAOT program only if it was built with EventSourceSupport=true.");

    public static UserErrorException IsNativeAot(ProcessPortrait p) => No(
        $"Process {Called(p)} is a NativeAOT program without a diagnostic socket.",
        "Build the program with EventSourceSupport=true, then restart it.");

    public static UserErrorException DiagnosticsDisabled(ProcessPortrait p, string setting) => No(
        $"Diagnostics are disabled in process {Called(p)}: its environment has {setting}.",
        $"Restart the process without {setting.Split('=')[0]}; the runtime reads the variable only at start.");

    public static UserErrorException OtherUser(ProcessPortrait p, UserNames names, int owner, int self)
    {
        var name = names.Of(owner);
        var (spoken, forSudo) = names.IsNameless(owner) ? (name, $"'#{Id(owner)}'") : ($"user {name}", name);
        return No(
            $"Process {Called(p)} runs as {spoken}, but tpwatch runs as {names.Of(self)}. Only {spoken} or root can attach.",
            name == "root" ? "Run tpwatch as root (sudo)." : $"Run tpwatch as {name} (sudo -u {forSudo} ...) or as root.");
    }

    /// <summary>The error for a stopped process, whose runtime cannot answer; null if the process is not stopped.</summary>
    public static UserErrorException? IsStopped(ProcessPortrait p) =>
        ProcessStandstill(p.Stat.State, p.Pid) is { } why ? No($"Process {Called(p)} does not answer: {why.Because}.", why.Hint) : null;

    /// <summary>Why a process in a state (the kernel's letter) does not run, and how to continue it; null if it can run.</summary>
    public static (string Because, string Hint)? ProcessStandstill(char? state, int pid) => state switch
    {
        'T' => ("it is stopped (state T)", $"Continue the process (kill -CONT {Id(pid)}), then attach again."),
        't' => ("a debugger holds it (state t)", "Let the process continue or detach the debugger, then attach again."),
        _ => null,
    };

    /// <summary>The error for a runtime without a thread that serves the diagnostic socket.</summary>
    public static UserErrorException NeverListened(ProcessPortrait p) => No(
        $"The runtime of process {Called(p)} has no diagnostic socket: it could not create {p.Socket.Tried[0]}.",
        "If the process has only just started, try again. Otherwise restart the process with TMPDIR set to a folder that it may write to.");

    public static UserErrorException SocketMissing(ProcessPortrait p, string owner, bool rootDenied) => No(
        $"The diagnostic socket of process {Called(p)}, user {owner}, was not found. Tried: {string.Join(", ", p.Socket.Tried)}.",
        HowToFindSocket(p, rootDenied));

    static string HowToFindSocket(ProcessPortrait p, bool rootDenied) =>
        p.Runtime.IsDotnet is null
            ? $"tpwatch may not read /proc/{Id(p.Pid)}, so it is not known whether this is a .NET process. " + NeedsPtrace
        : rootDenied ? $"tpwatch may not read /proc/{Id(p.Pid)}/root. {NeedsPtrace} Or run tpwatch inside the target's container."
        : p.Socket.Stale.Length > 0
            ? $"An earlier process with the same id left {p.Socket.Stale[0]} behind. If the process has only just started, try again."
        : "If the process has only just started, try again. If the process is ending, its runtime has removed the socket. "
            + "Otherwise something, such as a cleanup of temporary files, has deleted the socket: restart the process.";

    static UserErrorException No(string sentence, string hint) => new(sentence, hint, ExitCode.NoSession);

    static string Called(ProcessPortrait p) => $"{Id(p.Pid)} ({p.Name})";

    static string Id(int pid) => pid.ToString(CultureInfo.InvariantCulture);
}

/// <summary>
/// Finds .NET processes that are new since the previous search. A process is examined only when it has reached the required age, so
/// short-lived processes never are. A search without new processes lists /proc and reads little more.
/// </summary>
sealed class ProcessArrivals(SystemPaths machine, double oldEnoughMs)
{
    /// <summary>
    /// Time after which a process is examined again if it was not a .NET process or could not be watched, milliseconds. By then, it may
    /// have become a .NET process (a script that ends with exec), or watching may be possible.
    /// </summary>
    const double LookAgainMs = 60_000;

    readonly Dictionary<int, Seen> known = [];

    /// <summary>
    /// The processes that reached the required age since the last search, ordered by pid. A process that cannot be watched is returned
    /// again only when the reason changes. A process for which <see cref="Forget"/> was called is returned again.
    /// </summary>
    public ImmutableArray<ListedProcess> Look()
    {
        var tree = machine.Tree;
        var now = tree.UptimeMs() ?? 0;
        var (self, alive) = (tree.SelfPid(), tree.Pids().ToHashSet());
        foreach (var gone in known.Keys.Where(pid => !alive.Contains(pid)).ToArray())
        {
            known.Remove(gone);
        }

        return [.. alive.Where(pid => pid != self && IsDue(pid, now)).Order().Select(pid => Describe(pid, now)).OfType<ListedProcess>()];
    }

    /// <summary>
    /// Makes <see cref="Look"/> return a process again after <paramref name="afterMs"/> milliseconds, if the process still runs; for a
    /// process that tpwatch could not attach to, or no longer watches.
    /// </summary>
    public void Forget(int pid, double afterMs) =>
        known[pid] = new((machine.Tree.UptimeMs() ?? 0) + afterMs, known.GetValueOrDefault(pid)?.Refusal);

    bool IsDue(int pid, double now)
    {
        if (known.TryGetValue(pid, out var seen))
        {
            return now >= seen.NextMs;
        }

        if (machine.Tree.Stat(pid) is not { } stat)
        {
            return false;
        }

        var ripe = stat.StartTime * ProcStat.ClockTickMs + oldEnoughMs;
        known[pid] = new(ripe, null);
        return now >= ripe;
    }

    ListedProcess? Describe(int pid, double now)
    {
        var before = known[pid].Refusal;
        var found = ProcessScan.One(machine, pid);
        known[pid] = new(found is { WhyNot: null } ? double.PositiveInfinity : now + LookAgainMs, found?.WhyNot);
        return found is { WhyNot: { } why } && why == before ? null : found;
    }

    sealed record Seen(double NextMs, string? Refusal);
}
