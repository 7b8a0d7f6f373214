using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// An open stream of events and what is known of the target. The stream is nettrace; whoever opens the session reads it to its end
/// on a thread of its own, since the runtime does not answer a stop before everything has been read.
/// </summary>
interface ISession : IAsyncDisposable
{
    /// <summary>What is known of the target without its events.</summary>
    TargetFacts Target { get; }

    /// <summary>Where the stream comes from.</summary>
    SessionSource Source { get; }

    /// <summary>The nettrace bytes. Blocking reads; ends when the session ends.</summary>
    Stream Events { get; }

    /// <summary>What comes before <see cref="Events"/>, of a process that was watched from its start; null is nothing.</summary>
    IStartStream? Start => null;

    /// <summary>
    /// The same for a reader that looks at certain events: others may be missing, and what it sees is the same, losses and moments
    /// included. Instead of <see cref="Events"/>, not beside it. It is asked which ones only where some can be left out.
    /// </summary>
    Stream EventsOf(Func<WantedEvents> wanted) => Events;

    /// <summary>
    /// Clock readings that are not in the stream, oldest first; takes those that have become available up to <paramref name="until"/>.
    /// Called by the reading thread only.
    /// </summary>
    bool TryTakeClockReading(EventTime until, out ClockReading reading);

    /// <summary>
    /// Readings of the process from outside, oldest first; takes those that have become available up to <paramref name="until"/>. Called by
    /// the reading thread only.
    /// </summary>
    bool TryTakeProcessReading(EventTime until, out ProcessReading reading);

    /// <summary>What was switched on in the target.</summary>
    CaptureDepth Depth => CaptureDepth.Basic;

    /// <summary>The second stream that the plan asked for, or that was recorded; null is none. Closed with the session.</summary>
    ISideStream? Beside => null;

    /// <summary>
    /// Whether the process is stopped at this moment, by a signal, a debugger or a frozen group;
    /// null where that cannot be seen. For any thread.
    /// </summary>
    bool? IsTargetStopped => null;

    /// <summary>Told by the reader whether items wait at this moment: readings must be close together then. Called often.</summary>
    void ItemsWait(bool now)
    {
    }

    /// <summary>
    /// Asks the target to end the session; the reader keeps draining. Bounded in time; never throws for a target that is gone.
    /// </summary>
    Task StopAsync(CancellationToken cancel);

    /// <summary>Told by the reader how its reading ended, answers why the session ended. Bounded in time.</summary>
    SessionEnd Ended(bool properEndMark);
}
