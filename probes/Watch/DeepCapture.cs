using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Recordings;
using Tpwatch.Reports;

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
