using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;
using Tpwatch.WhatIf;

namespace Tpwatch.Watch;

/// <summary>
/// Reads the stream of the first session on one thread. Decodes events into facts, applies the facts to the state of the pool, publishes
/// observations and records the stream. Other threads read the observations and the status properties.
/// </summary>
sealed class MainStreamCapture
{
    /// <summary>Maximum time to wait for the end of the second stream after the first stream has ended.</summary>
    static readonly TimeSpan DeepLimit = TimeSpan.FromSeconds(4);

    readonly ISession session;
    readonly ProbeSet probes;
    readonly WatchOptions options;
    readonly PoolFold fold;
    readonly RecordingSink? recording;
    readonly FlightRecorder? flight;
    readonly ReaderLag lag;
    readonly StreamActivity news;
    readonly ClockReadingLog clocks = new();
    readonly ProcessReadingLog processes = new();
    readonly ReplayPace pace;
    readonly SideSources side;
    readonly SnapshotExchange offer;
    IFactSink? sink;
    long now;
    volatile bool completed;

    public MainStreamCapture(ProbeSession opened, WatchOptions options)
    {
        (session, probes, this.options) = (opened.Session, opened.Basic, options);
        fold = new(session.Target, session.Source);
        recording = RecordingSink.Begin(session, options);
        pace = new(options.Time, session.Source == SessionSource.Recording ? options.Replay ?? new(options.ReplaySpeed) : null);
        flight = options.RetainBytes > 0 ? new(options.RetainBytes) : null;
        lag = new(options.Time);
        foreach (var remark in opened.Remarks)
        {
            fold.Timeline.Remark(remark);
        }

        news = new(options.Time, session.Source != SessionSource.Recording);
        side = new(opened, options, recording?.Second, PacedBy());
        offer = new(Observe(SessionEnd.StillOpen));
        side.Begin(offer);
    }

    /// <summary>Returns the newest observation and marks it as taken, which lets a waiting reading thread continue.</summary>
    public CaptureSnapshot Latest => offer.Take();

    /// <summary>The newest observation, without marking it as taken; for consumers that may miss adjustments and delays.</summary>
    public CaptureSnapshot Newest => offer.Newest;

    /// <summary>Completes when there is a newer observation than <paramref name="seen"/>.</summary>
    public Task OtherThan(CaptureSnapshot? seen) => offer.OtherThan(seen);

    public TimeSpan Lag => lag.Now;

    /// <summary>Why the recording ended early or has no side-car; null if neither is the case.</summary>
    public string? RecordingEnded => recording?.Remark;

    /// <summary>Whether a part of the recording could not be written.</summary>
    public bool RecordingFailed => recording is { Failed: true };

    /// <summary>How long the reader has waited for the target's next bytes.</summary>
    public TimeSpan Silence => news.Silence;

    public void StopPacing() => pace.Stop();

    /// <summary>The other data sources: the second stream, stack bursts and memory readings.</summary>
    public SideSources Side => side;

    /// <summary>Reads the stream to its end.</summary>
    public SessionEnd Run()
    {
        if (session.Source == SessionSource.Recording && options.ReplaySpeed is null)
        {
            // Reads the second stream completely first, so that fast and slow machines give equal reports.
            side.WaitForEnd(null);
        }

        sink = fold.Sink(Before, new ReadingLogSink(clocks, processes, flight), new ItemsWaitingNotifier(session.ItemsWait));
        var end = session.Ended(Read(new EventDecoder(session, probes), sink));
        completed = true;
        if ((session as RecordedSession)?.ReadAsItIs is { } remark)
            fold.Timeline.Remark(remark);
        side.WaitForEnd(DeepLimit);
        Finish(end);
        Publish(end);
        return end;
    }

