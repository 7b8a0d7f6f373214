using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Watch;

namespace Tpwatch;

/// <summary>
/// The engine's public face: attach to a process or open a recording, observe while something runs, report. Decoding and folding run on a
/// thread of their own; <see cref="Report"/> takes the latest immutable state and can be called from any thread at any time.
/// </summary>
public sealed partial class ThreadPoolWatch : IAsyncDisposable
{
    /// <summary>How long a stop may take in all; the session's own limit is shorter.</summary>
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(5);

    /// <summary>Less than a heartbeat's interval nobody can see.</summary>
    static readonly TimeSpan WorthTelling = TimeSpan.FromSeconds(1);

    readonly ISession session;
    readonly PoolCapture capture;
    readonly TaskCompletionSource<SessionEnd> completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly TimeProvider time;
    readonly TimeSpan? heartbeat;
    readonly ReportCache reports;
    LaunchedProcess? child;

    ThreadPoolWatch(Opening opened, WatchOptions options)
    {
        (session, time, heartbeat) = (opened.Session, options.Time, options.Heartbeat);
        capture = new PoolCapture(opened, options);
        reports = new(capture);
        ReaderThread.Start(capture.Run, completion);
    }

    /// <summary>What is known of the target without its events.</summary>
    public TargetFacts Target => session.Target;

    /// <summary>
    /// The exit code of a program started by <see cref="LaunchAsync"/>, when it has ended: 128 + the number of the signal that ended it.
    /// Null for other targets.
    /// </summary>
    public Task<int>? Exit => child?.Exit;

    /// <summary>Completes when the stream has ended and everything is folded; says why it ended.</summary>
    public Task<SessionEnd> Completion => completion.Task;

    /// <summary>
    /// Whether a live target has gone silent, and for how long: heartbeats that are due do not come, or the process is stopped. Null while
    /// all is well, and of recordings.
    /// </summary>
    public TargetSilence? Silence => session.Source == SessionSource.Recording || completion.Task.IsCompleted
        ? null
        : TargetSilence.Of(capture.Silence, session.IsTargetStopped, TargetSilence.Due(heartbeat, capture.Newest.Timeline));

    /// <summary>What can be switched while watching; null of a recording, and items also where they are watched from the start.</summary>
    internal (BurstWatch? Stacks, ItemsLater? Items) Switches => (capture.Beside.Bursts, capture.Beside.Later);

    /// <summary>How far behind a live target the reading is; null while it keeps up, and of recordings.</summary>
    public TimeSpan? Behind =>
        session.Source != SessionSource.Recording && !completion.Task.IsCompleted && capture.Lag is var lag && lag >= WorthTelling
            ? lag
            : null;

    /// <summary>Why the recording ended before the session did (its limit, a full disk), one sentence; null while it goes on.</summary>
    public string? RecordingEnded => capture.RecordingEnded;

    /// <summary>Whether something of the recording could not be written; what was seen is reported all the same.</summary>
    public bool RecordingFailed => capture.RecordingFailed;

    /// <summary>How much of a recording has been read, 0 to 1; null of a live session.</summary>
    public double? Progress => (session as RecordedSession)?.ReadShare;

    /// <summary>What has been seen so far and what it means; the same object while nothing new has come.</summary>
    public PoolReport Report() => reports.Report();

    /// <summary>Completes when something has come that the last report did not tell.</summary>
    internal Task News => reports.News;

    /// <summary>The state of the moment, cheaper than a report; the verdict is of what came after <paramref name="since"/>.</summary>
    internal PoolGlance Glance(TimelineSnapshot? since) => PoolGlance.Of(capture.Newest, since, capture.Beside.Bursts);

    /// <summary>From now on reports leave out what came until now. What is recorded or retained stays.</summary>
    public void Forget() => reports.Forget();

    /// <summary>
    /// Makes a recording of what is retained of the stream, while watching or afterwards. Throws <see cref="ForeseenException"/>: nothing
    /// is retained (exit code 1), the file is there already or cannot be written (3).
    /// </summary>
    internal SavedFlight SaveRetained(string path) => Retained.Save(path, session, capture.Newest, heartbeat);

    /// <summary>
    /// Ends the session in order: the target is asked to stop, everything it still has is read. Bounded in time; never throws.
    /// </summary>
    public async Task StopAsync(CancellationToken cancel)
    {
        try
        {
            using var limit = new CancellationTokenSource(StopLimit, time);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
            capture.StopPacing();
            var beside = capture.Beside.StopAsync(either.Token);
            await session.StopAsync(either.Token).ConfigureAwait(false);
            await Task.WhenAll(beside, Completion).WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or TimeoutException)
        {
            // Closing our end frees the reader; the target ends its session at its next write.
            await session.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Stops if it still runs, and lets go of everything.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!Completion.IsCompleted)
        {
            await StopAsync(CancellationToken.None).ConfigureAwait(false);
        }

        await capture.Beside.StopAsync(CancellationToken.None).ConfigureAwait(false);
        await session.DisposeAsync().ConfigureAwait(false);
        if (child is not null)
        {
            await child.DisposeAsync().ConfigureAwait(false);
        }
    }
}
