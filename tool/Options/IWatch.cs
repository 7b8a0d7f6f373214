using Tpwatch.Recordings;
using Tpwatch.Screen.State;
using Tpwatch.Watch;

namespace Tpwatch.Options;

/// <summary>
/// One observation that goes on, as far as verbs need it; the engine's public face behind a seam,
/// so that verbs can be tested without a process.
/// </summary>
interface IWatch : IAsyncDisposable
{
    /// <summary>Completes when the stream has ended and everything is folded.</summary>
    Task<SessionEnd> Completion { get; }

    /// <summary>The latest report; the same object while nothing has changed.</summary>
    PoolReport Report();

    /// <summary>Completes when something has come that the last report did not tell; at once where nobody can tell.</summary>
    Task News => Task.CompletedTask;

    /// <summary>The state of the moment, at a fraction of a report's price; null where nobody can tell.</summary>
    /// <param name="since">The verdict is of what came after it; null is from the beginning.</param>
    PoolGlance? Glance(TimelineSnapshot? since) => null;

    /// <summary>Completes when the stacks that are being taken have been read; complete while none are.</summary>
    Task StacksUnderWay => Task.CompletedTask;

    /// <summary>How much of a recording has been read, 0 to 1; null of a live session.</summary>
    double? Progress => null;

    /// <summary>A live target from which nothing comes; null while all is well.</summary>
    TargetSilence? Silence => null;

    /// <summary>Why the recording ended before the session did; null while it goes on, or when nothing is recorded.</summary>
    string? RecordingEnded => null;

    /// <summary>Whether something of the recording could not be written.</summary>
    bool RecordingFailed => false;

    /// <summary>
    /// Why no session could be started again after <c>fg</c>; what was seen before stays. Null when none was needed, or one was.
    /// </summary>
    string? ResumeFailure => null;

    /// <summary>How far behind a live target the reading is; null while it keeps up.</summary>
    TimeSpan? Behind => null;

    /// <summary>
    /// What the watch itself waits for, such as a new process of that name; begins with an
    /// upper-case word. Null while it waits for nothing.
    /// </summary>
    string? Awaits => null;

    /// <summary>The controls of a replay; null of what is live.</summary>
    IPlayback? Playback => null;

    /// <summary>The probes that can be switched on while watching; null where none can.</summary>
    IProbeSwitch? Probes => null;

    /// <summary>Whether <see cref="Again"/> can find the target when it starts again.</summary>
    bool CanWatchAgain => false;

    /// <summary>
    /// Once the target has ended: waits for a new process of that name and watches it, what was seen
    /// before stays until then. A sentence that says so.
    /// </summary>
    string Again() => "";

    /// <summary>From now on reports leave out what came until now.</summary>
    void Forget()
    {
    }

    /// <summary>Makes a recording of what is retained of the stream.</summary>
    /// <exception cref="ForeseenException">Nothing is retained, or the file cannot be written.</exception>
    SavedFlight SaveRetained(string path) =>
        throw new ForeseenException("there are no events to save here", "use dotnet tpwatch record instead", ExitCode.NoSession);

    /// <summary>Stops in order; bounded in time.</summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Ends the session because this process is about to be stopped; bounded in time.</summary>
    Task SuspendAsync(CancellationToken cancel) => Task.CompletedTask;

    /// <summary>Goes on after this process was continued.</summary>
    /// <exception cref="ForeseenException">No session could be started again.</exception>
    Task ResumeAsync(CancellationToken cancel) => Task.CompletedTask;
}