    bool Read(EventDecoder decoder, IFactSink facts)
    {
        if (session.Start is { } start)
        {
            // The side-car stores a copy of the events from before counters were enabled, up to the size limit.
            using MemoryStream tape = new();
            var whole = decoder.DecodeStart(Through(
                start.Events, bytes => tape.Write(bytes[..Math.Min(bytes.Length, RecordedStartupStream.MostBytes - (int)tape.Length)])),
                facts);
            if (!start.IsFollowed())
            {
                // The process ended before its counters arrived, so there is nothing more to read.
                recording?.File.Write(tape.ToArray());
                decoder.Conclude(facts);
                return whole;
            }

            recording?.Begin(tape.ToArray());
        }

        // A recording and the flight recorder need every event; otherwise, the session may leave out events that no probe decodes.
        var events = recording is null && flight is null ? session.EventsOf(probes.Wanted) : session.Events;
        return decoder.Decode(Through(events, recording is null ? null : recording.File.Write, flight), facts);
    }

    EventStream Through(Stream events, Action<ReadOnlySpan<byte>>? copy, FlightRecorder? retain = null) => new(events)
    {
        BeforeRead = PublishNew,
        Copy = copy,
        Flight = retain,
        IsPrompt = session.Source != SessionSource.Recording,
    };

    /// <summary>Runs before each fact. A replay at a given speed publishes the earlier facts and waits here.</summary>
    void Before(EventTime at)
    {
        news.Come();
        if (side.Limits.Until(at) is { } limits)
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

    CaptureSnapshot Observe(SessionEnd end)
    {
        if (side.Remark is { } remark)
        {
            fold.Timeline.Remark(remark);
        }

        var seen = fold.Timeline.Snapshot();
        Interlocked.Exchange(ref now, seen.Now.Nanoseconds);
        return new(seen, fold.Ledger.Snapshot(), side.Seen(fold.Forecast, seen.Now), end) { Tape = flight?.Tape ?? FlightSnapshot.Empty };
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

        foreach (var text in recording?.Finish(end, clocks, processes, side.Bursts?.Seen) ?? [])
        {
            fold.Timeline.Remark(text);
        }
    }
}

/// <summary>Tells a callback whether items wait, at each fact that shows this.</summary>
sealed class ItemsWaitingNotifier(Action<bool> itemsWait) : IFactSink
{
    public void On(in CountersRead fact)
    {
        if (fact.QueueLength is { } waiting)
        {
            itemsWait(waiting > 0);
        }
    }

    // An injection shows earlier than the next counter sample that items wait.
    public void On(in TargetThreadsChanged fact)
    {
        if (fact.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking)
        {
            itemsWait(true);
        }
    }
}

/// <summary>Folds facts into the timeline, then the ledger, then the forecast, which reads the ledger.</summary>
sealed class PoolFold
{
    /// <param name="target">What is known about the target without events.</param>
    /// <param name="source">Whether the facts come from a live target or from a recording.</param>
    public PoolFold(TargetFacts target, SessionSource source)
    {
        var policy = new PortablePolicy();
        (Timeline, Ledger) = (new(target, source), new(target, policy));
        Forecast = new(Ledger, policy);
    }

    public PoolTimeline Timeline { get; }
    public PoolLedger Ledger { get; }
    public ForecastTracker Forecast { get; }

    /// <summary>
    /// Returns the sink for facts. <paramref name="before"/> receives the time of each fact before the fold, and the sinks in <paramref
    /// name="more"/> receive the fact after the fold.
    /// </summary>
    public IFactSink Sink(Action<EventTime>? before = null, params IFactSink[] more) =>
        new FactFanOut(before ?? (_ => { }), [Timeline, Ledger, Forecast, .. more]);

    public PoolReport Report(SessionEnd end) => ReportBuilder.Build(Timeline.Snapshot(), Ledger.Snapshot(), end, Forecast.Snapshot());
}

/// <summary>Tracks when bytes last arrived and whether there are facts to publish. Only the reading thread updates this object.</summary>
sealed class StreamActivity(TimeProvider time, bool isLive)
{
    /// <summary>Minimum time between two observations while a recording is read; no consumer needs them more often.</summary>
    static readonly TimeSpan PublishInterval = TimeSpan.FromMilliseconds(50);

    long published;
    long lastRead = time.GetTimestamp();
    bool hasCome;

    /// <summary>How long the reader has waited for the next bytes; can be read on any thread.</summary>
    public TimeSpan Silence => time.GetElapsedTime(Interlocked.Read(ref lastRead));

    /// <summary>Records that a fact has arrived.</summary>
    public void Come() => hasCome = true;

