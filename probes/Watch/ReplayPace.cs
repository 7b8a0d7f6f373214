namespace Tpwatch.Watch;

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
