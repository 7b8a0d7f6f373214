using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>What the second session is read with.</summary>
sealed record DeepProbes(DeepTracker Tracker, ProbeSet Probes)
{
    /// <summary>For a live target; null at basic depth.</summary>
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
/// One reading of the second stream, on a thread of its own, so that neither its load nor its loss touches the first. Under a flood it ends
/// its session rather than lose events or slow the target, and says so.
/// </summary>
sealed class DeepCapture
{
    /// <summary>So often somebody may look; a snapshot of many items takes a millisecond.</summary>
    static readonly TimeSpan PublishInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>How far the second stream of a replay may be ahead of the first.</summary>
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

    /// <summary>Begins to read.</summary>
    /// <param name="stream">The second stream; stays its owner's.</param>
    /// <param name="probes">How it is read.</param>
    /// <param name="time">Pace.</param>
    /// <param name="recording">Takes a copy, and is closed at the end; null records nothing.</param>
    /// <param name="gate">How far the first stream is, when that is read at its own speed.</param>
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

    /// <summary>Why it ended before its time, one sentence; null while it goes on.</summary>
    public string? Remark => remark;

    /// <summary>Ends the session in order.</summary>
    public async Task StopAsync(CancellationToken cancel)
    {
        await stream.StopAsync(cancel).ConfigureAwait(false);
        await stopping.ConfigureAwait(false);
    }

    /// <summary>Waits until everything is read, at most so long, on a thread that may sleep; null waits for as long as it takes.</summary>
    public void WaitForEnd(TimeSpan? atMost) => thread.Join(atMost ?? Timeout.InfiniteTimeSpan);

    /// <summary>The same for those that may not: everything is read.</summary>
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
        var tapped = new TappedStream(stream.Events, BeforeRead, recording);
        var whole = new EventDecoder(null, probes.Probes).Decode(tapped, probes.Tracker);
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

        // This thread may sleep: a replay shows what the first stream has come to, not what comes later.
        while (gate is not null && probes.Tracker.Now > gate().PlusMs(AheadMs))
        {
            Thread.Sleep(5);
        }
    }
}
