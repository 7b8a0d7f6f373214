using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Forecast;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;

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

/// <summary>Tells somebody whether items wait, whenever a fact says so.</summary>
sealed class WaitAlert(Action<bool> itemsWait) : IFactSink
{
    public void On(in CountersRead fact)
    {
        if (fact.Backlog is { } waiting)
        {
            itemsWait(waiting > 0);
        }
    }

    // Before the next counter sample says so.
    public void On(in WorkerGoalChanged fact)
    {
        if (fact.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking)
        {
            itemsWait(true);
        }
    }
}

/// <summary>What the pool's facts are folded into: timeline, then ledger, then the forecast, which reads the ledger.</summary>
sealed class PoolFold
{
    /// <param name="target">What is known of the target without its events.</param>
    /// <param name="source">Where the facts come from.</param>
    public PoolFold(TargetFacts target, SessionSource source)
    {
        var policy = new PortablePolicy();
        (Timeline, Ledger) = (new(target, source), new(target, policy));
        Forecast = new(Ledger, policy);
    }

    public PoolTimeline Timeline { get; }
    public GapLedger Ledger { get; }
    public ForecastTracker Forecast { get; }

    /// <summary>
    /// Where the facts go; <paramref name="before"/> is told the time of each first, <paramref name="more"/> get them after the fold.
    /// </summary>
    public IFactSink Sink(Action<EventTime>? before = null, params IFactSink[] more) =>
        new FactFanOut(before ?? (_ => { }), [Timeline, Ledger, Forecast, .. more]);

    /// <summary>What is known so far and what it means.</summary>
    public PoolReport Report(SessionEnd end) => ReportBuilder.Build(Timeline.Snapshot(), Ledger.Snapshot(), end, Forecast.Snapshot());
}

/// <summary>When bytes came last, and whether what they brought is to be published. Written by the reading thread.</summary>
sealed class StreamNews(TimeProvider time, bool isLive)
{
    /// <summary>A recording is read faster than anybody looks; so often is enough.</summary>
    static readonly TimeSpan PublishInterval = TimeSpan.FromMilliseconds(50);

    long published;
    long lastRead = time.GetTimestamp();
    bool hasCome;

    /// <summary>How long the reader has been waiting for the next bytes; for any thread.</summary>
    public TimeSpan Silence => time.GetElapsedTime(Interlocked.Read(ref lastRead));

    /// <summary>A fact has come.</summary>
    public void Come() => hasCome = true;

    /// <summary>
    /// The reader asks for more bytes: whether what came before is to be published. A block comes in several pieces, and only what the
    /// whole of it held is new.
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
/// How far the reader is behind the target: how old the newest event is when it has been read, beyond what the way through the target
/// takes. Clocks may have different origins, so the least that was seen counts as none.
/// </summary>
sealed class LagTracker(TimeProvider time)
{
    /// <summary>Events come in batches of a tenth of a second; of a second's batches the best tells how well the reader keeps up.</summary>
    static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    /// <summary>Fewer batches in a window are no stream that is too fast: a single one is late because the machine is busy.</summary>
    const int LeastLooks = 5;

    double? least;
    int looks;
    double best = double.MaxValue;
    long windowBegan;
    EventTime last;
    long nowTicks;

    /// <summary>For any thread.</summary>
    public TimeSpan Now => TimeSpan.FromTicks(Interlocked.Read(ref nowTicks));

    /// <summary>Everything up to <paramref name="newest"/> has been read.</summary>
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

/// <summary>
/// Lets a replay take as long as the recording did, divided by its speed, and stand still while
/// it is paused; without a control nothing waits.
/// </summary>
sealed class ReplayPace(TimeProvider time, ReplayControl? control)
{
    /// <summary>Shorter waits cost more than they show.</summary>
    const double WorthWaitingMs = 5;

    /// <summary>How soon a stop or another wish is noticed while waiting.</summary>
    const double SliceMs = 50;

    volatile bool stopped;
    EventTime? start;
    (double PositionMs, long Stamp, ReplayWish Wish)? anchor;

    public bool MustWait(EventTime at) => RemainingMs(at) > WorthWaitingMs;

