using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

sealed class LiveSession(LiveSessionSetting setting, Target target, TargetFacts facts, SessionConnections open) : ISession
{
    // An ending process may exist for up to half a second (25 polls of 20 ms) after it has closed its socket.
    const int GonePolls = 25;
    static readonly TimeSpan GonePollInterval = TimeSpan.FromMilliseconds(20);

    readonly SystemPaths machine = setting.Machine;
    readonly TaskCompletionSource stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // In another time namespace, the target's monotonic clock has another origin, so the times of samples would not match its events.
    readonly IProcessSampling? sampling =
        setting.Machine.IsLinux && !target.IsElsewhere && !setting.Machine.Tree.IsInAnotherNamespace(target.Pid, "time")
            ? setting.Sampling?.Of(target.Pid) ?? new DedicatedProcessSampling(setting.Machine, target.Pid)
            : null;

    int stopAsked;
    int disposed;

    public TargetFacts Target => facts;
    public SessionSource Source => setting.Source;
    public Stream Events => Port.Events;
    public IStartupStream? Start => open.Start;
    public CaptureDepth Depth => open.Depth;
    public ISideStream? Side => open.Side;
    public bool? IsTargetStopped => sampling?.IsStopped;

    /// <summary>Whether events come without stacks; before .NET 9, events always carry stacks.</summary>
    public bool WithoutStacks => open.Port.WithoutStacks;

    EventPipeConnection Port => open.Start?.Following ?? open.Port;

    /// <summary>Time limit for a stop, after which the connection is closed; a target that is not overloaded stops within 130 ms.</summary>
    internal static TimeSpan StopLimit { get; } = TimeSpan.FromSeconds(3);

    /// <summary>
    /// Starts a session; <paramref name="plan"/> may depend on facts about the target, mainly its runtime version. Takes 10 s or less.
    /// Throws <see cref="UserErrorException"/> if the target does not answer, refuses, is gone (exit code 1) or is too old (4).
    /// </summary>
    public static Task<LiveSession> OpenAsync(Target target, Func<TargetFacts, SessionPlan> plan, CancellationToken cancel) =>
        OpenAsync(new LiveSessionSetting(), target, plan, cancel);

    internal static Task<LiveSession> OpenAsync(
        LiveSessionSetting setting, Target target, Func<TargetFacts, SessionPlan> plan, CancellationToken cancel) =>
        TimedSessionStart.WithinAsync(
            setting, target,
            async (facts, within) => new LiveSession(
                setting, target, facts, await SessionConnections.OpenAsync(setting, target, plan(facts), within).ConfigureAwait(false)),
            cancel);

    /// <summary>
    /// Opens another session with this target; throws the exceptions for which <see cref="SessionErrors.IsForeseen"/> is true.
    /// </summary>
    internal async Task<SideSession> OpenSideAsync(SessionPlan plan, CancellationToken cancel)
    {
        await (open.Start?.Settled.WaitAsync(cancel) ?? Task.CompletedTask).ConfigureAwait(false);
        return await SideSession.OpenAsync(target, plan, setting.Time, cancel).ConfigureAwait(false);
    }

    /// <summary>The ids, as in events, of the threads that are named as pool workers; empty if the names cannot be seen.</summary>
    internal IReadOnlySet<int> WorkersByName() =>
        machine.IsLinux && !target.IsElsewhere ? ThreadNames.Workers(machine.Tree, target.Pid) : new HashSet<int>();

    /// <summary>
    /// The application's own assemblies; null if they cannot be determined. Reads files of the target, so callers call this method once.
    /// </summary>
    internal ImmutableHashSet<string>? OwnAssemblies() =>
        machine.IsLinux && !target.IsElsewhere ? Targets.ApplicationAssemblies.Of(machine.Tree, target.Pid) : null;

    /// <summary>Whether the program is Native AOT; false once the process has ended, and for a process outside this machine.</summary>
    internal bool IsNativeAot() => machine.IsLinux && !target.IsElsewhere && MappedRuntime.IsNativeAot(machine.Tree, target.Pid);

    /// <summary>
    /// Whether the process may be an ASP.NET Core server; true also if this cannot be seen (single file, another machine or container).
    /// </summary>
    internal bool MayServeRequests() => !machine.IsLinux || target.IsElsewhere || MappedRuntime.MayHaveKestrel(machine.Tree, target.Pid);

    public bool TryTakeClockReading(EventTime until, out ClockReading reading)
    {
        reading = default;
        return sampling?.TryTake(until, out reading) == true;
    }

    public bool TryTakeProcessReading(EventTime until, out ProcessReading reading)
    {
        reading = default;
        return sampling?.TryTake(until, out reading) == true;
    }

    public void ItemsWait(bool now) => sampling?.ItemsWait(now);

