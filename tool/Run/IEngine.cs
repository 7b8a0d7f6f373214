using Tpwatch.Recordings;
using Tpwatch.Screen.Commands;
using Tpwatch.Sessions;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Run;

/// <summary>Finds processes, and watches a process or a recording. Tests of commands replace it by a fake.</summary>
interface IEngine
{
    /// <summary>Returns all .NET processes except tpwatch itself. If tpwatch cannot attach to a process, its row has the reason.</summary>
    Task<IReadOnlyList<ProcessRow>> FindAsync(CancellationToken cancel);

    /// <summary>Creates a tracker of .NET processes that start and exit. It finds local processes on Linux only.</summary>
    /// <param name="olderThan">Minimum age of a process to track.</param>
    /// <param name="port">A diagnostic port at which processes may connect to tpwatch; null for none.</param>
    /// <param name="scans">Whether the tracker scans the processes of this machine.</param>
    IProcessTracker Machine(TimeSpan olderThan, MultiRuntimePort? port, bool scans);

    /// <summary>Returns the only process with this name.</summary>
    /// <exception cref="UserErrorException">No process or several have the name, or tpwatch cannot attach to the process.</exception>
    Task<ProcessRow> ByNameAsync(string name, CancellationToken cancel);

    /// <summary>Returns the ids of all processes with this name, including those that tpwatch cannot attach to.</summary>
    /// <exception cref="UserErrorException">No process has the name.</exception>
    Task<IReadOnlyList<int>> AllByNameAsync(string name, CancellationToken cancel);

    /// <summary>Returns the process with this id.</summary>
    /// <exception cref="UserErrorException">No process has the id, or tpwatch cannot attach to the process.</exception>
    Task<ProcessRow> ByPidAsync(int pid, CancellationToken cancel);

    /// <summary>Attaches to a running process.</summary>
    /// <exception cref="UserErrorException">No session could be started, or the process id now belongs to another process.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>Returns the process behind a diagnostic port: connects to the port, or listens until a process connects.</summary>
    /// <exception cref="UserErrorException">No process answers, no process connects in time, or the port cannot be opened.</exception>
    Task<ITarget> BehindPortAsync(PortAddress address, TimeSpan timeout, CancellationToken cancel);

    /// <summary>Returns a target for a program; the first call of <see cref="ITarget.AttachAsync"/> launches the program.</summary>
    ITarget Launch(LaunchRequest command);

    /// <summary>Opens a recording and starts to read it.</summary>
    /// <exception cref="UserErrorException">The file cannot be read at all.</exception>
    IWatch Replay(string file, WatchOptions options);
}

/// <summary>The process that the user selected. Disposing the target ends the process only if tpwatch launched it.</summary>
interface ITarget : IAsyncDisposable
{
    /// <summary>What is known about the process before tpwatch attaches. For a program to launch, the process id stays 0.</summary>
    ProcessRow Row { get; }

    /// <summary>Starts a watch of the process. For a program to launch, the first call launches it; later calls attach to it.</summary>
    /// <exception cref="UserErrorException">No session could be started.</exception>
    Task<IWatch> AttachAsync(WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// After the process has ended, waits until the next process at the same port becomes the target. Returns false without a port.
    /// </summary>
    /// <exception cref="UserErrorException">No process connected in time.</exception>
    Task<bool> NextAsync(CancellationToken cancel) => Task.FromResult(false);

    /// <summary>
    /// Returns the exit code of a launched program, after a limited wait; null if it still runs, or if none was launched.
    /// </summary>
    Task<int?> ExitCodeAsync(CancellationToken cancel) => Task.FromResult<int?>(null);
}

/// <summary>
/// One watch of a process or a recording: the members of the engine's <c>ThreadPoolWatch</c> that commands need. Tests of commands replace
/// it by a fake.
/// </summary>
interface IWatch : IAsyncDisposable
{
    /// <summary>Task that completes when the event stream has ended and the report contains all events.</summary>
    Task<SessionEnd> Completion { get; }

    /// <summary>Returns the latest report; while nothing has changed, the same object as before.</summary>
    PoolReport Report();

    /// <summary>Task that completes when the last report is out of date; already complete if the watch does not track that.</summary>
    Task News => Task.CompletedTask;

    /// <summary>Returns the current state of the pool, at a fraction of the cost of a report; null if the state is not available.</summary>
    /// <param name="since">Start of the time that the verdict covers; null for the whole capture.</param>
    CurrentPoolState? Glance(TimelineSnapshot? since) => null;

    /// <summary>Task that completes when the current stack burst has been read; already complete without a burst.</summary>
    Task StacksUnderWay => Task.CompletedTask;

    /// <summary>Share of a recording that has been read, from 0 to 1; null for a live session.</summary>
    double? Progress => null;

