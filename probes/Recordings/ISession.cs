using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// An open event stream and the facts about its target. The stream is nettrace; the caller that opens the session must read it to its end
/// on a separate thread, because the runtime does not answer a stop before everything has been read.
/// </summary>
interface ISession : IAsyncDisposable
{
    /// <summary>Facts about the target that do not come from its events.</summary>
    TargetFacts Target { get; }

    /// <summary>The source of the stream.</summary>
    SessionSource Source { get; }

    /// <summary>The nettrace bytes. Blocking reads; ends when the session ends.</summary>
    Stream Events { get; }

    /// <summary>The stream before <see cref="Events"/>, for a process that was watched from its start; null if there is none.</summary>
    IStartStream? Start => null;

    /// <summary>
    /// The events for a reader that uses only certain ones: others may be missing, but the reader sees the wanted ones with the same times
    /// and losses. Use it instead of <see cref="Events"/>, not in addition. Calls <paramref name="wanted"/> only if events can be left out.
    /// </summary>
    Stream EventsOf(Func<WantedEvents> wanted) => Events;

    /// <summary>
    /// Clock readings that are not in the stream, oldest first; removes and returns one that is available and not later than
    /// <paramref name="until"/>. Called by the reading thread only.
    /// </summary>
    bool TryTakeClockReading(EventTime until, out ClockReading reading);

    /// <summary>
    /// Readings of the process from outside, oldest first; removes and returns one that is available and not later than
    /// <paramref name="until"/>. Called by the reading thread only.
    /// </summary>
    bool TryTakeProcessReading(EventTime until, out ProcessReading reading);

    /// <summary>The depth that is enabled in the target.</summary>
    CaptureDepth Depth => CaptureDepth.Basic;

    /// <summary>The second stream that the plan requested or that was recorded; null if there is none. Closed with the session.</summary>
    ISideStream? Side => null;

    /// <summary>
    /// Whether the process is currently stopped, by a signal, a debugger or a frozen control group;
    /// null if that cannot be determined. Any thread can call it.
    /// </summary>
    bool? IsTargetStopped => null;

    /// <summary>
    /// Called often by the reader with whether items currently wait; while they do, readings must be taken at short intervals.
    /// </summary>
    void ItemsWait(bool now)
    {
    }

    /// <summary>
    /// Asks the target to end the session, while the reader continues to read. Bounded in time; never throws if the target no longer
    /// exists.
    /// </summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Called by the reader with whether the stream had its end mark; returns why the session ended. Bounded in time.</summary>
    SessionEnd Ended(bool properEndMark);
}

/// <summary>
/// The events of a new process before counters were enabled in it, as a separate stream that is read first. The pool's own events come from
/// the runtime's native code, whereas counters start managed code in the target.
/// </summary>
interface IStartStream
{
    /// <summary>The nettrace bytes. Reads block; the stream ends when the session's own stream begins, or with the session.</summary>
    Stream Events { get; }

    /// <summary>
    /// Whether the session's own stream follows. The reader calls it after this stream has ended, on a thread that may block; bounded in
    /// time.
    /// </summary>
    bool IsFollowed();
}

/// <summary>
/// A second event stream in addition to a session's own. It is nettrace as well and is read to its end, on a separate thread or
/// asynchronously.
/// </summary>
interface ISideStream : IAsyncDisposable
{
    /// <summary>The nettrace bytes. Reads block, unless the caller uses asynchronous reads.</summary>
    Stream Events { get; }

    /// <summary>Whether every event carries its stack because the runtime cannot omit it; an event then costs nine times as much.</summary>
    bool WithStacks { get; }

    /// <summary>Remark for the reader on how the stream ended, one sentence; null if it ended as expected.</summary>
    /// <param name="properEndMark">Whether the stream had its end mark.</param>
    string? Ended(bool properEndMark);

    /// <summary>
    /// Asks for the end of the stream, while the reader continues to read. Bounded in time; never throws if the target no longer exists.
    /// </summary>
    Task StopAsync(CancellationToken cancel);
}

/// <summary>
/// The events of a stream that a reader uses: certain events of each provider, or all. A recording by another tool has few of them.
/// </summary>
sealed class WantedEvents
{
    readonly Dictionary<string, Dictionary<int, int>?> providers;

    /// <summary>
    /// The wanted event ids for each provider, each with the minimum payload length of the event in bytes; null means all of the provider.
    /// </summary>
    public WantedEvents(IEnumerable<KeyValuePair<string, IEnumerable<KeyValuePair<int, int>>?>> wanted) =>
        providers = wanted.ToDictionary(w => w.Key, w => w.Value?.ToDictionary(), StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// The minimum payload length of an event in bytes; null if it is not wanted. A provider whose name differs only in case is another
    /// provider with the same identity; all its events are wanted.
    /// </summary>
    public int? LeastOf(string provider, int id) => !providers.TryGetValue(provider, out var ids) ? null
        : ids is not null && ids.TryGetValue(id, out var least) ? least
        : ids is null || !providers.Keys.Contains(provider, StringComparer.Ordinal) ? 0
        : null;
}
