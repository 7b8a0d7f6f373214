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