    /// <summary>How long a live target has sent no data, and whether its process is stopped; null while data arrives.</summary>
    TargetSilence? Silence => null;

    /// <summary>Why the recording ended before the session; null while the recording continues, or if tpwatch records nothing.</summary>
    string? RecordingEnded => null;

    /// <summary>Whether a part of the recording could not be written.</summary>
    bool RecordingFailed => false;

    /// <summary>Why no new session could be started after <c>fg</c> continued tpwatch; null otherwise.</summary>
    string? ResumeFailure => null;

    /// <summary>How far tpwatch is behind a live target in reading events; null while it keeps up.</summary>
    TimeSpan? Behind => null;

    /// <summary>Notice that the watch waits for a new process, or that this wait failed; otherwise null.</summary>
    Notice? Awaits => null;

    /// <summary>Controls of a replay on the screen; null for every other watch.</summary>
    IPlayback? Playback => null;

    /// <summary>Turns stacks and the measurement of items on and off during the watch; null if that is not possible.</summary>
    IProbeSwitch? Probes => null;

    /// <summary>Whether <see cref="Again"/> can wait for a new process with the same name or port.</summary>
    bool CanWatchAgain => false;

    /// <summary>
    /// Starts to wait for a new process with the same name or port; the watch then continues with that process. The data of the ended
    /// process stays until then. Returns a sentence for the user.
    /// </summary>
    string Again() => "";

    /// <summary>Excludes all events up to now from later reports.</summary>
    void Forget()
    {
    }

    /// <summary>Writes the events that the flight recorder retains to a new recording.</summary>
    /// <exception cref="UserErrorException">No events are retained, or the file cannot be written.</exception>
    SavedFlight SaveRetained(string path) =>
        throw new UserErrorException("there are no events to save here", "use dotnet tpwatch record instead", ExitCode.NoSession);

    /// <summary>Ends the session in order, within a time limit.</summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Ends the session, within a time limit, before Ctrl+Z suspends tpwatch.</summary>
    Task SuspendAsync(CancellationToken cancel) => Task.CompletedTask;

    /// <summary>Starts a new session after <c>fg</c> has continued tpwatch.</summary>
    /// <exception cref="UserErrorException">No session could be started.</exception>
    Task ResumeAsync(CancellationToken cancel) => Task.CompletedTask;
}

/// <summary>Tracks the .NET processes of this machine, and attaches to them; for commands that watch many processes.</summary>
interface IProcessTracker : IDisposable
{
    /// <summary>
    /// Returns the processes that reached the minimum age since the last call. A process that tpwatch cannot watch is returned once, with
    /// the reason in its row.
    /// </summary>
    IReadOnlyList<ProcessRow> Arrivals();

    /// <summary>Makes <see cref="Arrivals"/> return a process again after the given time if it still runs then.</summary>
    void Later(ProcessRow process, TimeSpan after);

    /// <summary>Whether the process has exited, even if its id now belongs to another process.</summary>
    bool HasGone(ProcessRow process);

    /// <summary>Attaches to a process at less cost than <see cref="IEngine.AttachAsync"/>, so that a hundred can be watched.</summary>
    /// <exception cref="UserErrorException">No session could be started, or the process id now belongs to another process.</exception>
    Task<IWatch> AttachAsync(ProcessRow process, WatchOptions options, CancellationToken cancel);

    /// <summary>
    /// Opens a separate session with the events that <c>record</c> saves at basic depth. The caller must read the stream to its end.
    /// </summary>
    /// <exception cref="UserErrorException">The same failures as in <see cref="AttachAsync"/>.</exception>
    Task<ISideStream> StreamAsync(ProcessRow process, CancellationToken cancel);
}

/// <summary>A request to launch a program and watch it.</summary>
/// <param name="Words">The program and its arguments, as given after <c>--</c>.</param>
/// <param name="ShowIo">Whether the program shares standard input with tpwatch and writes to the standard error of tpwatch.</param>
sealed record LaunchRequest(IReadOnlyList<string> Words, bool ShowIo)
{
    /// <summary>Name of the program without folder and extension; for <c>dotnet App.dll</c>, the name of the entry assembly.</summary>
    public string Name
    {
        get
        {
            var assembly = Words.Skip(1).FirstOrDefault(w => w.EndsWith(".dll", StringComparison.OrdinalIgnoreCase));
            return Path.GetFileNameWithoutExtension(IsHost && assembly is not null ? assembly : Words[0]);
        }
    }

    bool IsHost => Path.GetFileNameWithoutExtension(Words[0]) == "dotnet";

    /// <summary>Returns this request if tpwatch can watch the program.</summary>
    /// <exception cref="UserErrorException">The command is empty, or an SDK command, which starts the program as a child.</exception>
    public LaunchRequest Checked() => LaunchErrors.WhyNot(Words) is { } reason ? throw reason : this;
}
