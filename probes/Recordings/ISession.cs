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
