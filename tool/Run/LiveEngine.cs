using System.Diagnostics;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>The engine for real processes and recordings.</summary>
sealed class LiveEngine : IEngine
{
    public Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel) => Task.FromResult<IReadOnlyList<ProcessRow>>(
        [.. ProcessScan.All().Select(RowOf)]);

    public IProcessTracker Machine(TimeSpan olderThan, MultiRuntimePort? port, bool scans) =>
        new LiveProcessTracker(olderThan, port, scans);

    public Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel) => DescribeAsync(TargetFinder.ByName(name), cancel);

    public Task<IReadOnlyList<int>> AllByNameAsync(string name, CancellationToken cancel) => Task.FromResult(TargetFinder.AllByName(name));

    public Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel) => DescribeAsync(TargetFinder.ByPid(pid), cancel);

    public async Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel) => new EngineWatch(
        await ThreadPoolWatch.AttachAsync(TargetFinder.Again(process.Pid, process.StartTime), options, cancel), hasTarget: true);

    public async Task<ITarget> BehindPortAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel) =>
        await BehindPort.OpenAsync(address, timeout, cancel);

    public ITarget Launch(LaunchRequest command) => new LaunchedTarget(command);

    public IWatch Replay(string file, WatchOptions options) => new EngineWatch(ThreadPoolWatch.Replay(file, options), hasTarget: false);

    internal static ProcessRow RowOf(ListedProcess p) => new(p.Pid, p.Name, p.Runtime, p.User, p.CommandLine, p.WhyNot)
    {
        StartTime = p.StartTime, Hint = p.Hint, Threads = p.Threads, ProcessorMs = p.ProcessorMs, AgeMs = p.AgeMs,
        Executable = p.Executable, Container = p.Container,
    };

    static async Task<ProcessRow> DescribeAsync(Target target, CancellationToken cancel)
    {
        var facts = await TargetPortrait.TakeAsync(target, cancel);
        return new(target.Pid, facts.Name, facts.RuntimeVersion, null, facts.CommandLine) { StartTime = target.StartTime };
    }
}

/// <summary>Tracks the processes of this machine and those that connect to a diagnostic port of tpwatch.</summary>
sealed class LiveProcessTracker(TimeSpan olderThan, MultiRuntimePort? port, bool scans) : IProcessTracker
{
    readonly ProcessArrivals? scanned = scans ? new(SystemPaths.Local, olderThan.TotalMilliseconds) : null;
    readonly PortProcessFinder? came = port is null ? null : new(port, olderThan);
    readonly SharedProcessSampling sampling = new(SystemPaths.Local);

    public IReadOnlyList<ProcessRow> Arrivals() =>
    [
        .. came is null ? [] : came.Look().Select(one => LiveEngine.RowOf(one.Process) with { Run = one.Run }),
        .. scanned is null ? [] : scanned.Look().Select(LiveEngine.RowOf),
    ];

    public void Later(ProcessRow process, TimeSpan after)
    {
        if (process.Run is { } run)
        {
            came?.Forget(run, after);
        }
        else
        {
            scanned?.Forget(process.Pid, after.TotalMilliseconds);
        }
    }

    public bool HasGone(ProcessRow process) => process.Run is { } run
        ? came?.HasGone(run) != false
        : SystemPaths.Local.Tree.Stat(process.Pid) is not { HasEnded: false } stat || stat.StartTime != process.StartTime;

    public async Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel) => new EngineWatch(
        await ThreadPoolWatch.AttachAsync(TargetOf(process), options, sampling, cancel), hasTarget: true);

    public async Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel) => await SideSession.OpenAsync(
        TargetOf(process),
        facts => SessionNeeds.Plan(ProbeSet.Basic(facts.RuntimeMajor, WatchOptions.DefaultSampleInterval)), cancel);

    public void Dispose() => sampling.Dispose();

    Target TargetOf(ProcessRow process) => process.Run is not { } run ? TargetFinder.Again(process.Pid, process.StartTime)
        : came?.TargetOf(run) ?? throw new UserErrorException(
            FormattableString.Invariant($"process {process.Pid} has disconnected from the port"), "start it again", ExitCode.NoSession);
}

/// <summary>The process at a diagnostic port. After it has ended, the next process at the same port takes its place.</summary>
sealed class BehindPort(PortAddress address, TimeSpan timeout, PortTarget port, ProcessRow row) : ITarget
{
    /// <summary>Interval of attempts to connect to the next process: short enough to see its start, and cheap enough for hours.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(100);

