using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch.Commands;

/// <summary>One observation that goes on, as far as verbs need it; the engine's public face behind a seam, so that verbs can be tested without a process.</summary>
internal interface IWatch : IAsyncDisposable
{
    /// <summary>Completes when the stream has ended and everything is folded.</summary>
    Task<SessionEnd> Completion { get; }

    /// <summary>The latest report; the same object while nothing has changed.</summary>
    PoolReport Report();

    /// <summary>How much of a recording has been read, 0 to 1; null of a live session.</summary>
    double? Progress => null;

    /// <summary>A live target from which nothing comes; null while all is well.</summary>
    TargetSilence? Silence => null;

    /// <summary>Why the recording ended before the session did; null while it goes on, or when nothing is recorded.</summary>
    string? RecordingEnded => null;

    /// <summary>Whether something of the recording could not be written.</summary>
    bool RecordingFailed => false;

    /// <summary>Why no session could be started again after <c>fg</c>; what was seen before stays. Null when none was needed, or one was.</summary>
    string? ResumeFailure => null;

    /// <summary>Stops in order; bounded in time.</summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Ends the session because this process is about to be stopped; bounded in time.</summary>
    Task SuspendAsync(CancellationToken cancel) => Task.CompletedTask;

    /// <summary>Goes on after this process was continued.</summary>
    /// <exception cref="ForeseenException">No session could be started again.</exception>
    Task ResumeAsync(CancellationToken cancel) => Task.CompletedTask;
}
