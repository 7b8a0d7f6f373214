using Tpwatch.Recordings;
using Tpwatch.Screen.State;
using Tpwatch.Watch;

namespace Tpwatch.Options;

/// <summary>
/// One observation in progress, as far as commands need it. An interface over the engine's public class, so that commands can be tested
/// without a process.
/// </summary>
interface IWatch : IAsyncDisposable
{
    /// <summary>Completes when the stream has ended and all events are in the report.</summary>
    Task<SessionEnd> Completion { get; }

    /// <summary>The latest report; the same object while nothing has changed.</summary>
    PoolReport Report();

    /// <summary>Completes when events have arrived that the last report does not contain; at once if that is not tracked.</summary>
    Task News => Task.CompletedTask;

    /// <summary>The current state, at a fraction of a report's cost; null if it is not available.</summary>
    /// <param name="since">The verdict covers the time after this snapshot; null for the whole capture.</param>
    PoolGlance? Glance(TimelineSnapshot? since) => null;

    /// <summary>Completes when the stack burst in progress has been read; already complete if there is none.</summary>
    Task StacksUnderWay => Task.CompletedTask;

    /// <summary>The share of a recording that has been read, 0 to 1; null for a live session.</summary>
    double? Progress => null;

    /// <summary>Describes a live target that sends no data; null while data arrives.</summary>
    TargetSilence? Silence => null;

    /// <summary>Why the recording ended before the session did; null while it continues, or when nothing is recorded.</summary>
    string? RecordingEnded => null;

    /// <summary>Whether a part of the recording could not be written.</summary>
    bool RecordingFailed => false;

    /// <summary>
    /// Why no session could be started again after <c>fg</c>; earlier data stays. Null when none was needed, or one was started.
    /// </summary>
    string? ResumeFailure => null;

    /// <summary>How far the reading thread is behind a live target; null while it keeps up.</summary>
    TimeSpan? Behind => null;

    /// <summary>What the watch itself waits for, such as a new process of that name; null while it does not wait.</summary>
    Notice? Awaits => null;

    /// <summary>The controls of a replay; null for a live session.</summary>
    IPlayback? Playback => null;

    /// <summary>Switches probes on while watching; null if that is not possible.</summary>
    IProbeSwitch? Probes => null;

    /// <summary>Whether <see cref="Again"/> can find the target when it starts again.</summary>
    bool CanWatchAgain => false;

    /// <summary>
    /// After the target has ended: waits for a new process of that name and watches it; earlier data stays until then. Returns a sentence
    /// for the user.
    /// </summary>
    string Again() => "";

    /// <summary>Makes later reports leave out all events up to now.</summary>
    void Forget()
    {
    }

    /// <summary>Saves the retained events of the stream as a recording.</summary>
    /// <exception cref="UserErrorException">Nothing is retained, or the file cannot be written.</exception>
    SavedFlight SaveRetained(string path) =>
        throw new UserErrorException("there are no events to save here", "use dotnet tpwatch record instead", ExitCode.NoSession);

    /// <summary>Ends the session in order; bounded in time.</summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Ends the session because this process is about to be stopped (Ctrl+Z); bounded in time.</summary>
    Task SuspendAsync(CancellationToken cancel) => Task.CompletedTask;

    /// <summary>Starts a session again after this process was continued (<c>fg</c>).</summary>
    /// <exception cref="UserErrorException">No session could be started again.</exception>
    Task ResumeAsync(CancellationToken cancel) => Task.CompletedTask;
}
