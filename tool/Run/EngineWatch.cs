using Tpwatch.Recordings;
using Tpwatch.Screen.Commands;
using Tpwatch.Watch;

namespace Tpwatch.Run;

/// <summary>Adapts <see cref="ThreadPoolWatch"/>, which watches a process or a recording, to <see cref="IWatch"/>.</summary>
sealed class EngineWatch(ThreadPoolWatch watch, bool hasTarget) : IWatch
{
    /// <summary>
    /// Maximum size of the retained part of the event stream, bytes. At basic depth, 8 MB hold half an hour of a busy target, or several
    /// hours of an idle target.
    /// </summary>
    public const long RetainedBytes = 8 << 20;

    public Task<SessionEnd> Completion => watch.Completion;

    public PoolReport Report() => watch.Report();

    public Task News => watch.News;

    public CurrentPoolState? Glance(TimelineSnapshot? since) => watch.Glance(since);

    public Task StacksUnderWay => watch.Switches.Stacks?.UnderWay ?? Task.CompletedTask;
    public double? Progress => watch.Progress;

    public IProbeSwitch? Probes { get; } =
        watch.Switches is { Stacks: { } stacks } switches ? new ProbeSwitch(stacks, switches.Items, watch.Completion) : null;

    public TargetSilence? Silence => watch.Silence;
    public string? RecordingEnded => watch.RecordingEnded;
    public bool RecordingFailed => watch.RecordingFailed;

    public Task StopAsync(CancellationToken cancel) => watch.StopAsync(cancel);

    public TimeSpan? Behind => watch.Behind;

    public void Forget() => watch.Forget();

    public SavedFlight SaveRetained(string path) => watch.SaveRetained(path);

    // Ends the session of a live target: a suspended tpwatch would block the target's diagnostics. A replay needs no action.
    public Task SuspendAsync(CancellationToken cancel) => hasTarget ? watch.StopAsync(cancel) : Task.CompletedTask;

    public ValueTask DisposeAsync() => watch.DisposeAsync();
}

/// <summary>
/// Turns stacks on and off during a live watch, and item measurement on. <paramref name="items"/> is null if items are always measured.
/// </summary>
sealed class ProbeSwitch(BurstWatch bursts, OnDemandItemWatch? items, Task session) : IProbeSwitch
{
    const string Ended = "The session has ended, so tpwatch can measure nothing more.";

    public ProbeState Of(OptionalProbe probe) => probe == OptionalProbe.Stacks
        ? new(
            bursts.IsAllowed,
            bursts.Reads
                ? "Cost: tpwatch reads the memory now, more while items wait (at most once in 5 s). The process is not paused. "
                    + $"If that does not show the call, a burst of stacks pauses the process for about {DepthPrice.BurstMs} ms."
            : $"Cost: a burst now, more while items wait (at most one in 5 s). Each pauses the process for about {DepthPrice.BurstMs} ms.",
            session.IsCompleted ? Ended : null)
        {
            Says = bursts.Said,
            IsUnderWay = bursts.IsUnderWay,
        }
        : new(
            items is not { IsAsked: false },
            $"Cost: two events per item. A process saturated with {DepthPrice.ItemsPerSecond} items a second then keeps "
                + $"{DepthPrice.ItemsShare} of its throughput ({DepthPrice.ItemsWithStacksShare} on .NET 8).",
            session.IsCompleted
                ? Ended
                : items?.Remark
                    ?? (items is not { IsAsked: false } ? "tpwatch measures items until it exits: you cannot switch this off." : null));

    public string Turn(OptionalProbe probe, bool on)
    {
        if (session.IsCompleted)
        {
            return Ended;
        }

        if (probe == OptionalProbe.Items)
        {
            items?.Ask();
            return "tpwatch measures items from now on, until it exits. The queue time of items queued before is not known.";
        }

        if (on)
        {
            bursts.Ask();
            return bursts.Reads
                ? "Reading the memory now, without a pause, and more while items wait. 3 shows what was read; t stops that."
                : "Taking stacks now, and more while items wait. 3 shows them; t stops the bursts.";
        }

        bursts.Decline();
        return "Stopped taking stacks. 3 still shows those taken; t takes more.";
    }
}

