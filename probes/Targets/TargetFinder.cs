using System.Diagnostics;

namespace Tpwatch.Targets;

/// <summary>Finds the requested process, or explains why it cannot be watched.</summary>
static class TargetFinder
{
    /// <summary>
    /// The process with this id. Throws <see cref="UserErrorException"/> (exit code 1) if there is no such process, or it is tpwatch
    /// itself, not .NET, has diagnostics disabled, belongs to another user, or has no socket.
    /// </summary>
    public static Target ByPid(int pid) => ByPid(Machine.Local, pid);

    /// <summary>
    /// The only .NET process whose executable or entry assembly has this name, ignoring case, with or without .dll or .exe. Throws
    /// <see cref="UserErrorException"/>: no match (exit code 1), several matches (3, with a list), or the process cannot be watched (1).
    /// </summary>
    public static Target ByName(string name) => ByName(Machine.Local, name);

    /// <summary>
    /// The ids of all .NET processes with this name, compared as in <see cref="ByName(string)"/>, including processes that cannot be
    /// watched. Throws <see cref="UserErrorException"/> if there is none (exit code 1).
    /// </summary>
    public static IReadOnlyList<int> AllByName(string name) => Called(Machine.Local, name) is { Length: > 0 } found
        ? [.. found.Select(p => p.Pid)]
        : throw WrongTarget.NoName(name);

    /// <summary>
    /// A process that was found before; its start time identifies it uniquely. Throws <see cref="UserErrorException"/> as
    /// <see cref="ByPid(int)"/> does, and if another process now has its id (exit code 1).
    /// </summary>
    public static Target Again(int pid, ulong? startTime) => Again(Machine.Local, pid, startTime);

    internal static Target Again(Machine machine, int pid, ulong? startTime) =>
        ByPid(machine, pid, () => WrongTarget.IsGone(pid)) is var found
            && startTime is { } chosen && found.StartTime is { } now && now != chosen
            ? throw WrongTarget.IsAnother(pid)
            : found;

    internal static Target ByPid(Machine machine, int pid) => ByPid(machine, pid, () => WrongTarget.NoProcess(
        pid, machine.Tree.ReadSelf("mountinfo").Text?.Contains("hidepid=", StringComparison.Ordinal) == true));

    static Target ByPid(Machine machine, int pid, Func<UserErrorException> absent)
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
            throw WrongTarget.IsThread(pid, process);
        }

        return TargetOf(machine, portrait);
    }

    internal static Target ByName(Machine machine, string name)
    {
        var matches = Called(machine, name);
        return matches switch
        {
            [] => throw WrongTarget.NoName(name),
            [var one] => TargetOf(machine, one),
            _ => throw Several(name, matches),
        };
    }

    /// <summary>Why the process cannot be watched; null if it can be watched. Of several reasons, the first explains the others.</summary>
    internal static UserErrorException? WhyNot(Machine machine, ProcessPortrait p)
    {
        var tree = machine.Tree;
        var self = ProcStatus.Parse(tree.ReadSelf("status").Text).User;
        UserNames names = new(machine.Passwd);
        return p switch
        {
            { Pid: var pid } when pid == tree.SelfPid() => WrongTarget.IsSelf(pid),
            { Stat.HasEnded: true } => WrongTarget.HasEnded(p),
            _ when self is { } me and not 0 && p.User is { } owner && owner != me =>
                WrongTarget.OtherUser(p, names, owner, me),
            { Socket.Path: not null } => null,
            { Runtime.IsDotnet: false } when !ThreadNames.AreOfDotnet(tree, p.Pid) => WrongTarget.IsNotDotnet(p),
            _ when p.Environment?.WhatDisablesDiagnostics() is { } setting => WrongTarget.DiagnosticsDisabled(p, setting),
            { Runtime.IsDotnet: false } => WrongTarget.IsNativeAot(p),
            _ when ThreadNames.AreOfDotnet(tree, p.Pid) && ThreadNames.Sessions(tree, p.Pid) < 0 => WrongTarget.NeverListened(p),
            _ => WrongTarget.SocketMissing(p, names.Of(p.User), tree.Link(p.Pid, "root") is null),
        };
    }

    static ProcessPortrait[] Called(Machine machine, string name) => [.. ProcessScan.Portraits(machine).Where(p => p.IsCalled(name))];

    static Target TargetOf(Machine machine, ProcessPortrait p) => WhyNot(machine, p) is { } reason
        ? throw reason
        : new Target { Pid = p.Pid, Name = p.Name, SocketPath = p.Socket.Path, StartTime = p.Stat.StartTime };

    static UserErrorException Several(string name, ProcessPortrait[] matches) => new(
        $"{matches.Length.ToString(CultureInfo.InvariantCulture)} .NET processes are called \"{name}\":"
            + string.Concat(matches
                .Select(p => string.Create(CultureInfo.InvariantCulture, $"\n  {p.Pid,7}  {p.Name}  {CommandLine.Shorten(p.Arguments)}"))),
        "Choose one with --pid N, or take all with --all in report, record and whatif.",
        ExitCode.Arguments);

    static Target ByPidWithoutProc(int pid)
    {
        if (pid == Environment.ProcessId)
        {
            throw WrongTarget.IsSelf(pid);
        }

        try
        {
            using var process = Process.GetProcessById(pid);
            return new Target { Pid = pid, Name = process.ProcessName };
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            throw WrongTarget.NoProcess(pid, othersAreHidden: false);
        }
    }
}