    /// <summary>
    /// Whether to publish an observation now; called before each read. The last read may have brought only a part of a block and no fact.
    /// </summary>
    public bool IsDue()
    {
        var now = time.GetTimestamp();
        Interlocked.Exchange(ref lastRead, now);
        if (isLive ? !hasCome : time.GetElapsedTime(published, now) < PublishInterval)
        {
            return false;
        }

        (published, hasCome) = (now, false);
        return true;
    }
}

/// <summary>
/// Measures how far the reader is behind the target: the age of the newest event when it is read, minus the smallest age so far. The
/// smallest age counts as zero because the clocks of tpwatch and of the target may have different origins.
/// </summary>
sealed class ReaderLag(TimeProvider time)
{
    /// <summary>Duration of one measurement. About ten batches of events arrive; the batch with the smallest delay counts.</summary>
    static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    /// <summary>Minimum number of batches in a measurement; with fewer, a delay may come from a busy machine and is not reported.</summary>
    const int LeastLooks = 5;

    double? least;
    int looks;
    double best = double.MaxValue;
    long windowBegan;
    EventTime last;
    long nowTicks;

    /// <summary>The current delay of the reader; can be read on any thread.</summary>
    public TimeSpan Now => TimeSpan.FromTicks(Interlocked.Read(ref nowTicks));

    /// <summary>Measures the delay when every event up to <paramref name="newest"/> has been read.</summary>
    public void Look(EventTime newest)
    {
        if (newest <= last)
        {
            return;
        }

        last = newest;
        var stamp = time.GetTimestamp();
        var apart = time.GetElapsedTime(0, stamp).TotalMilliseconds - newest.Milliseconds;
        least = Math.Min(least ?? apart, apart);
        best = Math.Min(best, apart - least.Value);
        looks++;
        if (time.GetElapsedTime(windowBegan, stamp) >= Window)
        {
            Interlocked.Exchange(ref nowTicks, looks < LeastLooks ? 0 : TimeSpan.FromMilliseconds(best).Ticks);
            (best, looks, windowBegan) = (double.MaxValue, 0, stamp);
        }
    }
}

/// <summary>Delays a replay so that it keeps the requested speed and pauses; without a control, the replay never waits.</summary>
sealed class ReplayPace(TimeProvider time, ReplayControl? control)
{
    /// <summary>Minimum wait, milliseconds; shorter waits are left out.</summary>
    const double WorthWaitingMs = 5;

    /// <summary>Interval, milliseconds, at which a waiting replay checks for a stop or a new request.</summary>
    const double SliceMs = 50;

    volatile bool stopped;
    EventTime? start;
    (double PositionMs, long Stamp, ReplayRequest KeyCommand)? anchor;

    public bool MustWait(EventTime at) => RemainingMs(at) > WorthWaitingMs;

    public void HoldUntil(EventTime at)
    {
        // Only the reading thread sleeps here.
        while (RemainingMs(at) is var left and > 0)
        {
            Thread.Sleep(TimeSpan.FromMilliseconds(Math.Min(left, SliceMs)));
        }
    }

    /// <summary>Whether the replay no longer waits, because <see cref="Stop"/> was called.</summary>
    public bool Stopped => stopped;

    public void Stop() => stopped = true;

    double RemainingMs(EventTime at)
    {
        if (control is null || stopped)
        {
            return 0;
        }

        start ??= at;
        var (wish, reached) = (control.KeyCommand, at.MsSince(start.Value));
        var position = PositionMs(wish);
        if (reached <= wish.RunToMs || wish is { Paused: false, Speed: null })
        {
            anchor = (Math.Max(position, reached), time.GetTimestamp(), wish);
            return 0;
        }

        return wish.Paused ? SliceMs : (reached - position) / wish.Speed!.Value;
    }

    // Returns how far the replay should be now, in milliseconds of the recording. A new request continues from this position.
    double PositionMs(ReplayRequest wish)
    {
        var now = time.GetTimestamp();
        var position = anchor is not { } known ? 0 : known.PositionMs
            + (known.KeyCommand is { Paused: false, Speed: { } speed } ? time.GetElapsedTime(known.Stamp, now).TotalMilliseconds * speed
                : 0);
        if (anchor is null || !ReferenceEquals(anchor.Value.KeyCommand, wish))
        {
            anchor = (position, now, wish);
        }

        return position;
    }
}

/// <summary>The recording made during the watch, with its side-car. Only Remark and Failed are thread-safe.</summary>
sealed class RecordingSink(RecordingFile file, RecordingFile? second, RecordingSideCar sideCar)
{
    volatile string? sideCarFailure;

