using Tpwatch.Attach;
using Tpwatch.Events;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;
using Tpwatch.Explain.Policies;
using Tpwatch.Timeline;

namespace Tpwatch;

/// <summary>Everything that was folded up to one moment; immutable. The only thing that crosses from the reading thread to others.</summary>
sealed record Observation(TimelineSnapshot Timeline, LedgerSnapshot Ledger, SessionEnd End);

/// <summary>One reading of a stream: decode, fold, publish, record. Runs on one thread; only <see cref="Latest"/> is for others.</summary>
sealed class Capture
{
    /// <summary>A recording is read faster than anybody looks; so often is enough.</summary>
    static readonly TimeSpan PublishInterval = TimeSpan.FromMilliseconds(50);

    readonly ISession session;
    readonly ProbeSet probes;
    readonly WatchOptions options;
    readonly PoolTimeline timeline;
    readonly GapLedger ledger;
    readonly RecordingFile? recording;
    readonly ClockLog clocks = new();
    readonly ReplayPace pace;
    volatile Observation latest;
    long published;

    public Capture(ISession session, ProbeSet probes, WatchOptions options)
    {
        (this.session, this.probes, this.options) = (session, probes, options);
        timeline = new(session.Target, session.Source);
        ledger = new(session.Target, new PortablePolicy());
        recording = options.RecordTo is { } path ? RecordingFile.Create(path, options.RecordLimitBytes) : null;
        pace = new(options.Time, session.Source == SessionSource.Recording ? options.ReplaySpeed : null);
        foreach (var remark in (session as RecordedSession)?.Remarks ?? [])
        {
            timeline.Remark(remark);
        }

        if (Runtimes.AreUnverified(session.Target))
        {
            timeline.Remark(Runtimes.Remark(session.Target));
        }

        latest = new(timeline.Snapshot(), ledger.Snapshot(), SessionEnd.StillOpen);
    }

    public Observation Latest => latest;

    /// <summary>Why the recording ended before the session did; null while it goes on.</summary>
    public string? RecordingEnded => recording?.Remark;

    public void StopPacing() => pace.Stop();

    /// <summary>Reads the stream to its end.</summary>
    public SessionEnd Run()
    {
        var stream = new TappedStream(session.Events, PublishNew, recording);
        var sink = new FactFanOut(Before, timeline, ledger, new ClockSink(clocks));
        var end = session.Ended(new EventDecoder(session, probes).Decode(stream, sink));
        Finish(end);
        Publish(end);
        return end;
    }

    /// <summary>A replay at real speed waits here, having published what came before.</summary>
    void Before(EventTime at)
    {
        if (pace.MustWait(at))
        {
            Publish(SessionEnd.StillOpen);
            pace.HoldUntil(at);
        }
    }

    void PublishNew()
    {
        var now = options.Time.GetTimestamp();
        if (session.Source != SessionSource.Recording || options.Time.GetElapsedTime(published, now) >= PublishInterval)
        {
            published = now;
            Publish(SessionEnd.StillOpen);
        }
    }

    void Publish(SessionEnd end) => latest = new(timeline.Snapshot(), ledger.Snapshot(), end);

    void Finish(SessionEnd end)
    {
        if (end == SessionEnd.RecordingBroken)
        {
            timeline.Remark("the recording breaks off; what came before was read");
        }

        if (recording is null)
        {
            return;
        }

        recording.Dispose();
        var remarks = recording.Remark is { } remark ? new[] { remark } : [];
        foreach (var text in remarks)
        {
            timeline.Remark(text);
        }

        SideCarFile.Write(SideCarFile.PathFor(recording.Path), SideCarFile.Describe(session.Target, clocks.Readings) with
        {
            Source = session.Source,
            HeartbeatMs = options.Heartbeat?.TotalMilliseconds,
            Remarks = [.. remarks],
        });
    }
}
