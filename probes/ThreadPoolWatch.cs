using System.Diagnostics;
using Tpwatch.Attach.Launch;
using Tpwatch.Attach.Ports;
using Tpwatch.Attach.Sessions;
using Tpwatch.Attach.Targets;
using Tpwatch.Basics;
using Tpwatch.Capture;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reporting;
using Tpwatch.Reports;
using Tpwatch.Streams;

namespace Tpwatch;

/// <summary>
/// The engine's public face: attach to a process or open a recording, observe while something runs, report. Decoding and folding run on a
/// thread of their own; <see cref="Report"/> takes the latest immutable state and can be called from any thread at any time.
/// </summary>
public sealed class ThreadPoolWatch : IAsyncDisposable
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
    internal (BurstWatch? Stacks, ItemsLater? Items) Switches => (capture.Bursts, capture.Later);

    /// <summary>How far behind a live target the reading is; null while it keeps up, and of recordings.</summary>
    public TimeSpan? Behind =>
        session.Source != SessionSource.Recording && !completion.Task.IsCompleted && capture.Lag is var lag && lag >= WorthTelling
            ? lag
            : null;

    /// <summary>Why the recording ended before the session did (its limit, a full disk), one sentence; null while it goes on.</summary>
    public string? RecordingEnded => capture.RecordingEnded;

    /// <summary>Whether something of the recording could not be written; what was seen is reported all the same.</summary>
    public bool RecordingFailed => capture.RecordingFailed;

    /// <summary>
    /// Attaches to a running process. Throws <see cref="ForeseenException"/> when there is no such process, it is not .NET, belongs to
    /// somebody else, has diagnostics disabled, or does not answer within its limit.
    /// </summary>
    public static Task<ThreadPoolWatch> AttachAsync(int pid, CancellationToken cancel) => AttachAsync(pid, new WatchOptions(), cancel);

    /// <inheritdoc cref="AttachAsync(int, CancellationToken)"/>
    public static async Task<ThreadPoolWatch> AttachAsync(int pid, WatchOptions options, CancellationToken cancel)
    {
        var target = TargetFinder.ByPid(pid);
        return await StartAsync(plan => LiveSession.OpenAsync(target, plan, cancel), options).ConfigureAwait(false);
    }

    /// <summary>
    /// Attaches to the process behind a diagnostic port. Throws <see cref="ForeseenException"/> as for a process id; the port stays the
    /// caller's and must outlive the watch.
    /// </summary>
    internal static Task<ThreadPoolWatch> AttachAsync(PortTarget port, WatchOptions options, CancellationToken cancel) =>
        StartAsync(plan => port.OpenSessionAsync(plan, cancel), options);

    /// <summary>
    /// Opens a session with a program just started, and lets it go on: it is observed from its first instruction, min and max included. The
    /// program stays the caller's. Throws <see cref="ForeseenException"/> when it is no .NET program or ends before (exit code 1).
    /// </summary>
    internal static Task<ThreadPoolWatch> AttachAsync(LaunchedProcess process, WatchOptions options, CancellationToken cancel) =>
        StartAsync(plan => process.OpenSessionAsync(plan, cancel), options);

    /// <summary>
    /// Starts a program and observes it from its first instruction; disposing the watch ends it. Redirected streams are read and thrown
    /// away, a redirected input is empty. Throws <see cref="ForeseenException"/>: no such program (exit code 3), no .NET program (1).
    /// </summary>
    public static async Task<ThreadPoolWatch> LaunchAsync(ProcessStartInfo command, WatchOptions options, CancellationToken cancel)
    {
        var child = await LaunchedProcess.StartAsync(command).ConfigureAwait(false);
        try
        {
            var watch = await AttachAsync(child, options, cancel).ConfigureAwait(false);
            watch.child = child;
            return watch;
        }
        catch
        {
            await child.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Observes a running process while <paramref name="action"/> runs, and reports. The action should take two seconds or more: of a
    /// shorter time little can be said. Throws <see cref="ForeseenException"/> as <see cref="AttachAsync(int, CancellationToken)"/>, and
    /// whatever the action throws.
    /// </summary>
    public static async Task<PoolReport> ObserveAsync(int pid, Func<CancellationToken, Task> action, CancellationToken cancel)
    {
        var watch = await AttachAsync(pid, cancel).ConfigureAwait(false);
        await using (watch.ConfigureAwait(false))
        {
            await action(cancel).ConfigureAwait(false);
            await watch.StopAsync(cancel).ConfigureAwait(false);
            return watch.Report();
        }
    }

    /// <summary>
    /// Starts a program, observes it from its first instruction to its end, and reports. Throws <see cref="ForeseenException"/> as
    /// <see cref="LaunchAsync"/>; a program that does not end is ended when <paramref name="cancel"/> says so.
    /// </summary>
    public static async Task<PoolReport> ObserveAsync(ProcessStartInfo command, CancellationToken cancel)
    {
        var watch = await LaunchAsync(command, new WatchOptions(), cancel).ConfigureAwait(false);
        await using (watch.ConfigureAwait(false))
        {
            await watch.Completion.WaitAsync(cancel).ConfigureAwait(false);
            return watch.Report();
        }
    }

    /// <summary>How much of a recording has been read, 0 to 1; null of a live session.</summary>
    public double? Progress => (session as RecordedSession)?.ReadShare;

    /// <summary>
    /// Opens a recording and reads it at <see cref="WatchOptions.ReplaySpeed"/>. Throws <see cref="ForeseenException"/> when it cannot.
    /// </summary>
    public static ThreadPoolWatch Replay(string file, WatchOptions options) =>
        new(new Opening(RecordedSession.Open(file), ProbeSet.ForRecording(), DeepProbes.ForRecording()), options);

    /// <summary>What has been seen so far and what it means; the same object while nothing new has come.</summary>
    public PoolReport Report() => reports.Report();

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
            var beside = capture.StopDeepAsync(either.Token);
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

        await capture.StopDeepAsync(CancellationToken.None).ConfigureAwait(false);
        await session.DisposeAsync().ConfigureAwait(false);
        if (child is not null)
        {
            await child.DisposeAsync().ConfigureAwait(false);
        }
    }

    static async Task<ThreadPoolWatch> StartAsync(Func<Func<TargetFacts, SessionPlan>, Task<LiveSession>> open, WatchOptions options)
    {
        var opened = await Opening.OfAsync(open, options).ConfigureAwait(false);
        try
        {
            return new(opened, options);
        }
        catch
        {
            // A recording that cannot be created must not leave a session behind in the target.
            await opened.Session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
