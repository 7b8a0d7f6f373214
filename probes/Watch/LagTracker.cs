namespace Tpwatch.Watch;

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
