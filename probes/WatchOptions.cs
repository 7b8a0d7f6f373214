using Tpwatch.Reports;

namespace Tpwatch;

/// <summary>How to observe.</summary>
public sealed record WatchOptions
{
    /// <summary>The heartbeat of dotnet-counters: shared with other listeners, disturbs none of them.</summary>
    public static readonly TimeSpan DefaultHeartbeat = TimeSpan.FromSeconds(1);

    /// <summary>How often the target reports its counters; null is off: then no backlog and no silent starvation can be known.</summary>
    public TimeSpan? Heartbeat { get; init; } = DefaultHeartbeat;

    /// <summary>What is switched on in the target beside the pool's own events.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>
    /// Whether at <see cref="CaptureDepth.Auto"/> requests of a server are watched from the first counter sample on, whether anything
    /// starves or not: for a short look at a service that somebody finds slow.
    /// </summary>
    internal bool RequestsAnyway { get; init; }

    /// <summary>
    /// Whether stacks can be asked for while watching. A watch that may be asked looks up to ten times a second whether it is time
    /// for a burst, which a hundred watches cannot afford.
    /// </summary>
    internal bool AsksForStacks { get; init; } = true;

    /// <summary>Whether the process was waited for: if it is young, its counters are switched on when it has started.</summary>
    internal bool MayBeStarting { get; init; }

    /// <summary>
    /// Whether at <see cref="CaptureDepth.Auto"/> the target's memory is read once, whether anything starves or not: the limits of the pool
    /// and a deadlock on locks are known then. For one look at one process.
    /// </summary>
    internal bool ReadsAnyway { get; init; }

    /// <summary>How this program starts itself as the child that reads a target's memory; null where it cannot, or must not.</summary>
    internal ProgramStart? Inside { get; init; }

    /// <summary>Whether paths of requests are told whole; otherwise numbers and ids in them are replaced. A query is never read.</summary>
    public bool ShowPaths { get; init; }

    /// <summary>Where to save the raw stream while watching (the side-car goes beside it), where nothing is yet; null is nowhere.</summary>
    public string? RecordTo { get; init; }

    /// <summary>Whether a recording takes the place of what is there already.</summary>
    internal bool RecordOver { get; init; }

    /// <summary>Stop recording at so many bytes.</summary>
    public long RecordLimitBytes { get; init; } = 512L << 20;

    /// <summary>Where bursts of stacks keep their files for a second or two; nothing is left there.</summary>
    internal string TemporaryFolder { get; init; } = Path.GetTempPath();

    /// <summary>Replay so many times as fast as it happened; null is as fast as can be read. Changes nothing in what is reported.</summary>
    public double? ReplaySpeed { get; init; }

    /// <summary>Play, pause and seek a replay while it goes on; null: at <see cref="ReplaySpeed"/> from beginning to end.</summary>
    internal ReplayControl? Replay { get; init; }

    /// <summary>
    /// Retain so many bytes of the raw stream, the newest, so that <see cref="ThreadPoolWatch.SaveRetained"/> can make a recording of them
    /// afterwards; 0 retains nothing.
    /// </summary>
    public long RetainBytes { get; init; }

    /// <summary>
    /// A recording is not read on before <see cref="ThreadPoolWatch.Report"/> was asked for what came so far, so that no decision leaves
    /// the journal unseen; for whoever asks again and again until the end.
    /// </summary>
    internal bool EveryDecision { get; init; }

    /// <summary>Paces redraws and bounds waits; never decides anything.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