    public async Task StopAsync(CancellationToken cancel)
    {
        if (Interlocked.Exchange(ref stopAsked, 1) == 1)
        {
            await stopped.Task.WaitAsync(cancel).ConfigureAwait(false);
            return;
        }

        sampling?.Conclude();
        try
        {
            await (open.Start?.ConcludeAsync() ?? Task.CompletedTask).ConfigureAwait(false);
            await Port.StopAsync(StopLimit, setting.Time, cancel).ConfigureAwait(false);
        }
        finally
        {
            stopped.TrySetResult();
        }
    }

    public SessionEnd Ended(bool properEndMark) => (Volatile.Read(ref stopAsked) == 1, properEndMark) switch
    {
        (true, true) => SessionEnd.StoppedByUs,
        (true, false) => HasGone() ? SessionEnd.TargetKilled : SessionEnd.StoppedByUs,
        (false, true) => SessionEnd.TargetExited,
        (false, false) => GoesSoon() ? SessionEnd.TargetKilled : SessionEnd.StreamBroken,
    };

    /// <summary>Closes tpwatch's end at once, without waiting for an orderly stop of the target's session.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 1)
        {
            return;
        }

        sampling?.Dispose();
        if (open.Side is { } side)
        {
            await side.DisposeAsync().ConfigureAwait(false);
        }

        if (open.Start is { } start)
        {
            await start.DisposeAsync().ConfigureAwait(false);
        }

        await open.Port.CloseAsync(setting.Time).ConfigureAwait(false);
    }

    bool HasGone() => SessionErrors.HasGone(machine, target);

    // Waits, because the socket is closed a little before the process is gone. The caller reads the stream, so it may block.
    bool GoesSoon()
    {
        for (var poll = 0; poll < GonePolls; poll++)
        {
            if (HasGone())
            {
                return true;
            }

            Thread.Sleep(GonePollInterval);
        }

        return HasGone();
    }
}

/// <summary>Opens a session, and holds its connections.</summary>
/// <param name="Port">The main session.</param>
/// <param name="Side">The second session, for items or stacks; null if there is none.</param>
/// <param name="Depth">The capture depth.</param>
/// <param name="Start">For a process that is still starting: the reduced session before the full session; otherwise null.</param>
sealed record SessionConnections(EventPipeConnection Port, SideSession? Side, CaptureDepth Depth, StartupSession? Start)
{
    /// <summary>Opens the sessions and resumes a suspended target; closes all connections when one of these steps fails.</summary>
    public static async Task<SessionConnections> OpenAsync(LiveSessionSetting setting, Target target, SessionPlan plan,
        CancellationToken cancel)
    {
        var left = setting.MayBeStarting ? StartLeft(setting.Machine, target) : null;
        var start = left is null ? null : plan.AtStart;
        var first = start ?? plan;
        var port = await EventPipeConnection.StartAsync(target, first, cancel).ConfigureAwait(false);
        SideSession? side = null;
        try
        {
            side = first.Side is { } second
                ? await SideSession.OpenAsync(target, second, setting.Time, cancel).ConfigureAwait(false)
                : null;
            await (setting.Resume ? port.ResumeAsync(setting.Environment, cancel) : Task.CompletedTask).ConfigureAwait(false);
            return new(port, side, plan.Depth,
                start is null ? null : new(port, left!.Value, within => EventPipeConnection.StartAsync(target, plan, within),
                    setting.Time));
        }
        catch
        {
            if (side is not null)
            {
                await side.DisposeAsync().ConfigureAwait(false);
            }

            await port.CloseAsync(setting.Time).ConfigureAwait(false);
            throw;
        }
    }

    // The time until the process counts as started; null if it has started. At most the required age, because in some containers the uptime
    // and the start time have different origins.
    static TimeSpan? StartLeft(SystemPaths machine, Target target) =>
        machine.IsLinux && !target.IsElsewhere && target.StartTime is { } start
        && StartupSession.YoungMs - (machine.Tree.UptimeMs() - start * ProcStat.ClockTickMs) is > 0 and var left
        ? TimeSpan.FromMilliseconds(Math.Min(left, StartupSession.YoungMs)) : null;
}

/// <summary>
/// Samples one target on one thread. A wake-up costs more than the sample itself, so the process is sampled when the clock sampler has
/// woken anyway.
/// </summary>
sealed class DedicatedProcessSampling : IProcessSampling
{
    /// <summary>
    /// Minimum time between samples. The time of a stop is known to within three sleeps of the clock sampler (0.12 s), or one sleep (0.4 s)
    /// while nothing waits.
    /// </summary>
    static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    /// <summary>Time between two sums of the threads' waits while items wait, milliseconds; a sum takes one file read per thread.</summary>
    const double BetweenSumsMs = 1000;

