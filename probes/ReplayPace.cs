namespace Tpwatch;

/// <summary>Lets a replay take as long as the recording did, divided by its speed; null speed is as fast as possible.</summary>
sealed class ReplayPace(TimeProvider time, double? speed)
{
    /// <summary>Shorter waits cost more than they show.</summary>
    const double WorthWaitingMs = 5;

    /// <summary>How soon a stop is noticed while waiting.</summary>
    const double SliceMs = 50;

    volatile bool stopped;
    (EventTime Event, long Stamp)? origin;

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
        if (speed is not { } factor || stopped)
        {
            return 0;
        }

        origin ??= (at, time.GetTimestamp());
        var (begin, stamp) = origin.Value;
        return at.MsSince(begin) / factor - time.GetElapsedTime(stamp).TotalMilliseconds;
    }
}