    public void HoldUntil(EventTime at)
    {
        // The reader's own thread: it may sleep.
        while (RemainingMs(at) is var left and > 0)
        {
            Thread.Sleep(TimeSpan.FromMilliseconds(Math.Min(left, SliceMs)));
        }
    }

    /// <summary>Whether nobody is to be waited for any more.</summary>
    public bool Stopped => stopped;

    public void Stop() => stopped = true;

    double RemainingMs(EventTime at)
    {
        if (control is null || stopped)
        {
            return 0;
        }

        start ??= at;
        var (wish, reached) = (control.Wish, at.MsSince(start.Value));
        var position = PositionMs(wish);
        if (reached <= wish.RunToMs || wish is { Paused: false, Speed: null })
        {
            anchor = (Math.Max(position, reached), time.GetTimestamp(), wish);
            return 0;
        }

        return wish.Paused ? SliceMs : (reached - position) / wish.Speed!.Value;
    }

    // Another wish counts from where the one before has led.
    double PositionMs(ReplayWish wish)
    {
        var now = time.GetTimestamp();
        var position = anchor is not { } known ? 0 : known.PositionMs
            + (known.Wish is { Paused: false, Speed: { } speed } ? time.GetElapsedTime(known.Stamp, now).TotalMilliseconds * speed : 0);
        if (anchor is null || !ReferenceEquals(anchor.Value.Wish, wish))
        {
            anchor = (position, now, wish);
        }

        return position;
    }
}

/// <summary>The recording that is made while watching, and its side-car; used by the reading thread, its two answers by any.</summary>
sealed class RecordedBeside
{
    readonly RecordingSideCar sideCar;
    volatile string? sideCarFailure;

    RecordedBeside(RecordingFile file, RecordingFile? second, RecordingSideCar sideCar) =>
        (File, Second, this.sideCar) = (file, second, sideCar);

    /// <summary>The raw stream's file.</summary>
    public RecordingFile File { get; }

    /// <summary>That of the second stream; null where there is none.</summary>
    public RecordingFile? Second { get; }

    /// <summary>Why it ended before the session did or lacks its side-car; null while it goes on.</summary>
    public string? Remark => File.Remark ?? sideCarFailure;

    /// <summary>Whether something of it could not be written.</summary>
    public bool Failed => File.Failed || sideCarFailure is not null;

    /// <summary>
    /// Begins a recording; null where none is asked for. <see cref="ForeseenException"/> when a file of it cannot be created; then none is
    /// left.
    /// </summary>
    public static RecordedBeside? Begin(ISession session, WatchOptions options)
    {
        if (options.RecordTo is not { } path)
        {
            return null;
        }

        var file = RecordingFile.Create(path, options.RecordLimitBytes, options.RecordOver);
        RecordingFile? second = null;
        try
        {
            second = session.Beside is null || file.IsDevice
                ? null
                : RecordingFile.Create(RecordedStream.PathFor(path), options.RecordLimitBytes, options.RecordOver);
            return new(file, second, new(file, session, options.Heartbeat?.TotalMilliseconds, options.RecordOver));
        }
        catch
        {
            file.Abandon();
            second?.Abandon();
            throw;
        }
    }

    /// <summary>What was read of the process before the stream that is recorded.</summary>
    public void Begin(byte[] start) => sideCar.Start = start;

    /// <summary>Closes both files; what went wrong with either, one sentence each.</summary>
    public IEnumerable<string> Finish(SessionEnd end, ClockLog clocks, ProcessLog processes, StacksSeen? stacks)
    {
        File.Dispose();
        var seen = stacks ?? StacksSeen.None;
        sideCarFailure = sideCar.Finish(
            end, clocks.Readings, processes.Readings, BurstPacking.Pack(seen), BurstPacking.PackInside(seen));
        return new[] { File.Remark, sideCarFailure }.OfType<string>();
    }
}

/// <summary>
/// What is watched beside the pool's own stream, live or as a recording has it: items, locks and requests, bursts of stacks.
/// </summary>
sealed class WatchedBeside
{
    /// <summary>So long requests are watched where nobody asked: three bursts five seconds apart, and the end of what they saw.</summary>
    public static readonly TimeSpan RequestsUnasked = TimeSpan.FromSeconds(20);