    /// <summary>Time between two sums while no item waits, milliseconds. They explain no delay, but the next sums start there.</summary>
    const double BetweenSumsAtRestMs = 4000;

    readonly CoarseClockSampler? clock = CoarseClockSampler.Create();
    readonly ProcessSampler? process;
    readonly SamplingThread? thread;
    EventTime lastLook;
    volatile bool atRest;

    /// <summary>Begins to sample a process; does nothing outside Linux.</summary>
    public DedicatedProcessSampling(SystemPaths machine, int pid)
    {
        if (OperatingSystem.IsLinux())
        {
            process = new ProcessSampler(machine, pid, new Neighbours(machine));
            thread = new SamplingThread("tpwatch sampling", Run);
        }
    }

    public bool? IsStopped => process?.IsStopped;

    public void ItemsWait(bool now)
    {
        atRest = !now;
        clock?.ItemsWait(now);
    }

    public bool TryTake(EventTime until, out ClockReading reading)
    {
        reading = default;
        return clock?.TryTake(until, out reading) == true;
    }

    public bool TryTake(EventTime until, out ProcessReading reading)
    {
        reading = default;
        return process?.TryTake(until, out reading) == true;
    }

    public void Conclude() => thread?.Dispose();

    public void Dispose()
    {
        Conclude();
        process?.Dispose();
    }

    void Run(WaitHandle stop)
    {
        Look();
        clock?.Run(stop, LookNowAndThen);
        while (!stop.WaitOne(BetweenLooks))
        {
            Look();
        }

        process!.Conclude(Now);
    }

    void LookNowAndThen()
    {
        if (Now().MsSince(lastLook) >= BetweenLooks.TotalMilliseconds)
        {
            Look();
        }
    }

    void Look()
    {
        lastLook = Now();
        process!.Look(Now, atRest ? BetweenSumsAtRestMs : BetweenSumsMs);
    }

    static EventTime Now() => new(CoarseClock.Fine());
}

/// <summary>
/// The first session with a young process, with only the provider of the runtime's native code. Once the process has started, the full
/// session is opened and then this session is ended, so that no event is missed. Reason: if counters are enabled during a process's first
/// use of the array pool, the process can hang forever (dotnet/runtime#119014). Of 60 programs that first used the array pool at a random
/// moment in their first 0.3 s, while counters were being enabled, 3 hung. Of 60 programs with counters enabled before their first
/// instruction, none hung. So a suspended process gets the full session at once.
/// </summary>
sealed class StartupSession : IStartupStream, IAsyncDisposable
{
    /// <summary>Minimum age of a process that counts as started, milliseconds: a host takes one to three seconds to start.</summary>
    public const double YoungMs = 3000;

    /// <summary>The limit for opening the full session.</summary>
    static readonly TimeSpan OpenLimit = TimeSpan.FromSeconds(10);

    static readonly TimeSpan TryAgain = TimeSpan.FromSeconds(1);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(5);

    readonly EventPipeConnection port;
    readonly TimeProvider time;
    readonly CancellationTokenSource ends = new();
    readonly Task following;

    /// <param name="port">The session with the native provider.</param>
    /// <param name="after">The time until the process counts as started.</param>
    /// <param name="open">Opens the full session.</param>
    /// <param name="time">The clock for delays and limits.</param>
    public StartupSession(EventPipeConnection port, TimeSpan after, Func<CancellationToken, Task<EventPipeConnection>> open,
        TimeProvider time)
    {
        (this.port, this.time) = (port, time);
        following = FollowAsync(after, open);
    }

    public Stream Events => port.Events;

    /// <summary>The full session, once it is open and the first session has ended; null before, and if no full session follows.</summary>
    public EventPipeConnection? Following { get; private set; }

    /// <summary>Completes when the full session is open, or when it is certain that no full session follows.</summary>
    public Task Settled => following;

    public bool IsFollowed()
    {
        // Stops further attempts: if the process has ended, no full session can follow. A full session that is already open stays.
        if (!following.IsCompleted)
        {
            ends.Cancel();
        }

        while (!following.IsCompleted)
        {
            Thread.Sleep(LookAgain);
        }

        return Following is not null;
    }

    /// <summary>Prevents a following session. When this method returns, no session is being opened anymore.</summary>
    public async Task ConcludeAsync()
    {
        if (!following.IsCompleted)
        {
            await ends.CancelAsync().ConfigureAwait(false);
        }

        await following.ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await ConcludeAsync().ConfigureAwait(false);
        if (Following is { } open)
        {
            await open.CloseAsync(time).ConfigureAwait(false);
        }
    }

