using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A process that has come to a port.</summary>
/// <param name="Process">What a list shows of it.</param>
/// <param name="Target">The way to it.</param>
/// <param name="Run">Names this run of its runtime.</param>
sealed record PortProcess(ListedProcess Process, Target Target, Guid Run);

/// <summary>
/// Finds processes as they come to a port, look after look: each is told once, when it is old enough and has said who it is. One that does
/// not answer is asked again later, and holds up nobody.
/// </summary>
/// <param name="port">Where they come.</param>
/// <param name="oldEnough">The age from which a process counts; one elsewhere is as old as its first connection.</param>
sealed class PortArrivals(SharedPort port, TimeSpan oldEnough)
{
    static readonly TimeSpan AskAgain = TimeSpan.FromSeconds(10);

    readonly Dictionary<Guid, Known> known = [];

    /// <summary>Those that are new since the last look.</summary>
    public ImmutableArray<PortProcess> Look()
    {
        var now = port.Runtimes;
        foreach (var gone in known.Keys.Where(run => !now.ContainsKey(run)).ToArray())
        {
            known.Remove(gone);
        }

        return [.. now.Where(one => IsOldEnough(one.Value)).Select(one => Ask(one.Key, one.Value)).OfType<PortProcess>()];
    }

    /// <summary>It is told again after so long, if it is still there.</summary>
    public void Forget(Guid run, TimeSpan after) => known[run] = new(Task.FromResult<PortProcess?>(null), After(after));

    /// <summary>Whether it is there no more.</summary>
    public bool HasGone(Guid run) => !port.Runtimes.TryGetValue(run, out var runtime) || PortTarget.IsGone(runtime.LocalPid);

    /// <summary>The way to one that was told; null where it has gone.</summary>
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
            ? uptime - stat.StartTime * ProcStat.TickMs >= oldEnough.TotalMilliseconds
            : TimeProvider.System.GetElapsedTime(runtime.Came) >= oldEnough;

    static long After(TimeSpan span) =>
        TimeProvider.System.GetTimestamp() + (long)(span.TotalSeconds * TimeProvider.System.TimestampFrequency);

    /// <param name="Process">What it says of itself; null where it does not answer.</param>
    /// <param name="Due">When one that does not answer is asked again.</param>
    sealed record Known(Task<PortProcess?> Process, long Due)
    {
        /// <summary>Null until it was told.</summary>
        public Target? Target { get; init; }
    }
}
