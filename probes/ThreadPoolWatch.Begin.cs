using System.Diagnostics;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Watch;

namespace Tpwatch;

/// <content>The ways to begin a watch: attach, launch, observe while an action runs, replay.</content>
public sealed partial class ThreadPoolWatch
{
    /// <summary>
    /// Attaches to a running process. Throws <see cref="UserErrorException"/> when there is no such process, or the process is not .NET,
    /// belongs to another user, has diagnostics disabled, or does not answer in time.
    /// </summary>
    public static Task<ThreadPoolWatch> AttachAsync(int pid, CancellationToken cancel) => AttachAsync(pid, new WatchOptions(), cancel);

    /// <inheritdoc cref="AttachAsync(int, CancellationToken)"/>
    public static async Task<ThreadPoolWatch> AttachAsync(int pid, WatchOptions options, CancellationToken cancel) =>
        await AttachAsync(TargetFinder.ByPid(pid), options, cancel).ConfigureAwait(false);

    /// <summary>Attaches to a found process by its own diagnostic socket, so never to a later process with the same id.</summary>
    internal static Task<ThreadPoolWatch> AttachAsync(Target target, WatchOptions options, CancellationToken cancel) =>
        StartAsync(
            plan => LiveSession.OpenAsync(new LiveSessionSetting { MayBeStarting = options.MayBeStarting }, target, plan, cancel), options);

    /// <summary>Attaches to one of several processes; <paramref name="sampling"/> reads the state of all of them on one thread.</summary>
    internal static Task<ThreadPoolWatch> AttachAsync(
        Target target, WatchOptions options, SharedProcessSampling sampling, CancellationToken cancel) =>
        StartAsync(plan => LiveSession.OpenAsync(new LiveSessionSetting { Sampling = sampling }, target, plan, cancel), options);

    /// <summary>
    /// Attaches to the process behind a diagnostic port. The caller disposes the port after the watch. Throws
    /// <see cref="UserErrorException"/> in the same cases as the overload for a process id.
    /// </summary>
    internal static Task<ThreadPoolWatch> AttachAsync(PortTarget port, WatchOptions options, CancellationToken cancel) =>
        StartAsync(plan => port.OpenSessionAsync(plan, cancel), options);

    /// <summary>
    /// Opens a session with a program that was started suspended, then resumes the program. In this way, no event is missed, and MinThreads
    /// and MaxThreads are seen. The caller disposes the program. Throws <see cref="UserErrorException"/> with exit code 1 when the program
    /// is not a .NET program or ends before the session is open.
    /// </summary>
    internal static Task<ThreadPoolWatch> AttachAsync(LaunchedProcess process, WatchOptions options, CancellationToken cancel) =>
        StartAsync(plan => process.OpenSessionAsync(plan, cancel), options);

    /// <summary>
    /// Starts a program and observes it from its first instruction; disposing the watch ends the program. Redirected output is read and
    /// discarded; redirected input is empty. Throws <see cref="UserErrorException"/> when there is no such program (exit code 3) or it is
    /// not a .NET program (exit code 1).
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
    /// Observes a running process while <paramref name="action"/> runs, and returns the report. The action should take two seconds or more,
    /// because a shorter time shows little. Throws any exception of the action, and <see cref="UserErrorException"/> as
    /// <see cref="AttachAsync(int, CancellationToken)"/> does.
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
    /// Starts a program, observes it from its first instruction to its end, and returns the report. Cancelling <paramref name="cancel"/>
    /// ends the program. Throws <see cref="UserErrorException"/> as <see cref="LaunchAsync"/> does.
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

    /// <summary>
    /// Opens a recording and reads it at <see cref="WatchOptions.ReplaySpeed"/>. Throws <see cref="UserErrorException"/> when the recording
    /// cannot be read.
    /// </summary>
    public static ThreadPoolWatch Replay(string file, WatchOptions options) =>
        new(new ProbeSession(RecordedSession.Open(file), ProbeSet.ForRecording(), SideStreamProbes.ForRecording(options)), options);

    static async Task<ThreadPoolWatch> StartAsync(Func<Func<TargetFacts, SessionPlan>, Task<LiveSession>> open, WatchOptions options)
    {
        var opened = await ProbeSession.OfAsync(open, options).ConfigureAwait(false);
        try
        {
            return new(opened, options);
        }
        catch
        {
            // If the recording cannot be created, no session may remain in the target.
            await opened.Session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