    async Task FollowAsync(TimeSpan after, Func<CancellationToken, Task<EventPipeConnection>> open)
    {
        for (var next = after; Following is null && !ends.IsCancellationRequested; next = TryAgain)
        {
            try
            {
                await Task.Delay(next, time, ends.Token).ConfigureAwait(false);
                using CancellationTokenSource limit = new(OpenLimit, time);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, ends.Token);
                var opened = await open(either.Token).ConfigureAwait(false);
                await port.StopAsync(LiveSession.StopLimit, time, CancellationToken.None).ConfigureAwait(false);
                Following = opened;
            }
            catch (Exception e) when (SessionErrors.IsForeseen(e))
            {
                // Tries again: a process stopped by a debugger answers later. If the process has ended, IsFollowed ends this loop.
            }
        }
    }
}

/// <summary>A second session with a watched process. Its cost, losses and failures do not affect the first session.</summary>
sealed class SideSession(EventPipeConnection port, SessionPlan plan, TimeProvider time) : ISideStream
{
    /// <summary>
    /// Time limit for a stop with rundown: the runtime first reports all compiled methods, hundreds of thousands in a large program.
    /// </summary>
    static readonly TimeSpan RundownLimit = TimeSpan.FromSeconds(15);

    int stopAsked;
    int disposed;

    public Stream Events => port.Events;
    public bool WithStacks => !port.WithoutStacks;

    public string? Ended(bool properEndMark) => null;

    /// <summary>Opens a side session; throws the client library's exceptions (<see cref="SessionErrors.IsForeseen"/>).</summary>
    public static async Task<SideSession> OpenAsync(Target target, SessionPlan plan, TimeProvider time, CancellationToken cancel) =>
        new(await EventPipeConnection.StartAsync(target, plan, cancel).ConfigureAwait(false), plan, time);

    /// <summary>
    /// Opens a session for a caller that only passes the stream on; the process is not sampled. Exceptions and time limit are those of
    /// <see cref="LiveSession.OpenAsync(Target, Func{TargetFacts, SessionPlan}, CancellationToken)"/>.
    /// </summary>
    public static Task<SideSession> OpenAsync(Target target, Func<TargetFacts, SessionPlan> plan, CancellationToken cancel)
    {
        LiveSessionSetting setting = new();
        return TimedSessionStart.WithinAsync(
            setting, target, (facts, within) => OpenAsync(target, plan(facts), setting.Time, within), cancel);
    }

    public async Task StopAsync(CancellationToken cancel)
    {
        if (Interlocked.Exchange(ref stopAsked, 1) == 0)
        {
            await port.StopAsync(plan.Rundown ? RundownLimit : LiveSession.StopLimit, time, cancel).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
        {
            await port.CloseAsync(time).ConfigureAwait(false);
        }
    }
}

/// <summary>The common steps of every first session with a target: a time limit, the target's facts, and the error on a failure.</summary>
static class TimedSessionStart
{
    /// <summary>
    /// Calls <paramref name="open"/> with the target's facts, within the start limit. Throws <see cref="UserErrorException"/> if the target
    /// does not answer, refuses, is gone (exit code 1) or is too old (4).
    /// </summary>
    public static async Task<T> WithinAsync<T>(
        LiveSessionSetting setting, Target target, Func<TargetFacts, CancellationToken, Task<T>> open, CancellationToken cancel)
    {
        using CancellationTokenSource limit = new(setting.LimitFor(target), setting.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            var facts = await TargetPortrait.TakeAsync(setting.Machine, target, setting.Time, either.Token).ConfigureAwait(false);
            return await open(facts, either.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e))
        {
            cancel.ThrowIfCancellationRequested();
            throw SessionErrors.OfStart(setting.Machine, target, e);
        }
    }
}

/// <summary>The settings and dependencies of a live session; tests supply their own.</summary>
sealed record LiveSessionSetting
{
    public SystemPaths Machine { get; init; } = SystemPaths.Local;
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>The sampler to use when many targets are watched; if null, the session starts its own threads.</summary>
    public SharedProcessSampling? Sampling { get; init; }

    public SessionSource Source { get; init; } = SessionSource.Live;

    /// <summary>Whether to resume a runtime that waits suspended at its start; a runtime that already runs ignores the command.</summary>
    public bool Resume { get; init; }

    /// <summary>Whether a young process begins with a <see cref="StartupSession"/>; false for a process that is suspended.</summary>
    public bool MayBeStarting { get; init; }

    /// <summary>Environment variables to set in the target before it is resumed.</summary>
    public ImmutableDictionary<string, string> Environment { get; init; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>
    /// The limit for all requests to the target before events flow: 10 s, because a target on a busy machine answers within 1 s; 2 s if
    /// the target is stopped at the attach, because it answers within this time if continued at once.
    /// </summary>
    public TimeSpan LimitFor(Target target) =>
        TimeSpan.FromSeconds(Machine.IsLinux && !target.IsElsewhere && Machine.Tree.Stat(target.Pid)?.State is 'T' or 't' ? 2 : 10);
}