    /// <summary>And so long where a short look wants them from its begin: the look is over by then.</summary>
    public static readonly TimeSpan RequestsAnyway = TimeSpan.FromSeconds(30);

    readonly ISession session;
    readonly WatchOptions options;
    readonly DeepCapture? deep;
    readonly StacksSeen? recordedStacks;

    public WatchedBeside(Opening opened, WatchOptions options, RecordingFile? recording, Func<EventTime>? pacedBy)
    {
        (session, this.options) = (opened.Session, options);
        var sideCar = (session as RecordedSession)?.SideCar;
        recordedStacks = BurstPacking.Unpack(sideCar?.Bursts, sideCar?.Inside);
        Limits = new(() => (Bursts?.Seen ?? recordedStacks)?.Readings ?? []);
        deep = session.Beside is { } beside && opened.Deep is { } reading ? new(beside, reading, options.Time, recording, pacedBy) : null;
    }

    /// <summary>Bursts of stacks; null of a recording, and where none are asked for.</summary>
    public BurstWatch? Bursts { get; private set; }

    /// <summary>Limits of the pool as they were read from the target's memory.</summary>
    public LimitsRead Limits { get; }

    /// <summary>Items, for those who ask while watching; null of a recording, and where they are watched from the start.</summary>
    public ItemsLater? Later { get; private set; }

    /// <summary>Requests, once an episode lasts or somebody asks for stacks; null of a recording, and beside items.</summary>
    public ItemsLater? Requests { get; private set; }

    /// <summary>What became of the second stream that its reader should know; null while all is well.</summary>
    public string? Remark => deep?.Remark ?? Later?.Remark ?? Requests?.Remark;

    /// <summary>From now on bursts can be taken, by what is newest.</summary>
    public void Begin(Offer newest)
    {
        if (session is LiveSession { Beside: null } alone)
        {
            Later = new(alone, options, CaptureDepth.Items);
        }

        // Whoever asks for stacks wants to know whose requests they are of.
        if (session is LiveSession served && (served.Beside is null || TakesStacksAlone))
        {
            Requests = new(served, options, CaptureDepth.Requests, options.RequestsAnyway ? RequestsAnyway : RequestsUnasked);
        }

        Bursts = (options.AsksForStacks || options.Inside is not null) && session is LiveSession live
            ? new(live, newest, Requests, options) : null;
    }

    bool TakesStacksAlone => session.Depth.HasFlag(CaptureDepth.Stacks) && !session.Depth.HasFlag(CaptureDepth.Requests);

    /// <summary>What was seen until a moment.</summary>
    public SeenBeside Seen(ForecastTracker forecast, EventTime until)
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
            HeartbeatMs = session.Source == SessionSource.Recording ? null : options.Heartbeat?.TotalMilliseconds,
            Stacks = Stacks(until),
        };
    }

    /// <summary>Waits for the second stream's end, at most so long; null is for ever.</summary>
    public void WaitForEnd(TimeSpan? limit) => deep?.WaitForEnd(limit);

    /// <summary>Ends the second session in order, and bursts of stacks.</summary>
    public Task StopAsync(CancellationToken cancel) => Task.WhenAll(
        deep?.StopAsync(cancel) ?? Task.CompletedTask, Bursts?.DisposeAsync().AsTask() ?? Task.CompletedTask,
        Later?.DisposeAsync().AsTask() ?? Task.CompletedTask, Requests?.DisposeAsync().AsTask() ?? Task.CompletedTask);

    // A toggle that was never on leaves no trace.
    StacksSeen? Stacks(EventTime until) => Bursts is { } watch
        ? watch.IsAllowed || watch.Seen != StacksSeen.None ? watch.Seen : null
        : recordedStacks?.Until(until);
}

/// <summary>Hands out the limits that were read from the target's memory, each at its moment; for the reading thread.</summary>
sealed class LimitsRead(Func<ImmutableArray<InsideReading>> readings)
{
    ImmutableArray<InsideReading> looked = [];
    EventTime told = new(long.MinValue);
    EventTime next = new(long.MaxValue);

    /// <summary>The newest until then that were not handed out yet; null where there are none.</summary>
    public InsideLimits? Until(EventTime at)
    {
        // Asked for every event.
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
