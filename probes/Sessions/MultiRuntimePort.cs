using System.Net.Sockets;
using System.Threading.Channels;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A runtime that has connected to a shared port.</summary>
/// <param name="Said">The message with which the runtime introduced itself.</param>
/// <param name="LocalPid">The runtime's process id in tpwatch's namespace; null if it does not run on this machine.</param>
/// <param name="Port">The local port that was opened for the runtime.</param>
/// <param name="Came">Timestamp (<see cref="TimeProvider.GetTimestamp"/>) of the runtime's first connection.</param>
sealed record PortRuntime(Advertisement Said, int? LocalPid, RelayPort Port, long Came)
{
    /// <summary>Timestamp of the last check that found an open connection; <see cref="Came"/> before the first check.</summary>
    public long Seen { get; init; } = Came;
}

/// <summary>
/// Listens on a path to which any number of runtimes connect, and opens a local port for each runtime. A runtime suspended at its start is
/// resumed at once, so that watching delays no service. A silent or stopped runtime delays no other.
/// </summary>
sealed class MultiRuntimePort : IAsyncDisposable
{
    static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Maximum time without a connection before a runtime counts as gone. A live runtime reconnects within milliseconds; for a runtime
    /// outside this machine, the missing connection is the only sign of its exit.
    /// </summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    readonly string path;
    readonly Socket outer;
    readonly CancellationTokenSource end = new();
    readonly Channel<(Socket Connection, Advertisement Runtime)?> greeted = Channel.CreateUnbounded<(Socket, Advertisement)?>();
    readonly List<Task> resumed = [];
    readonly Task work;
    ImmutableDictionary<Guid, PortRuntime> runtimes = ImmutableDictionary<Guid, PortRuntime>.Empty;

    MultiRuntimePort(string path, Socket outer)
    {
        (this.path, this.outer) = (path, outer);
        work = Task.WhenAll(AcceptAsync(), SortAsync(), LookAsync());
    }

    /// <summary>The connected runtimes by their cookies; for any thread.</summary>
    public ImmutableDictionary<Guid, PortRuntime> Runtimes => Volatile.Read(ref runtimes);

    /// <summary>Begins to listen. Throws <see cref="UserErrorException"/> (exit code 3) if no socket can be created at the path.</summary>
    public static MultiRuntimePort Listen(string path) =>
        new(path, ReverseConnectListener.Listen(path, "if no program listens there anymore, remove the file; otherwise give another path"));

    public async ValueTask DisposeAsync()
    {
        if (end.IsCancellationRequested)
        {
            return;
        }

        await end.CancelAsync().ConfigureAwait(false);
        outer.Dispose();
        await work.ConfigureAwait(false);
        await Task.WhenAll(Runtimes.Values.Select(r => r.Port.DisposeAsync().AsTask())).ConfigureAwait(false);
        File.Delete(path);
        end.Dispose();
    }

    async Task AcceptAsync()
    {
        await ReverseConnectListener.GreetAsync(outer, (connection, runtime) => greeted.Writer.TryWrite((connection, runtime)), end.Token)
            .ConfigureAwait(false);
        greeted.Writer.TryComplete();
    }

    // Requests a check of the known runtimes every second, by a null item in the queue.
    async Task LookAsync()
    {
        while (!end.IsCancellationRequested && greeted.Writer.TryWrite(null))
        {
            await Task.WhenAny(Task.Delay(BetweenLooks, end.Token)).ConfigureAwait(false);
        }
    }

    // Handles connections and checks one after another; no step waits for an answer of a runtime.
    async Task SortAsync()
    {
        await foreach (var one in greeted.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (one is { Connection: var connection, Runtime: var runtime })
            {
                Take(connection, runtime);
            }
            else
            {
                await ForgetAsync().ConfigureAwait(false);
            }
        }

        await Task.WhenAll(resumed).ConfigureAwait(false);
    }

