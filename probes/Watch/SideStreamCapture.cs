using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>The probes that decode the second session, which carries items, locks and requests.</summary>
sealed record SideStreamProbes(SideStreamTracker Tracker, ProbeSet Probes)
{
    /// <summary>Returns the probes for a live target; null if the depth needs no second session.</summary>
    public static SideStreamProbes? For(WatchOptions options, int? runtimeMajor)
    {
        if (!options.Depth.HasSession())
        {
            return null;
        }

        var tracker = new SideStreamTracker();
        return new(tracker, ProbeSet.Deep(tracker, options, runtimeMajor));
    }

    public static SideStreamProbes ForRecording(WatchOptions options)
    {
        var tracker = new SideStreamTracker();
        return new(tracker, ProbeSet.DeepForRecording(tracker, options.ShowPaths));
    }
}

/// <summary>
/// Reads the stream of the second session on its own thread, so that its load and losses do not affect the first session. A flood of events
/// ends the second session with a remark, before events are lost or the target becomes slower.
/// </summary>
sealed class SideStreamCapture
{
    /// <summary>Minimum time between two snapshots; a snapshot of many items takes a millisecond.</summary>
    static readonly TimeSpan PublishInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>Maximum lead of the second stream over the first in a replay at a given speed, milliseconds.</summary>
    const double AheadMs = 200;

    readonly ISideStream stream;
    readonly SideStreamProbes probes;
    readonly TimeProvider time;
    readonly RecordingFile? recording;
    readonly EventRateLimit guard;
    readonly Func<EventTime>? gate;
    readonly Thread thread;
    readonly TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    volatile SideStreamSnapshot latest;
    volatile string? remark;
    volatile Task stopping = Task.CompletedTask;
    long published;

    /// <summary>Starts the thread that reads the stream.</summary>
    /// <param name="stream">The second stream, which the caller disposes.</param>
    /// <param name="probes">The probes that decode the stream.</param>
    /// <param name="time">The clock that paces snapshots.</param>
    /// <param name="recording">Receives a copy of the stream, and is closed at the end; null records nothing.</param>
    /// <param name="gate">Callback that returns the position of the first stream in a replay at a given speed; otherwise null.</param>
    public SideStreamCapture(ISideStream stream, SideStreamProbes probes, TimeProvider time, RecordingFile? recording,
        Func<EventTime>? gate)
    {
        (this.stream, this.probes, this.time, this.gate) = (stream, probes, time, gate);
        guard = new(stream.WithStacks);
        this.recording = recording;
        latest = probes.Tracker.Snapshot();
        thread = new Thread(Read) { IsBackground = true, Name = "tpwatch deep reader" };
        thread.Start();
    }

    public SideStreamSnapshot Latest => latest;

    /// <summary>Why the session or its recording ended early, one sentence; null if neither did.</summary>
    public string? Remark => remark;

    /// <summary>Asks the target to end the second session; the thread reads the rest of the stream.</summary>
    public async Task StopAsync(CancellationToken cancel)
    {
        await stream.StopAsync(cancel).ConfigureAwait(false);
        await stopping.ConfigureAwait(false);
    }

    /// <summary>Blocks until the stream is read to its end, or for <paramref name="atMost"/>; null waits without a limit.</summary>
    public void WaitForEnd(TimeSpan? atMost) => thread.Join(atMost ?? Timeout.InfiniteTimeSpan);

    /// <summary>Completes when the stream is read to its end; for callers that must not block.</summary>
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
        var whole = new EventDecoder(null, probes.Probes).Decode(events, new FactFanOut(_ => { }, probes.Tracker));
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

        // In a replay, this thread sleeps until the first stream has nearly reached the same position.
        while (gate is not null && probes.Tracker.Now > gate().PlusMs(AheadMs))
        {
            Thread.Sleep(5);
        }
    }
}

/// <summary>Watches work items or HTTP requests of a live target in a second session, which <see cref="Ask"/> opens.</summary>
sealed class OnDemandItemWatch : IAsyncDisposable
{
    readonly LiveSession session;
    readonly WatchOptions options;
    readonly CaptureDepth what;
    readonly TimeSpan? atMost;
    readonly CancellationTokenSource ends = new();
    readonly CancellationToken ended;
    volatile SideStreamCapture? reading;
    volatile string? failure;
    SideSession? opened;
    Task opening = Task.CompletedTask;
    int disposed;

    /// <summary>Creates a watch that <see cref="Ask"/> starts, and that ends <paramref name="atMost"/> later; null sets no limit.</summary>
    public OnDemandItemWatch(LiveSession session, WatchOptions options, CaptureDepth what, TimeSpan? atMost = null) =>
        (this.session, this.options, this.what, this.atMost, ended) = (session, options, what, atMost, ends.Token);

    /// <summary>Whether <see cref="Ask"/> has started the watch.</summary>
    public bool IsAsked { get; private set; }

    /// <summary>Why the session did not open, or why it ended early, one sentence; null otherwise.</summary>
    public string? Remark => failure ?? reading?.Remark;

    /// <summary>Completes when the session is open, or could not be opened.</summary>
    public Task Opened { get; private set; } = Task.CompletedTask;

    /// <summary>What the watch has seen so far; null before the session is open.</summary>
    public SideStreamSnapshot? Latest => reading?.Latest;

    /// <summary>Whether the watch has ended; <see cref="Ask"/> then has no effect.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Starts the watch. Further calls, and calls after the end, have no effect.</summary>
    public void Ask()
    {
        if (!IsAsked && !HasEnded)
        {
            IsAsked = true;
            Opened = OpenAsync(ended);
            opening = EndInTimeAsync(ended);
        }
    }

    /// <summary>Ends the watch and its session.</summary>
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
        // The recording does not include this session: it contains only the streams chosen at the start.
        var wanted = options with { Depth = what, RecordTo = null };
        var probes = SideStreamProbes.For(wanted, session.Target.RuntimeMajor)!;
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
            // DisposeAsync has ended the watch earlier, and stops the session.
        }
    }
}