    /// <summary>Maximum wait for a process's exit. A local exit takes milliseconds; an exit on another machine cannot be seen.</summary>
    static readonly TimeSpan EndPatience = TimeSpan.FromSeconds(2);

    public ProcessRow Row { get; private set; } = row;

    /// <summary>Connects to the port, or listens until a runtime connects.</summary>
    /// <exception cref="UserErrorException">No process answers, no process connects in time, or the port cannot be opened.</exception>
    public static async Task<BehindPort> OpenAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        var (port, row) = await FindAsync(address, timeout, cancel);
        return new(address, timeout, port, row);
    }

    public async Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) =>
        new EngineWatch(await ThreadPoolWatch.AttachAsync(port, options, cancel), hasTarget: true);

    // Replaces the ended process by the next one. A runtime that connects meanwhile is refused, and retries within half a second.
    public async Task<bool> NextAsync(CancellationToken cancel)
    {
        address = address with { Before = address.Before.Add(port.Run) };
        await port.DisposeAsync();
        // Waits for the exit, because an exiting runtime would connect again if tpwatch listens at the port.
        for (var began = TimeProvider.System.GetTimestamp();
            !port.HasGone && TimeProvider.System.GetElapsedTime(began) < EndPatience;)
        {
            await Task.Delay(LookAgain, cancel);
        }

        (port, Row) = await AwaitAsync(cancel);
        return true;
    }

    public ValueTask DisposeAsync() => port.DisposeAsync();

    async Task<(PortTarget Port, ProcessRow Row)> AwaitAsync(CancellationToken cancel)
    {
        var began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            try
            {
                return await FindAsync(address, timeout, cancel);
            }
            catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession && TimeProvider.System.GetElapsedTime(began) < timeout)
            {
                // The socket file of the ended process still exists, or the next process has not opened its socket yet.
                await Task.Delay(LookAgain, cancel);
            }
        }
    }

    static async Task<(PortTarget Port, ProcessRow Row)> FindAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        var port = await PortTarget.OpenAsync(address, timeout, cancel);
        try
        {
            var facts = await TargetPortrait.TakeAsync(port.Target, cancel);
            return (port, new(port.Target.Pid, facts.Name, facts.RuntimeVersion, null, facts.CommandLine));
        }
        catch
        {
            await port.DisposeAsync();
            throw;
        }
    }
}

/// <summary>The program after <c>--</c>. tpwatch launches and watches the program, and ends it when tpwatch exits.</summary>
sealed class LaunchedTarget(LaunchRequest request) : ITarget
{
    /// <summary>Maximum wait for the exit after the event stream has ended: usually milliseconds, longer with a core dump.</summary>
    static readonly TimeSpan ExitPatience = TimeSpan.FromSeconds(10);

    LaunchedProcess? process;

    public ProcessRow Row { get; } = new(0, request.Name, null, null, string.Join(' ', request.Words));

    public async Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel)
    {
        if (process is not null)
        {
            return new EngineWatch(await ThreadPoolWatch.AttachAsync(process.Pid, options, cancel), hasTarget: true);
        }

        process = await LaunchedProcess.StartAsync(StartInfo(), request.ShowIo ? Console.OpenStandardError() : null);
        return new EngineWatch(await ThreadPoolWatch.AttachAsync(process, options, cancel), hasTarget: true);
    }

    public async Task<int?> ExitCodeAsync(CancellationToken cancel)
    {
        if (process is null)
        {
            return null;
        }

        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        patience.CancelAfter(ExitPatience);
        try
        {
            return await process.Exit.WaitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    public ValueTask DisposeAsync() => process?.DisposeAsync() ?? ValueTask.CompletedTask;

    // The program's output goes to the standard error of tpwatch, because standard output is for results only.
    ProcessStartInfo StartInfo()
    {
        var start = new ProcessStartInfo(request.Words[0])
        {
            UseShellExecute = false,
            RedirectStandardInput = !request.ShowIo,
            RedirectStandardOutput = true,
            RedirectStandardError = !request.ShowIo,
        };
        foreach (var word in request.Words.Skip(1))
        {
            start.ArgumentList.Add(word);
        }

        return start;
    }
}

/// <summary>A process that was running before tpwatch attached.</summary>
/// <param name="awaited">Whether tpwatch waited for the process, which may therefore still be starting.</param>
sealed class RunningTarget(ProcessRow row, IEngine engine, bool awaited = false) : ITarget
{
    public ProcessRow Row => row;

    public Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) =>
        engine.AttachAsync(row, options with { MayBeStarting = awaited }, cancel);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
