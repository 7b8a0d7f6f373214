using Tpwatch.Reports;

namespace Tpwatch;

/// <summary>Options of a watch.</summary>
public sealed record WatchOptions
{
    /// <summary>The default interval of counter samples, as in dotnet-counters, so that other listeners are not disturbed.</summary>
    public static readonly TimeSpan DefaultSampleInterval = TimeSpan.FromSeconds(1);

    /// <summary>Interval at which the target sends its counters; if null, queue length and undetected starvation are unknown.</summary>
    public TimeSpan? CounterSample { get; init; } = DefaultSampleInterval;

    /// <summary>The data to switch on in the target in addition to the pool's own events.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>
    /// Whether <see cref="CaptureDepth.Auto"/> watches the requests of a server from the first counter sample on, even without starvation.
    /// For a short capture of a service that a user finds slow.
    /// </summary>
    internal bool RequestsAnyway { get; init; }

    /// <summary>
    /// Whether stacks can be requested during the watch. Such a watch checks up to ten times a second whether a stack burst is due, which
    /// is too expensive for a hundred watches.
    /// </summary>
    internal bool AsksForStacks { get; init; } = true;

    /// <summary>Whether the process may still be starting; if it is, its counters are switched on only after its start.</summary>
    internal bool MayBeStarting { get; init; }

    /// <summary>
    /// Whether <see cref="CaptureDepth.Auto"/> reads the target's memory once, even without starvation. This memory reading shows the
    /// limits of the pool and a deadlock on locks. For one capture of one process.
    /// </summary>
    internal bool ReadsAnyway { get; init; }

    /// <summary>
    /// How tpwatch starts itself as the child process that reads a target's memory; null when this is impossible or not wanted.
    /// </summary>
    internal LaunchSpec? Inside { get; init; }

    /// <summary>Limits how often several watches together read memory because of suspected hangs; null if one watch runs alone.</summary>
    internal ReadingBudget? Readings { get; init; }

    /// <summary>
    /// Whether paths of requests are shown in full; otherwise, numbers and ids in them are replaced. Query strings are never read.
    /// </summary>
    public bool ShowPaths { get; init; }

    /// <summary>
    /// Where to save the raw stream during the watch (with the side-car next to it); the file must not exist yet. Null saves nothing.
    /// </summary>
    public string? RecordTo { get; init; }

    /// <summary>Whether a recording replaces an existing file.</summary>
    internal bool RecordOver { get; init; }

    /// <summary>The size at which recording stops, bytes.</summary>
    public long RecordLimitBytes { get; init; } = 512L << 20;

    /// <summary>The folder in which stack bursts keep their files for a second or two; no file remains in it.</summary>
    internal string TemporaryFolder { get; init; } = Path.GetTempPath();

    /// <summary>The speed of a replay relative to real time; null is as fast as possible. The speed does not change the report.</summary>
    public double? ReplaySpeed { get; init; }

    /// <summary>Plays, pauses and seeks a replay; null for a replay at <see cref="ReplaySpeed"/> from beginning to end.</summary>
    internal ReplayControl? Replay { get; init; }

    /// <summary>
    /// Number of newest bytes of the raw stream to retain, so that <see cref="ThreadPoolWatch.SaveRetained"/> can write them to a recording
    /// afterwards; 0 retains nothing.
    /// </summary>
    public long RetainBytes { get; init; }

    /// <summary>
    /// Whether a replay waits until <see cref="ThreadPoolWatch.Report"/> has been called for the data so far. The caller then sees every
    /// injection delay before the bounded journal drops it. The caller must call Report repeatedly until the end.
    /// </summary>
    internal bool EveryDecision { get; init; }

    /// <summary>The clock that paces redraws and limits waits; the clock never affects a result.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>
/// Limits the memory readings that several watches start without a user's request: first <paramref name="atOnce"/> readings at any time,
/// then one per <paramref name="each"/> (generic cell rate algorithm, ITU-T I.371). Thread-safe.
/// </summary>
sealed class ReadingBudget(TimeProvider time, int atOnce, TimeSpan each)
{
    // Timestamp at which the budget is full again.
    long full = time.GetTimestamp();

    /// <summary>Takes one reading from the budget; false if none is left now, or if another watch takes one at the same time.</summary>
    public bool TryTake()
    {
        var step = (long)(each.TotalSeconds * time.TimestampFrequency);
        var (now, before) = (time.GetTimestamp(), Volatile.Read(ref full));
        var after = Math.Max(now, before) + step;
        return after - now <= atOnce * step && Interlocked.CompareExchange(ref full, after, before) == before;
    }
}
