using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>One reading of a stream: decode, fold, publish, record. Runs on one thread; only <see cref="Latest"/> is for others.</summary>
sealed class PoolCapture
{
    /// <summary>How long the second stream may take to end after the first; it is asked at the same time.</summary>
    static readonly TimeSpan DeepLimit = TimeSpan.FromSeconds(4);

    readonly ISession session;
    readonly ProbeSet probes;
    readonly WatchOptions options;
    readonly PoolFold fold;
    readonly RecordedBeside? recording;
    readonly FlightRecorder? flight;
    readonly LagTracker lag;
    readonly StreamNews news;
    readonly ClockLog clocks = new();
    readonly ProcessLog processes = new();
    readonly ReplayPace pace;
    readonly WatchedBeside beside;
    readonly Offer offer;
    IFactSink? sink;
    long now;
    volatile bool completed;

    public PoolCapture(Opening opened, WatchOptions options)
    {
        (session, probes, this.options) = (opened.Session, opened.Basic, options);
        fold = new(session.Target, session.Source);
        recording = RecordedBeside.Begin(session, options);
        pace = new(options.Time, session.Source == SessionSource.Recording ? options.Replay ?? new(options.ReplaySpeed) : null);
        flight = options.RetainBytes > 0 ? new(options.RetainBytes) : null;
        lag = new(options.Time);
        foreach (var remark in opened.Remarks)
        {
            fold.Timeline.Remark(remark);
        }

        news = new(options.Time, session.Source != SessionSource.Recording);
        beside = new(opened, options, recording?.Second, PacedBy());
        offer = new(Observe(SessionEnd.StillOpen));
        beside.Begin(offer);
    }

    /// <summary>The newest observation; by asking it counts as looked at.</summary>
    public Observation Latest => offer.Take();

    /// <summary>The newest observation, for those who do not print decisions.</summary>
    public Observation Newest => offer.Newest;

    /// <summary>Completes when another observation than that is there.</summary>
    public Task OtherThan(Observation? seen) => offer.OtherThan(seen);

    /// <summary>How far behind the target the reader is.</summary>
    public TimeSpan Lag => lag.Now;

    /// <summary>Why the recording ended before the session did or lacks its side-car; null while it goes on.</summary>
    public string? RecordingEnded => recording?.Remark;

    /// <summary>Whether something of the recording could not be written.</summary>
    public bool RecordingFailed => recording is { Failed: true };

    /// <summary>How long the reader has been waiting for the target's next bytes.</summary>
    public TimeSpan Silence => news.Silence;

    public void StopPacing() => pace.Stop();

    /// <summary>What is watched beside the stream.</summary>
    public WatchedBeside Beside => beside;

    /// <summary>Reads the stream to its end.</summary>
    public SessionEnd Run()
    {
        if (session.Source == SessionSource.Recording && options.ReplaySpeed is null)
        {
            // Read whole and first, it gives the same reports however fast the machine is.
            beside.WaitForEnd(null);
        }

        sink = fold.Sink(Before, new SideCarSink(clocks, processes, flight), new WaitAlert(session.ItemsWait));
        var end = session.Ended(Read(new EventDecoder(session, probes), sink));
        completed = true;
        if ((session as RecordedSession)?.ReadAsItIs is { } remark)
            fold.Timeline.Remark(remark);
        beside.WaitForEnd(DeepLimit);
        Finish(end);
        Publish(end);
        return end;
    }

    bool Read(EventDecoder decoder, IFactSink facts)
    {
        if (session.Start is { } start)
        {
            var tape = new StartTape(start.Events);
            var whole = decoder.DecodeStart(Paced(new TappedStream(tape, PublishNew)), facts);
            if (!start.IsFollowed())
            {
                // The process has ended before its counters came: that was all.
                recording?.File.Write(tape.Bytes);
                decoder.Conclude(facts);
                return whole;
            }

            recording?.Begin(tape.Bytes);
        }

        // Who keeps the stream wants all of it.
        var events = recording is null && flight is null ? session.EventsOf(probes.Wanted) : session.Events;
        return decoder.Decode(Paced(new TappedStream(events, PublishNew, recording?.File, flight)), facts);
    }

    Stream Paced(Stream tapped) => session.Source == SessionSource.Recording ? tapped : new PromptStream(tapped);

    /// <summary>A replay at real speed waits here, having published what came before.</summary>
    void Before(EventTime at)
    {
        news.Come();
        if (beside.Limits.Until(at) is { } limits)
        {
            sink!.On(new LimitsChanged(at, limits.MinThreads, limits.MaxThreads, SettingSource.Memory));
        }

        if (options.EveryDecision && session.Source == SessionSource.Recording && offer.IsDue())
        {
            offer.PutAndWait(fold.Ledger.Snapshot().Journal is [.., var last] ? last.Number : 0,
                () => Observe(SessionEnd.StillOpen), () => pace.Stopped);
        }

        if (pace.MustWait(at))
        {
            Publish(SessionEnd.StillOpen);
            pace.HoldUntil(at);
        }
    }

    void PublishNew()
    {
        if (news.IsDue())
        {
            Publish(SessionEnd.StillOpen);
            lag.Look(offer.Newest.Timeline.Now);
        }
    }

    void Publish(SessionEnd end) => offer.Put(Observe(end));

    Observation Observe(SessionEnd end)
    {
        if (beside.Remark is { } remark)
        {
            fold.Timeline.Remark(remark);
        }

        var seen = fold.Timeline.Snapshot();
        Interlocked.Exchange(ref now, seen.Now.Nanoseconds);
        return new(seen, fold.Ledger.Snapshot(), beside.Seen(fold.Forecast, seen.Now), end) { Tape = flight?.Tape ?? FlightTape.Empty };
    }

    Func<EventTime>? PacedBy() => session.Source == SessionSource.Recording && options.ReplaySpeed is not null
        ? () => pace.Stopped || completed ? new EventTime(long.MaxValue / 2) : new EventTime(Interlocked.Read(ref now))
        : null;

    void Finish(SessionEnd end)
    {
        if (end == SessionEnd.RecordingBroken)
        {
            fold.Timeline.Remark("the recording is incomplete; tpwatch has read everything up to the break");
        }

        foreach (var text in recording?.Finish(end, clocks, processes, beside.Bursts?.Seen) ?? [])
        {
            fold.Timeline.Remark(text);
        }
    }
}
