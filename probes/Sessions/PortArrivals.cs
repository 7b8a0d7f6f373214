using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A process that has connected to a port.</summary>
/// <param name="Process">The process as a list shows it.</param>
/// <param name="Target">The target to attach to.</param>
/// <param name="Run">The cookie of this run of its runtime.</param>
sealed record PortProcess(ListedProcess Process, Target Target, Guid Run);

/// <summary>
/// Finds processes as they connect to a port, by polling. Each process is returned once, when it is old enough and has described itself. A
/// process that does not answer is asked again later, and does not delay the others.
/// </summary>
/// <param name="port">The port to which the processes connect.</param>
/// <param name="oldEnough">Minimum age of a returned process; a process outside this machine is as old as its first connection.</param>
sealed class PortArrivals(SharedPort port, TimeSpan oldEnough)
{
    static readonly TimeSpan AskAgain = TimeSpan.FromSeconds(10);

    readonly Dictionary<Guid, Known> known = [];

    /// <summary>Polls once; returns the processes that are new since the last poll.</summary>
    public ImmutableArray<PortProcess> Look()
    {
        var now = port.Runtimes;
        foreach (var gone in known.Keys.Where(run => !now.ContainsKey(run)).ToArray())
        {
            known.Remove(gone);
        }

        return [.. now.Where(one => IsOldEnough(one.Value)).Select(one => Ask(one.Key, one.Value)).OfType<PortProcess>()];
    }

    /// <summary>Makes a process due again: it is returned once more after this time, if it is still connected.</summary>
    public void Forget(Guid run, TimeSpan after) => known[run] = new(Task.FromResult<PortProcess?>(null), After(after));

    /// <summary>Whether the process is no longer connected or has ended.</summary>
    public bool HasGone(Guid run) => !port.Runtimes.TryGetValue(run, out var runtime) || PortTarget.IsGone(runtime.LocalPid);

    /// <summary>The target of a process that was returned; null when it has gone.</summary>
    public Target? TargetOf(Guid run) => known.GetValueOrDefault(run)?.Target;

    PortProcess? Ask(Guid run, PortRuntime runtime)
    {
        var before = known.GetValueOrDefault(run);
        if (before is null || (before.Process is { IsCompleted: true, Result: null } && TimeProvider.System.GetTimestamp() >= before.Due))
        {
            known[run] = new(DescribeAsync(run, runtime), After(AskAgain));
            return null;
        }

        if (before is not { Target: null, Process: { IsCompletedSuccessfully: true, Result: { } found } })
        {
            return null;
        }

        known[run] = before with { Target = found.Target };
        return found;
    }

    static async Task<PortProcess?> DescribeAsync(Guid run, PortRuntime runtime)
    {
        var path = runtime.Port.Path;
        var info = await new DiagnosticPort(path, TimeProvider.System).ProcessInfoAsync(CancellationToken.None).ConfigureAwait(false);
        if (info is null || runtime.LocalPid == Environment.ProcessId)
        {
            return null;
        }

        var target = PortTarget.TargetAt(Machine.Local, path, runtime.LocalPid, info);
        var listed = target.IsElsewhere ? null : ProcessScan.One(Machine.Local, target.Pid);
        var process = listed ?? new ListedProcess
        {
            Pid = target.Pid, Name = target.Name, User = "", Runtime = info.RuntimeVersion, CommandLine = info.CommandLine ?? "",
        };
        return new(process with { SocketPath = path, WhyNot = null, Hint = null }, target, run);
    }

    bool IsOldEnough(PortRuntime runtime) => runtime.LocalPid is { } pid && Machine.Local is { IsLinux: true, Tree: var tree }
        && tree.Stat(pid) is { } stat && tree.UptimeMs() is { } uptime
            ? uptime - stat.StartTime * ProcStat.CheckMs >= oldEnough.TotalMilliseconds
            : TimeProvider.System.GetElapsedTime(runtime.Came) >= oldEnough;

    static long After(TimeSpan span) =>
        TimeProvider.System.GetTimestamp() + (long)(span.TotalSeconds * TimeProvider.System.TimestampFrequency);

    /// <param name="Process">The process's description; null if the process does not answer.</param>
    /// <param name="Due">Timestamp from which a process that does not answer is asked again.</param>
    sealed record Known(Task<PortProcess?> Process, long Due)
    {
        /// <summary>The target; null until the process was returned.</summary>
        public Target? Target { get; init; }
    }
}