    /// <summary>The file with the raw bytes of the first stream.</summary>
    public RecordingFile File => file;

    /// <summary>The file with the second stream; null when there is none.</summary>
    public RecordingFile? Second => second;

    /// <summary>Why the recording ended early or has no side-car; null if neither is the case.</summary>
    public string? Remark => File.Remark ?? sideCarFailure;

    /// <summary>Whether a part of the recording could not be written.</summary>
    public bool Failed => File.Failed || Second is { Failed: true } || sideCarFailure is not null;

    /// <summary>
    /// Begins a recording; null when none is requested. Throws <see cref="UserErrorException"/>, and leaves no file, if a file cannot be
    /// created.
    /// </summary>
    public static RecordingSink? Begin(ISession session, WatchOptions options)
    {
        if (options.RecordTo is not { } path)
        {
            return null;
        }

        var file = RecordingFile.Create(path, options.RecordLimitBytes, options.RecordOver);
        RecordingFile? second = null;
        try
        {
            second = session.Side is null || file.IsDevice
                ? null
                : RecordingFile.Create(SideStreamRecording.PathFor(path), options.RecordLimitBytes, options.RecordOver);
            return new(file, second, new(file, session, options.CounterSample?.TotalMilliseconds, options.RecordOver));
        }
        catch
        {
            file.Abandon();
            second?.Abandon();
            throw;
        }
    }

    /// <summary>Stores in the side-car the events from before counters were enabled.</summary>
    public void Begin(byte[] start) => sideCar.Start = start;

    /// <summary>Closes the file and writes the side-car. Returns the problems with the file and the side-car, one sentence each.</summary>
    public IEnumerable<string> Finish(SessionEnd end, ClockReadingLog clocks, ProcessReadingLog processes, StacksSeen? stacks)
    {
        File.Dispose();
        var seen = stacks ?? StacksSeen.None;
        sideCarFailure = sideCar.Finish(end, clocks.Readings, processes.Readings, BurstPacking.Pack(seen), BurstPacking.PackInside(seen));
        return new[] { File.Remark, sideCarFailure }.OfType<string>();
    }
}

/// <summary>The data sources in addition to the first session, live or recorded: items, locks, requests, stacks, memory readings.</summary>
sealed class SideSources
{
    /// <summary>
    /// Duration of a watch of HTTP requests that the user did not ask for: long enough for three bursts at intervals of 5 s, and for the
    /// requests in these bursts to end.
    /// </summary>
    public static readonly TimeSpan RequestsUnasked = TimeSpan.FromSeconds(20);

    /// <summary>Duration of a watch of HTTP requests from the start of a short capture; longer than such a capture.</summary>
    public static readonly TimeSpan RequestsAnyway = TimeSpan.FromSeconds(30);

    readonly ISession session;
    readonly WatchOptions options;
    readonly SideStreamCapture? deep;
    readonly StacksSeen? recordedStacks;

    public SideSources(ProbeSession opened, WatchOptions options, RecordingFile? recording, Func<EventTime>? pacedBy)
    {
        (session, this.options) = (opened.Session, options);
        var sideCar = (session as RecordedSession)?.SideCar;
        recordedStacks = BurstPacking.Unpack(sideCar?.Bursts, sideCar?.Inside);
        Limits = new(() => (Bursts?.Seen ?? recordedStacks)?.Readings ?? []);
        deep = session.Side is { } side && opened.Deep is { } reading ? new(side, reading, options.Time, recording, pacedBy) : null;
    }

    /// <summary>Takes stack bursts and memory readings; null for a recording, and if the options permit neither.</summary>
    public BurstWatch? Bursts { get; private set; }

    /// <summary>MinThreads and MaxThreads as memory readings show them.</summary>
    public InsideLimitsSource Limits { get; }

    /// <summary>The watch of items that the user may start later; null for a recording, and if a second session exists already.</summary>
    public OnDemandItemWatch? Later { get; private set; }