    void Take(Socket connection, Advertisement runtime)
    {
        if (Runtimes.TryGetValue(runtime.Cookie, out var known))
        {
            known.Port.Put(connection);
            return;
        }

        var pid = PeerProcess.PidOf(connection);
        resumed.RemoveAll(t => t.IsCompletedSuccessfully);
        resumed.Add(ReverseConnectListener.ResumeAsync(connection, end.Token));
        try
        {
            PortRuntime come = new(runtime, pid, RelayPort.Open(), TimeProvider.System.GetTimestamp());
            Volatile.Write(ref runtimes, Runtimes.Add(runtime.Cookie, come));
        }
        catch (UserErrorException)
        {
            // No more sockets can be opened: the runtime runs without being watched, and connects again.
        }
    }

    async Task ForgetAsync()
    {
        foreach (var (run, runtime) in Runtimes)
        {
            if (!PortTarget.IsGone(runtime.LocalPid) && runtime.Port.IsHeld())
            {
                Volatile.Write(ref runtimes, Runtimes.SetItem(run, runtime with { Seen = TimeProvider.System.GetTimestamp() }));
            }
            else if (PortTarget.IsGone(runtime.LocalPid) || TimeProvider.System.GetElapsedTime(runtime.Seen) > Patience)
            {
                Volatile.Write(ref runtimes, Runtimes.Remove(run));
                await runtime.Port.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}

/// <summary>A process that has connected to a port.</summary>
/// <param name="Process">The process as in the list of <c>dotnet tpwatch ps</c>.</param>
/// <param name="Target">The target to attach to.</param>
/// <param name="Run">Random id (cookie) of this run of the runtime.</param>
sealed record PortProcess(ListedProcess Process, Target Target, Guid Run);

/// <summary>
/// Finds processes as they connect to a port, by polling. Each process is returned once, when it is old enough and has described itself. A
/// process that does not answer is asked again later, and does not delay the others.
/// </summary>
/// <param name="port">The port to which the processes connect.</param>
/// <param name="oldEnough">Minimum age of a returned process; outside this machine, the age counts from the first connection.</param>
sealed class PortProcessFinder(MultiRuntimePort port, TimeSpan oldEnough)
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

    /// <summary>Makes <see cref="Look"/> return a process again after a time, if the process is then still connected.</summary>
    public void Forget(Guid run, TimeSpan after) => known[run] = new(Task.FromResult<PortProcess?>(null), After(after));

    /// <summary>Whether the process is no longer connected or has ended.</summary>
    public bool HasGone(Guid run) => !port.Runtimes.TryGetValue(run, out var runtime) || PortTarget.IsGone(runtime.LocalPid);

    /// <summary>The target of a process that was returned; null for other processes.</summary>
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
        var info = await new DiagnosticPortClient(path, TimeProvider.System).ProcessInfoAsync(CancellationToken.None).ConfigureAwait(false);
        if (info is null || runtime.LocalPid == Environment.ProcessId)
        {
            return null;
        }

        var target = PortTarget.TargetAt(SystemPaths.Local, path, runtime.LocalPid, info);
        var listed = target.IsElsewhere ? null : ProcessScan.One(SystemPaths.Local, target.Pid);
        var process = listed ?? new ListedProcess
        {
            Pid = target.Pid, Name = target.Name, User = "", Runtime = info.RuntimeVersion, CommandLine = info.CommandLine ?? "",
        };
        return new(process with { SocketPath = path, WhyNot = null, Hint = null }, target, run);
    }

    bool IsOldEnough(PortRuntime runtime) => runtime.LocalPid is { } pid && SystemPaths.Local is { IsLinux: true, Tree: var tree }
        && tree.Stat(pid) is { } stat && tree.UptimeMs() is { } uptime
            ? uptime - stat.StartTime * ProcStat.ClockTickMs >= oldEnough.TotalMilliseconds
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
