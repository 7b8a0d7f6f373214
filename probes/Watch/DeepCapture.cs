using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>The probes for reading the second session.</summary>
sealed record DeepProbes(DeepTracker Tracker, ProbeSet Probes)
{
    /// <summary>The probes for a live target; null at basic depth.</summary>
    public static DeepProbes? For(WatchOptions options, int? runtimeMajor)
    {
        if (!options.Depth.HasSession())
        {
            return null;
        }

        var tracker = new DeepTracker();
        return new(tracker, ProbeSet.Deep(tracker, options, runtimeMajor));
    }

    public static DeepProbes ForRecording(WatchOptions options)
    {
        var tracker = new DeepTracker();
        return new(tracker, ProbeSet.DeepForRecording(tracker, options.ShowPaths));
    }
}

/// <summary>
/// Reads the second stream on its own thread, so that its load and losses do not affect the first stream. In a flood of events, the capture
/// ends its session and reports that; otherwise it would lose events or slow down the target.
/// </summary>
sealed class DeepCapture
{
    /// <summary>Interval at which a snapshot is published; a snapshot of many items takes a millisecond.</summary>
    static readonly TimeSpan PublishInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>Maximum time by which the second stream of a replay may be ahead of the first stream, milliseconds.</summary>
    const double AheadMs = 200;

    readonly ISideStream stream;
    readonly DeepProbes probes;
    readonly TimeProvider time;
    readonly RecordingFile? recording;
    readonly FloodGuard guard;
    readonly Func<EventTime>? gate;
    readonly Thread thread;
    readonly TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    volatile DeepSnapshot latest;
    volatile string? remark;
    volatile Task stopping = Task.CompletedTask;
    long published;

    /// <summary>Starts reading.</summary>
    /// <param name="stream">The second stream, which the caller disposes.</param>
    /// <param name="probes">The probes for reading.</param>
    /// <param name="time">The clock that paces snapshots.</param>
    /// <param name="recording">Receives a copy of the stream, and is closed at the end; null records nothing.</param>
    /// <param name="gate">Callback that returns the position of the first stream in a replay at a given speed; null otherwise.</param>
    public DeepCapture(ISideStream stream, DeepProbes probes, TimeProvider time, RecordingFile? recording, Func<EventTime>? gate)
    {
        (this.stream, this.probes, this.time, this.gate) = (stream, probes, time, gate);
        guard = new(stream.WithStacks);
        this.recording = recording;
        latest = probes.Tracker.Snapshot();
        thread = new Thread(Read) { IsBackground = true, Name = "tpwatch deep reader" };
        thread.Start();
    }

    public DeepSnapshot Latest => latest;

    /// <summary>Why the session ended early, one sentence; null while it continues.</summary>
    public string? Remark => remark;

    /// <summary>Ends the session in order.</summary>
    public async Task StopAsync(CancellationToken cancel)
    {
        await stream.StopAsync(cancel).ConfigureAwait(false);
        await stopping.ConfigureAwait(false);
    }

    /// <summary>Blocks until everything is read or the time <paramref name="atMost"/> is over; null waits without a limit.</summary>
    public void WaitForEnd(TimeSpan? atMost) => thread.Join(atMost ?? Timeout.InfiniteTimeSpan);

    /// <summary>Completes when everything is read, for callers that must not block.</summary>
    public Task Completion => ended.Task;

    void Read()
    {
        try
        {
            ReadAll();
        }
        finally
        {
            ended.SetResult();
        }
    }

    void ReadAll()
    {
        EventStream events = new(stream.Events) { BeforeRead = BeforeRead, Copy = recording is null ? null : recording.Write };
        var whole = new EventDecoder(null, probes.Probes).Decode(events, probes.Tracker);
        latest = probes.Tracker.Snapshot();
        recording?.Dispose();
        remark ??= recording?.Remark ?? stream.Ended(whole);
    }