    /// <summary>The watch of HTTP requests during bursts; null for a recording, or if the second session makes it unnecessary.</summary>
    public OnDemandItemWatch? Requests { get; private set; }

    /// <summary>Remark for the report about the second session, one sentence; null when there is none.</summary>
    public string? Remark => deep?.Remark ?? Later?.Remark ?? Requests?.Remark;

    /// <summary>Prepares stack bursts, and watches of items and requests. Observations in <paramref name="newest"/> start bursts.</summary>
    public void Begin(SnapshotExchange newest)
    {
        if (session is LiveSession { Side: null } alone)
        {
            Later = new(alone, options, CaptureDepth.Items);
        }

        // A user who asks for stacks also wants to know which HTTP requests the stacks belong to.
        if (session is LiveSession served && (served.Side is null || TakesStacksAlone))
        {
            Requests = new(served, options, CaptureDepth.Requests, options.RequestsAnyway ? RequestsAnyway : RequestsUnasked);
        }

        Bursts = (options.AsksForStacks || options.Inside is not null) && session is LiveSession live
            ? new(live, newest, Requests, options) : null;
    }

    bool TakesStacksAlone => session.Depth.HasFlag(CaptureDepth.Stacks) && !session.Depth.HasFlag(CaptureDepth.Requests);

    /// <summary>Returns the data of these sources up to the time <paramref name="until"/>.</summary>
    public ReportInputs Seen(ForecastTracker forecast, EventTime until)
    {
        var asked = Later?.Latest;
        return new()
        {
            Forecast = forecast.Snapshot(),
            Drains = forecast.Drains,
            Depth = session.Depth | (asked is null ? 0 : CaptureDepth.Items),
            Deep = deep?.Latest ?? asked,
            Requests = deep?.Latest.Requests ?? Requests?.Latest?.Requests,
            WatchesRequests = session.Depth.HasFlag(CaptureDepth.Requests) || Requests?.Latest is not null,
            SampleIntervalMs = session.Source == SessionSource.Recording ? null : options.CounterSample?.TotalMilliseconds,
            Stacks = Stacks(until),
        };
    }

    /// <summary>Blocks until the second stream ends, or for <paramref name="limit"/>; null waits without a limit.</summary>
    public void WaitForEnd(TimeSpan? limit) => deep?.WaitForEnd(limit);

    /// <summary>Ends the second session, the stack bursts and the watches of items and requests.</summary>
    public Task StopAsync(CancellationToken cancel) => Task.WhenAll(
        deep?.StopAsync(cancel) ?? Task.CompletedTask, Bursts?.DisposeAsync().AsTask() ?? Task.CompletedTask,
        Later?.DisposeAsync().AsTask() ?? Task.CompletedTask, Requests?.DisposeAsync().AsTask() ?? Task.CompletedTask);

    // Null if bursts were never allowed and none was taken, so that the report does not mention them.
    StacksSeen? Stacks(EventTime until) => Bursts is { } watch
        ? watch.IsAllowed || watch.Seen != StacksSeen.None ? watch.Seen : null
        : recordedStacks?.Until(until);
}

/// <summary>Returns MinThreads and MaxThreads from memory readings when the events reach the time of a reading. Not thread-safe.</summary>
sealed class InsideLimitsSource(Func<ImmutableArray<InsideReading>> readings)
{
    ImmutableArray<InsideReading> looked = [];
    EventTime told = new(long.MinValue);
    EventTime next = new(long.MaxValue);

    /// <summary>Returns the newest limits up to a given time; null when there are none, or they were returned before.</summary>
    public InsideLimits? Until(EventTime at)
    {
        // Returns early in most cases, because this method is called for every fact.
        var now = readings();
        if (now == looked && at < next)
        {
            return null;
        }

        looked = now;
        next = now.Where(r => r.At > at).Select(r => r.At).FirstOrDefault(new EventTime(long.MaxValue));
        if (now.LastOrDefault(r => r.Limits is not null && r.At > told && r.At <= at) is not { } newest)
        {
            return null;
        }

        told = newest.At;
        return newest.Limits is { MinThreads: > 0 } limits && limits.MinThreads <= limits.MaxThreads ? limits : null;
    }
}
