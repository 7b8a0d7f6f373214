using Tpwatch.Diagnosis;
using Tpwatch.Forecast;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

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