/// <summary>
/// A live watch that consists of several sessions. Before Ctrl+Z suspends tpwatch, the session ends, because a suspended tpwatch would
/// block the target's diagnostics. After <c>fg</c>, or for the next process, a new session starts with an empty history.
/// </summary>
/// <param name="attachAgain">Callback that starts a new session in the same process.</param>
/// <param name="attachNext">Callback that waits for the next process and starts a session in it; null if that is not possible.</param>
sealed class SegmentedWatch(
    IWatch first, Func<CancellationToken, Task<IWatch>> attachAgain, Func<CancellationToken, Task<IWatch>>? attachNext = null) : IWatch
{
    volatile IWatch current = first;
    volatile Notice? awaits;
    volatile Task? resuming;
    CancellationTokenSource quit = new();

    public Task<SessionEnd> Completion => resuming is { IsCompleted: false } settling ? CompletionAfterAsync(settling) : current.Completion;
    public string? ResumeFailure { get; private set; }
    public TargetSilence? Silence => current.Silence;
    public TimeSpan? Behind => current.Behind;
    public Notice? Awaits => awaits;
    public IProbeSwitch? Probes => current.Probes;
    public Task StacksUnderWay => current.StacksUnderWay;
    public bool CanWatchAgain => attachNext is not null;

    /// <summary>Whether the watch waits for the next process by itself, without a request from the user.</summary>
    public bool Follows { get; init; }

    public PoolReport Report()
    {
        var report = current.Report();
        if (Follows && awaits is null && report.End is (SessionEnd.TargetExited or SessionEnd.TargetKilled or SessionEnd.StreamBroken))
        {
            Again();
        }

        return report;
    }

    public Task News => current.News;

    public void Forget() => current.Forget();

    public SavedFlight SaveRetained(string path) => current.SaveRetained(path);

    public string Again()
    {
        if (attachNext is null || resuming is { IsCompleted: false })
        {
            return attachNext is null ? "tpwatch cannot wait for this process." : "tpwatch is already waiting for the process.";
        }

        quit = new();
        awaits = new("WAITING", $"for a new {current.Report().Timeline.Target.Name} to start");
        resuming = NextAsync(attachNext, quit.Token);
        return "The data stays until the new process starts.";
    }

    public async Task StopAsync(CancellationToken cancel)
    {
        await SettleAsync(cancel);
        if (!current.Completion.IsCompleted)
        {
            await current.StopAsync(cancel);
        }
    }

    public Task SuspendAsync(CancellationToken cancel) => StopAsync(cancel);

    public Task ResumeAsync(CancellationToken cancel)
    {
        quit = new();
        return resuming = AgainAsync(cancel, quit.Token);
    }

    public async ValueTask DisposeAsync()
    {
        await SettleAsync(CancellationToken.None);
        await current.DisposeAsync();
    }

    async Task AgainAsync(CancellationToken cancel, CancellationToken quits)
    {
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(cancel, quits);
        try
        {
            if (await current.Completion.WaitAsync(ends.Token) != SessionEnd.StoppedByUs)
            {
                // The target ended before Ctrl+Z; the data of its session stays.
                return;
            }

            var before = current;
            current = await attachAgain(ends.Token);
            await before.DisposeAsync();
        }
        catch (UserErrorException e)
        {
            ResumeFailure = e.Message;
        }
        catch (OperationCanceledException) when (ends.IsCancellationRequested)
        {
            // The user has quit; the final report has the data of the earlier session.
        }
    }

    async Task NextAsync(Func<CancellationToken, Task<IWatch>> attach, CancellationToken quits)
    {
        try
        {
            var next = await attach(quits);
            var before = current;
            (current, awaits) = (next, null);
            await before.DisposeAsync();
        }
        catch (UserErrorException e)
        {
            awaits = new("FAILED", e.Message);
        }
        catch (OperationCanceledException) when (quits.IsCancellationRequested)
        {
            awaits = null;
        }
    }

    // Cancels the start of a new session that is in progress. The session must not stay open in the target.
    async Task SettleAsync(CancellationToken cancel)
    {
        if (resuming is { IsCompleted: false } settling)
        {
            await quit.CancelAsync();
            await settling.WaitAsync(cancel);
        }
    }

    async Task<SessionEnd> CompletionAfterAsync(Task settling)
    {
        await settling;
        return await current.Completion;
    }
}

/// <summary>
/// A replay that the user can pause, speed up, and move in time. Forwards, it reads on without pacing. Backwards, it reads the recording
/// again from the start. The final report is the same in every case.
/// </summary>
sealed class ReplayWatch : IWatch, IPlayback
{
    readonly Func<ReplayControl, IWatch> open;
    readonly List<Task> closing = [];
    ReplayControl control;
    volatile IWatch current;

    /// <param name="open">Callback that opens the recording; its argument controls speed and pauses.</param>
    /// <param name="speed">The initial speed: 1 for real time, null for as fast as possible.</param>
    public ReplayWatch(Func<ReplayControl, IWatch> open, double? speed)
    {
        (this.open, control) = (open, new(speed));
        current = open(control);
    }

    public Task<SessionEnd> Completion => current.Completion;
    public IPlayback Playback => this;

    public double? Speed
    {
        get => control.Speed;
        set => control.Speed = value;
    }

    public bool Paused
    {
        get => control.Paused;
        set => control.Paused = value;
    }

    public bool AtEnd => current.Completion.IsCompleted;

    public PoolReport Report() => current.Report();

    public Task News => current.News;

    public void Forget() => current.Forget();

    public SavedFlight SaveRetained(string path) =>
        throw new UserErrorException("a replay saves no recording: everything shown is in the replayed file", "copy that "
            + "file", ExitCode.NoSession);

    public void Seek(double milliseconds)
    {
        var timeline = current.Report().Timeline;
        if (milliseconds >= timeline.Now.MsSince(timeline.Start))
        {
            control.RunToMs = milliseconds;
            return;
        }

        closing.RemoveAll(t => t.IsCompletedSuccessfully);
        closing.Add(current.DisposeAsync().AsTask());
        control = new(control.Speed) { Paused = control.Paused, RunToMs = milliseconds };
        current = open(control);
    }

    public Task StopAsync(CancellationToken cancel) => current.StopAsync(cancel);

    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(closing);
        await current.DisposeAsync();
    }
}
