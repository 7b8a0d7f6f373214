using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Watch;

namespace Tpwatch;

/// <summary>
/// The engine's public entry point: attach to a process or open a recording, observe it while something runs, and report. A separate thread
/// decodes the events and updates the state; <see cref="Report"/> uses an immutable copy and can be called from any thread at any time.
/// </summary>
public sealed partial class ThreadPoolWatch : IAsyncDisposable
{
    /// <summary>Time limit of <see cref="StopAsync"/>; longer than the limit within which the session stops by itself.</summary>
    static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The shortest delay that <see cref="Behind"/> reports: a user cannot see a delay below the interval of counter samples.
    /// </summary>
    static readonly TimeSpan WorthTelling = TimeSpan.FromSeconds(1);

    readonly ISession session;
    readonly MainStreamCapture capture;
    readonly TimeProvider time;
    readonly TimeSpan? counterSample;
    readonly ReportCache reports;
    LaunchedProcess? child;

    ThreadPoolWatch(ProbeSession opened, WatchOptions options)
    {
        (session, time, counterSample) = (opened.Session, options.Time, options.CounterSample);
        capture = new MainStreamCapture(opened, options);
        reports = new(capture);
        // A thread of its own: the stream is read with blocking calls until the session ends.
        Completion = Task.Factory.StartNew(capture.Run, CancellationToken.None,
            TaskCreationOptions.LongRunning | TaskCreationOptions.RunContinuationsAsynchronously, TaskScheduler.Default);
    }

    /// <summary>Facts about the target that need no events.</summary>
    public TargetFacts Target => session.Target;

    /// <summary>
    /// The exit code of a program started by <see cref="LaunchAsync"/>, once it has ended; 128 plus the signal number if a signal ended it.
    /// Null for other targets.
    /// </summary>
    public Task<int>? Exit => child?.Exit;

    /// <summary>Completes when the stream has ended and all events are processed; the result is the reason for the end.</summary>
    public Task<SessionEnd> Completion { get; }

    /// <summary>
    /// Set while a live target sends nothing: its counter samples are overdue, or the process is stopped. Null otherwise, and for
    /// recordings.
    /// </summary>
    public TargetSilence? Silence => session.Source == SessionSource.Recording || Completion.IsCompleted
        ? null
        : TargetSilence.Of(capture.Silence, session.IsTargetStopped, TargetSilence.Due(counterSample, capture.Newest.Timeline));

    /// <summary>
    /// The watches of stacks and of items, which can be switched on later. Both are null for a recording. The watch of items is also null
    /// if items are watched from the start.
    /// </summary>
    internal (BurstWatch? Stacks, OnDemandItemWatch? Items) Switches => (capture.Side.Bursts, capture.Side.Later);

    /// <summary>How far the reader is behind a live target; null below one second, after the end, and for recordings.</summary>
    public TimeSpan? Behind =>
        session.Source != SessionSource.Recording && !Completion.IsCompleted && capture.Lag is var lag && lag >= WorthTelling
            ? lag
            : null;

    /// <summary>Why the recording ended before the session (its limit, a full disk), one sentence; null while it continues.</summary>
    public string? RecordingEnded => capture.RecordingEnded;

    /// <summary>Whether a part of the recording could not be written; the report still contains all observed data.</summary>
    public bool RecordingFailed => capture.RecordingFailed;

    /// <summary>Share of a recording that has been read, 0 to 1; null for a live session.</summary>
    public double? Progress => (session as RecordedSession)?.ReadShare;

    /// <summary>The report of the observations so far; the same object until there is a new observation.</summary>
    public PoolReport Report() => reports.Report();

    /// <summary>Completes when there is an observation that is not in the last report.</summary>
    internal Task News => reports.News;

    /// <summary>The current state, with a verdict on the time after <paramref name="since"/> (null: all). Cheaper than a report.</summary>
    internal CurrentPoolState Glance(TimelineSnapshot? since) => CurrentPoolState.Of(capture.Newest, since, capture.Side.Bursts);

    /// <summary>Leaves all observations so far out of later reports. Recorded or retained data stays.</summary>
    public void Forget() => reports.Forget();

    /// <summary>
    /// Writes the retained part of the stream to a recording, during the watch or afterwards. Throws <see cref="UserErrorException"/> if
    /// nothing is retained (exit code 1), or if the file exists or cannot be written (3).
    /// </summary>
    internal SavedFlight SaveRetained(string path) => FlightRecordingWriter.Save(path, session, capture.Newest, counterSample);

    /// <summary>Ends the session in order: asks the target to stop and reads the remaining data. Limited in time; never throws.</summary>
    public async Task StopAsync(CancellationToken cancel)
    {
        try
        {
            using var limit = new CancellationTokenSource(StopLimit, time);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
            capture.StopPacing();
            var side = capture.Side.StopAsync(either.Token);
            await session.StopAsync(either.Token).ConfigureAwait(false);
            await Task.WhenAll(side, Completion).WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or TimeoutException)
        {
            // Closing tpwatch's end of the connection unblocks the reader; the target ends its session at its next write.
            await session.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Stops the watch if it still runs, and releases all resources.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!Completion.IsCompleted)
        {
            await StopAsync(CancellationToken.None).ConfigureAwait(false);
        }

        await capture.Side.StopAsync(CancellationToken.None).ConfigureAwait(false);
        await session.DisposeAsync().ConfigureAwait(false);
        if (child is not null)
        {
            await child.DisposeAsync().ConfigureAwait(false);
        }
    }
}
