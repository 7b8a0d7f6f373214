using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Sessions;
using Tpwatch.Text;

namespace Tpwatch.Tests.Verbs;

/// <summary>An engine that hands out reports made by hand, and remembers what it was asked.</summary>
sealed class FakeEngine : IEngine
{
    public static readonly ProcessRow OrderApi =
        new(41822, "OrderApi", "10.0.12", "www-data", "/usr/bin/dotnet /srv/OrderApi.dll --password secret");

    /// <summary>The processes of the machine.</summary>
    public List<ProcessRow> Processes { get; } = [OrderApi];

    /// <summary>What an observation sees, one report after another; the last one stays.</summary>
    public List<PoolReport> Reports { get; } = [Render.SampleReports.Starved()];

    /// <summary>Whether the stream goes on until somebody stops it.</summary>
    public bool GoesOn { get; set; }

    /// <summary>The processes that it attached to, in order.</summary>
    public List<ProcessRow> Attached { get; } = [];

    /// <summary>How often a name was looked for.</summary>
    public int Looks { get; private set; }

    /// <summary>Appears after so many looks.</summary>
    public int AppearsAfter { get; init; }

    /// <summary>What was asked of the last session.</summary>
    public WatchOptions? Options { get; private set; }

    /// <summary>The diagnostic port that was asked for.</summary>
    public PortAddress? Port { get; private set; }

    /// <summary>How long to wait there.</summary>
    public TimeSpan? Timeout { get; private set; }

    /// <summary>The program that was to be started.</summary>
    public LaunchRequest? Command { get; private set; }

    /// <summary>What a started program ends with.</summary>
    public int ChildExit { get; init; }

    /// <summary>Stacks that are being taken when the time is over.</summary>
    public Func<Task> Stacks { get; init; } = () => Task.CompletedTask;

    /// <summary>The last session.</summary>
    public FakeWatch? Watch { get; private set; }

    public Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel) => Task.FromResult<IReadOnlyList<ProcessRow>>(Processes);

    /// <summary>What comes and goes.</summary>
    public IProcessTracker Machine(TimeSpan olderThan, MultiRuntimePort? port, bool scans) =>
        throw new NotSupportedException("nothing is served here");

    public Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel) =>
        ++Looks > AppearsAfter && Processes.Find(p => p.Name == name) is { } row
            ? Task.FromResult(row)
            : throw new UserErrorException($"no .NET process is called '{name}'", "look at ps", ExitCode.NoSession);

    public Task<IReadOnlyList<int>> AllByNameAsync(string name, CancellationToken cancel) =>
        Processes.FindAll(p => p.Name == name) is { Count: > 0 } found
            ? Task.FromResult<IReadOnlyList<int>>([.. found.Select(p => p.Pid)])
            : throw new UserErrorException($"no .NET process is called '{name}'", "look at ps", ExitCode.NoSession);

    public Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel) => Processes.Find(p => p.Pid == pid) is { } row
        ? Task.FromResult(row)
        : throw new UserErrorException($"there is no process {pid}", "look at ps", ExitCode.NoSession);

    /// <summary>Why a recording ended early.</summary>
    public string? RecordingEnded { get; init; }

    /// <summary>Whether a recording could not be written.</summary>
    public bool RecordingFailed { get; init; }

    /// <summary>Why attaching fails; null when it does not.</summary>
    public UserErrorException? Refusal { get; init; }

    /// <summary>The one process to which attaching fails; null when it is all of them.</summary>
    public int? Refuses { get; init; }

    public Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel)
    {
        if (Refusal is { } refusal && (Refuses is null || Refuses == process.Pid))
        {
            throw refusal;
        }

        Options = options;
        Attached.Add(process);
        return Task.FromResult<IWatch>(
            Watch = new FakeWatch(Reports, GoesOn)
            {
                RecordingEnded = RecordingEnded,
                RecordingFailed = RecordingFailed,
                Stacks = Stacks,
            });
    }

    public Task<ITarget> BehindPortAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel)
    {
        (Port, Timeout) = (address, timeout);
        return Task.FromResult<ITarget>(new RunningTarget(OrderApi, this));
    }

    public ITarget Launch(LaunchRequest command)
    {
        Command = command;
        return new FakeChild(command, ChildExit, this);
    }

    /// <summary>How much of a recording has been read.</summary>
    public double? Progress { get; init; }

    public IWatch Replay(string file, WatchOptions options)
    {
        Options = options;
        return Watch = new FakeWatch(
            Reports, GoesOn)
        { Progress = Progress, RecordingEnded = RecordingEnded, RecordingFailed = RecordingFailed };
    }
}

/// <summary>A program that was started, as far as a verb can see.</summary>
sealed class FakeChild(LaunchRequest command, int exit, FakeEngine engine) : ITarget
{
    public ProcessRow Row { get; } = new(0, command.Name, null, null, null);

    public Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel) => engine.AttachAsync(Row, options, cancel);

    public Task<int?> ExitCodeAsync(CancellationToken cancel) => Task.FromResult<int?>(exit);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>An observation of reports made by hand.</summary>
sealed class FakeWatch(List<PoolReport> reports, bool goesOn) : IWatch
{
    readonly TaskCompletionSource<SessionEnd> completion = goesOn ? new() : Completed();
    int next;

    public Task<SessionEnd> Completion => completion.Task;

    public string? RecordingEnded { get; init; }

    public bool RecordingFailed { get; init; }

    public double? Progress { get; init; }

    public Func<Task> Stacks { get; init; } = () => Task.CompletedTask;

    public Task StacksUnderWay => Stacks();

    public bool Stopped { get; private set; }

    public bool Disposed { get; private set; }

    public PoolReport Report() => completion.Task.IsCompleted ? reports[^1] : reports[Math.Min(next++, reports.Count - 1)];

    public Task StopAsync(CancellationToken cancel)
    {
        Stopped = true;
        completion.TrySetResult(SessionEnd.StoppedByUs);
        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync()
    {
        Disposed = true;
        return ValueTask.CompletedTask;
    }

    static TaskCompletionSource<SessionEnd> Completed()
    {
        var source = new TaskCompletionSource<SessionEnd>();
        source.SetResult(SessionEnd.TargetExited);
        return source;
    }
}
