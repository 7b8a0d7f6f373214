using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A session with a running process.</summary>
sealed class LiveSession : ISession
{
    // How long a dying process may take from closing its socket to being gone.
    const int GonePolls = 25;
    static readonly TimeSpan GonePollInterval = TimeSpan.FromMilliseconds(20);

    readonly Machine machine;
    readonly Target target;
    readonly TimeProvider time;
    readonly OpenPort port;
    readonly SideSession? beside;
    readonly StartSession? start;
    readonly Stream first;
    readonly ISampling? sampling;
    readonly TaskCompletionSource stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    Stream? following;
    int stopAsked;
    int disposed;

    LiveSession(LiveSessionSetting setting, Target target, TargetFacts facts, SessionStart open)
    {
        machine = setting.Machine;
        time = setting.Time;
        this.target = target;
        (port, beside, start, Depth) = (open.Port, open.Beside, open.Start, open.Depth);
        Target = facts;
        Source = setting.Source;
        first = start?.Events ?? new EndingStream(port.Session.EventStream);

        // In another time namespace the target's monotonic clock has another origin, and our readings would be wrong.
        if (machine.IsLinux && !target.IsElsewhere && !machine.Tree.IsInAnotherNamespace(target.Pid, "time"))
        {
            sampling = setting.Sampling?.Of(target.Pid) ?? new OwnSampling(machine, target.Pid);
        }
    }

    public TargetFacts Target { get; }
    public SessionSource Source { get; }
    public Stream Events => start?.Following is { } open ? following ??= new EndingStream(open.Session.EventStream) : first;
    public IStartStream? Start => start;
    public CaptureDepth Depth { get; }
    public ISideStream? Beside => beside;
    public bool? IsTargetStopped => sampling?.IsStopped;

    /// <summary>Whether events come without stacks; before .NET 9 they cannot.</summary>
    public bool WithoutStacks => port.WithoutStacks;

    OpenPort Port => start?.Following ?? port;

    /// <summary>How long a stop may take before the session is torn down instead; an unburdened target takes 130 ms at most.</summary>
    internal static TimeSpan StopLimit { get; } = TimeSpan.FromSeconds(3);

    /// <summary>
    /// Starts a session; <paramref name="plan"/> may depend on what is known of the target by then, its runtime above all. Takes at most 10
    /// s. <see cref="ForeseenException"/> when the target does not answer, refuses, is gone (exit code 1) or too old (4).
    /// </summary>
    public static Task<LiveSession> OpenAsync(Target target, Func<TargetFacts, SessionPlan> plan, CancellationToken cancel) =>
        OpenAsync(new LiveSessionSetting(), target, plan, cancel);

    internal static Task<LiveSession> OpenAsync(
        LiveSessionSetting setting, Target target, Func<TargetFacts, SessionPlan> plan, CancellationToken cancel) =>
        StartLimit.WithinAsync(
            setting, target,
            async (facts, within) => new LiveSession(
                setting, target, facts, await SessionStart.OpenAsync(setting, target, plan(facts), within).ConfigureAwait(false)),
            cancel);

    /// <summary>Opens another session with the same target; throws what <see cref="SessionErrors.IsForeseen"/> knows.</summary>
    internal async Task<SideSession> OpenBesideAsync(SessionPlan plan, CancellationToken cancel)
    {
        await (start?.Settled.WaitAsync(cancel) ?? Task.CompletedTask).ConfigureAwait(false);
        return await SideSession.OpenAsync(target, plan, time, cancel).ConfigureAwait(false);
    }

    /// <summary>
    /// The threads that the kernel calls workers of the pool, by the ids that events give them; none where that cannot be seen.
    /// </summary>
    internal IReadOnlySet<int> WorkersByName() =>
        machine.IsLinux && !target.IsElsewhere ? ThreadNames.Workers(machine.Tree, target.Pid) : new HashSet<int>();

    /// <summary>The service's own assemblies; null where nothing tells. Reads files of the target's, and so is asked once.</summary>
    internal ImmutableHashSet<string>? OwnAssemblies() =>
        machine.IsLinux && !target.IsElsewhere ? Targets.OwnAssemblies.Of(machine.Tree, target.Pid) : null;

    /// <summary>Whether its runtime was compiled into the program; false too once it has ended, and from elsewhere.</summary>
    internal bool IsNativeAot() => machine.IsLinux && !target.IsElsewhere && RuntimeTrace.IsNativeAot(machine.Tree, target.Pid);

    /// <summary>Whether it is an ASP.NET Core server as far as can be seen; of a single file, or from elsewhere, nobody knows.</summary>
    internal bool MayServeRequests() => !machine.IsLinux || target.IsElsewhere || LoadedServer.MayBeIn(machine.Tree, target.Pid);

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
            await (start?.ConcludeAsync() ?? Task.CompletedTask).ConfigureAwait(false);
            await Port.StopAsync(StopLimit, time, cancel).ConfigureAwait(false);
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

    /// <summary>Closes our end at once, without asking the target to stop; the way out when stopping in order is no option.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 1)
        {
            return;
        }

        sampling?.Dispose();
        if (beside is not null)
        {
            await beside.DisposeAsync().ConfigureAwait(false);
        }

        if (start is not null)
        {
            await start.DisposeAsync().ConfigureAwait(false);
        }

        await port.CloseAsync(time).ConfigureAwait(false);
    }

    bool HasGone() => SessionErrors.HasGone(machine, target);

    // The socket is closed a little before the process is gone. This is the reader's own thread: it may sleep.
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