    void BeforeRead()
    {
        var now = time.GetTimestamp();
        if (time.GetElapsedTime(published, now) >= PublishInterval)
        {
            published = now;
            latest = probes.Tracker.Snapshot();
        }

        if (remark is null && guard.Look(probes.Tracker) is { } flood)
        {
            remark = flood;
            stopping = stream.StopAsync(CancellationToken.None);
        }

        // This thread may sleep: a replay shows the state at the position of the first stream, not a later state.
        while (gate is not null && probes.Tracker.Now > gate().PlusMs(AheadMs))
        {
            Thread.Sleep(5);
        }
    }
}

/// <summary>Watches work items or HTTP requests of a live target from the call of <see cref="Ask"/> on, in a second session.</summary>
sealed class OnDemandItemWatch : IAsyncDisposable
{
    readonly LiveSession session;
    readonly WatchOptions options;
    readonly CaptureDepth what;
    readonly TimeSpan? atMost;
    readonly CancellationTokenSource ends = new();
    readonly CancellationToken ended;
    volatile DeepCapture? reading;
    volatile string? failure;
    SideSession? opened;
    Task opening = Task.CompletedTask;
    int disposed;

    /// <summary>Creates an idle watch for <paramref name="what"/>, which ends <paramref name="atMost"/> after its start.</summary>
    public OnDemandItemWatch(LiveSession session, WatchOptions options, CaptureDepth what, TimeSpan? atMost = null) =>
        (this.session, this.options, this.what, this.atMost, ended) = (session, options, what, atMost, ends.Token);

    /// <summary>Whether <see cref="Ask"/> has started the watch.</summary>
    public bool IsAsked { get; private set; }

    /// <summary>Why the session could not be opened or ended early, one sentence; null otherwise.</summary>
    public string? Remark => failure ?? reading?.Remark;

    /// <summary>Completes when the session is open, or could not be opened.</summary>
    public Task Opened { get; private set; } = Task.CompletedTask;

    /// <summary>The observations; null before the session is open.</summary>
    public DeepSnapshot? Latest => reading?.Latest;

    /// <summary>Whether the watch has ended, also by Ctrl+Z; <see cref="Ask"/> then has no effect.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Starts the watch within about a tenth of a second. Further calls, and calls after the end, have no effect.</summary>
    public void Ask()
    {
        if (!IsAsked && !HasEnded)
        {
            IsAsked = true;
            Opened = OpenAsync(ended);
            opening = EndInTimeAsync(ended);
        }
    }

    /// <summary>Ends the session in order and releases it.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 1)
        {
            return;
        }

        await ends.CancelAsync().ConfigureAwait(false);
        await opening.ConfigureAwait(false);
        if (reading is { } deep && opened is { } stream)
        {
            await deep.StopAsync(CancellationToken.None).ConfigureAwait(false);
            await Task.WhenAny(deep.Completion, Task.Delay(LiveSession.StopLimit, options.Time)).ConfigureAwait(false);
            await stream.DisposeAsync().ConfigureAwait(false);
        }

        ends.Dispose();
    }

    async Task OpenAsync(CancellationToken cancel)
    {
        // A recording contains only the streams that were chosen at the start.
        var wanted = options with { Depth = what, RecordTo = null };
        var probes = DeepProbes.For(wanted, session.Target.RuntimeMajor)!;
        try
        {
            opened = await session.OpenSideAsync(SessionNeeds.Side(probes.Probes), cancel).ConfigureAwait(false);
            reading = new(opened, probes, wanted.Time, recording: null, gate: null);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e) || e is OperationCanceledException)
        {
            failure = cancel.IsCancellationRequested
                ? null
                : $"{(what == CaptureDepth.Items ? "work items" : "requests")} cannot be watched: {e.Message}";
        }
    }

    async Task EndInTimeAsync(CancellationToken cancel)
    {
        await Opened.ConfigureAwait(false);
        if (atMost is not { } limit || reading is not { } deep)
        {
            return;
        }

        try
        {
            await Task.Delay(limit, options.Time, cancel).ConfigureAwait(false);
            await deep.StopAsync(cancel).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            // A caller that ends the watch earlier also stops the session.
        }
    }
}
