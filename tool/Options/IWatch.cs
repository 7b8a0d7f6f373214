using Tpwatch.Recordings;
using Tpwatch.Screen.State;
using Tpwatch.Watch;

namespace Tpwatch.Options;

/// <summary>
/// One observation in progress. The interface has the members of the engine's <c>ThreadPoolWatch</c> that commands need, so that tests of
/// commands need no process.
/// </summary>
interface IWatch : IAsyncDisposable
{
    /// <summary>Task that completes when the event stream has ended and the report contains all events.</summary>
    Task<SessionEnd> Completion { get; }

    /// <summary>Returns the latest report; while nothing has changed, the same object as before.</summary>
    PoolReport Report();

    /// <summary>Task that completes when events arrive that the last report lacks; already complete if arrivals are not tracked.</summary>
    Task News => Task.CompletedTask;

    /// <summary>Returns the current state of the pool, at a fraction of the cost of a report; null if the state is not available.</summary>
    /// <param name="since">The verdict covers the time after this snapshot; null for the whole capture.</param>
    PoolGlance? Glance(TimelineSnapshot? since) => null;

    /// <summary>Task that completes when the stack burst in progress has been read; already complete if no burst is in progress.</summary>
    Task StacksUnderWay => Task.CompletedTask;

    /// <summary>Share of a recording that has been read, from 0 to 1; null for a live session.</summary>
    double? Progress => null;

    /// <summary>How long a live target has sent no data, and whether the process is stopped; null while data arrives.</summary>
    TargetSilence? Silence => null;

    /// <summary>Why the recording ended before the session; null while the recording continues, or if tpwatch records nothing.</summary>
    string? RecordingEnded => null;

    /// <summary>Whether a part of the recording could not be written.</summary>
    bool RecordingFailed => false;

    /// <summary>
    /// Why tpwatch could not start a new session after <c>fg</c>; earlier data stays. Null if no new session was needed, or one started.
    /// </summary>
    string? ResumeFailure => null;

    /// <summary>Time by which the reading thread is behind a live target; null while the reading thread keeps up.</summary>
    TimeSpan? Behind => null;

    /// <summary>Notice that the watch waits for a new process, or that this wait failed; null otherwise.</summary>
    Notice? Awaits => null;

    /// <summary>Controls of a replay on the screen; null for any other observation.</summary>
    IPlayback? Playback => null;

    /// <summary>Turns probes on and off during the watch; null if the probes cannot be changed.</summary>
    IProbeSwitch? Probes => null;

    /// <summary>Whether <see cref="Again"/> can wait for a new process.</summary>
    bool CanWatchAgain => false;

    /// <summary>
    /// After the target has ended, waits for a new process with the same name or port and watches it. The data of the ended process stays
    /// until then. Returns a sentence for the user.
    /// </summary>
    string Again() => "";

    /// <summary>Excludes all events up to now from later reports.</summary>
    void Forget()
    {
    }

    /// <summary>Saves the retained part of the event stream as a recording.</summary>
    /// <exception cref="UserErrorException">No events are retained, or the file cannot be written.</exception>
    SavedFlight SaveRetained(string path) =>
        throw new UserErrorException("there are no events to save here", "use dotnet tpwatch record instead", ExitCode.NoSession);

    /// <summary>Ends the session in an orderly way, within a time limit.</summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Ends the session before Ctrl+Z stops this process, within a time limit.</summary>
    Task SuspendAsync(CancellationToken cancel) => Task.CompletedTask;

    /// <summary>Starts a new session after <c>fg</c> has continued this process.</summary>
    /// <exception cref="UserErrorException">No session could be started.</exception>
    Task ResumeAsync(CancellationToken cancel) => Task.CompletedTask;
}