/// <summary>A session's opening, and what it then holds in its target.</summary>
/// <param name="Port">The first session.</param>
/// <param name="Beside">The second, for items or stacks; null without.</param>
/// <param name="Depth">What is observed.</param>
/// <param name="Start">Of a process that starts: the first session is a beginning, and the whole one follows; null otherwise.</param>
sealed record SessionStart(OpenPort Port, SideSession? Beside, CaptureDepth Depth, StartSession? Start)
{
    /// <summary>Opens both, and lets a suspended target go on; leaves nothing behind where one fails.</summary>
    public static async Task<SessionStart> OpenAsync(LiveSessionSetting setting, Target target, SessionPlan plan, CancellationToken cancel)
    {
        var left = setting.MayBeStarting ? StartLeft(setting.Machine, target) : null;
        var start = left is null ? null : plan.AtStart;
        var first = start ?? plan;
        var port = await OpenPort.StartAsync(target, first, cancel).ConfigureAwait(false);
        SideSession? beside = null;
        try
        {
            beside = first.Beside is { } second
                ? await SideSession.OpenAsync(target, second, setting.Time, cancel).ConfigureAwait(false)
                : null;
            await (setting.Resume ? port.ResumeAsync(setting.Environment, cancel) : Task.CompletedTask).ConfigureAwait(false);
            return new(port, beside, plan.Depth,
                start is null ? null : new(port, left!.Value, within => OpenPort.StartAsync(target, plan, within), setting.Time));
        }
        catch
        {
            if (beside is not null)
            {
                await beside.DisposeAsync().ConfigureAwait(false);
            }

            await port.CloseAsync(setting.Time).ConfigureAwait(false);
            throw;
        }
    }

    // How long until it counts as started; null where it does. In some containers the uptime is another than that of the start time.
    static TimeSpan? StartLeft(Machine machine, Target target) => machine.IsLinux && !target.IsElsewhere && target.StartTime is { } start
        && StartSession.YoungMs - (machine.Tree.UptimeMs() - start * ProcStat.TickMs) is > 0 and var left
        ? TimeSpan.FromMilliseconds(Math.Min(left, StartSession.YoungMs)) : null;
}

/// <summary>
/// The sampling of one target, on one thread: a wake-up costs more than what is looked at, so the process is looked at when the clock's
/// sampler has woken anyway.
/// </summary>
sealed class OwnSampling : ISampling
{
    /// <summary>
    /// At least: a stop is known to within three of the clock's sleeps, 0.12 s, and to within one, 0.4 s, while nothing waits.
    /// </summary>
    static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    /// <summary>The sums cost a file a thread.</summary>
    const double BetweenSumsMs = 1000;

    /// <summary>While nothing waits they explain nothing: what is taken then is only where the next sums begin.</summary>
    const double BetweenSumsAtRestMs = 4000;

    readonly ClockSampler? clock = ClockSampler.Create();
    readonly ProcessLook? process;
    readonly SamplingThread? thread;
    EventTime lastLook;
    volatile bool atRest;

    /// <summary>Of that process, from now on; of nothing on a machine that does not show its processes.</summary>
    public OwnSampling(Machine machine, int pid)
    {
        if (OperatingSystem.IsLinux())
        {
            process = new ProcessLook(machine, pid, new Neighbours(machine));
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
/// The session that a young process has first, with the provider of the runtime's native code alone. When the process has started, the
/// whole session is opened, and then this one ended, so that nothing is missed between them.
/// Counters that are switched on while the process makes its first use of the array pool can block both for good (dotnet/runtime#119014):
/// of 60 programs that used it at a random moment of their first 0.3 s, meanwhile, 3 hung; of 60 whose counters were on before their first
/// instruction none. So a suspended process has the whole session at once.
/// </summary>
sealed class StartSession : IStartStream, IAsyncDisposable
{
    /// <summary>An older process has started: a host with its configuration takes one to three seconds. Milliseconds.</summary>
    public const double YoungMs = 3000;

    /// <summary>As long as a session may take to open.</summary>
    static readonly TimeSpan OpenLimit = TimeSpan.FromSeconds(10);

    static readonly TimeSpan TryAgain = TimeSpan.FromSeconds(1);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(5);

    readonly OpenPort port;
    readonly TimeProvider time;
    readonly CancellationTokenSource ends = new();
    readonly Task following;

    /// <param name="port">The session with the native provider.</param>
    /// <param name="after">When the process has started.</param>
    /// <param name="open">Opens the whole session.</param>
    /// <param name="time">Paces it.</param>
    public StartSession(OpenPort port, TimeSpan after, Func<CancellationToken, Task<OpenPort>> open, TimeProvider time)
    {
        (this.port, this.time) = (port, time);
        Events = new EndingStream(port.Session.EventStream);
        following = FollowAsync(after, open);
    }

    public Stream Events { get; }

    /// <summary>The whole session, once it is open and this one has ended; null before, and where there will be none.</summary>
    public OpenPort? Following { get; private set; }

    /// <summary>Completes when the whole session is open, or will not be.</summary>
    public Task Settled => following;

    public bool IsFollowed()
    {
        // Where the stream has ended by itself the process has.
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

    /// <summary>No session is to follow any more; one that is being opened is, when this returns.</summary>
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

    async Task FollowAsync(TimeSpan after, Func<CancellationToken, Task<OpenPort>> open)
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
                // Stopped by a debugger it answers later; where it has ended its stream ends as well, and with that this.
            }
        }
    }
}
