namespace Tpwatch.Watch;

/// <summary>
/// The newest observation, put there by the reading thread and looked at by any. For somebody who prints every decision the reader waits
/// until the newest was looked at, so that a recording is read no faster than it is printed.
/// </summary>
#pragma warning disable CA1001 // it lives as long as the process looks; the collector closes its handle
sealed class Offer(Observation first)
#pragma warning restore CA1001
{
    /// <summary>A fact closes three gaps at most; with those that wait to be taken they stay below what the journal holds.</summary>
    const int FactsBetweenLooks = 150;

    /// <summary>The journal holds a thousand decisions.</summary>
    const int MostUntaken = 300;

    /// <summary>So often the waiting reader sees whether it is to stop; somebody who looks wakes it at once.</summary>
    static readonly TimeSpan StopSeen = TimeSpan.FromMilliseconds(100);

    readonly AutoResetEvent looked = new(false);
    volatile Observation newest = first;
    volatile Observation? taken;
    volatile Observation? awaited;
    TaskCompletionSource? waiting;
    int factsSinceLook;
    int takenUpTo;

    /// <summary>The newest, for those who do not print decisions.</summary>
    public Observation Newest => newest;

    /// <summary>The newest observation; by asking it counts as looked at.</summary>
    public Observation Take()
    {
        var now = newest;
        taken = now;
        if (ReferenceEquals(now, awaited))
        {
            looked.Set();
        }

        return now;
    }

    /// <summary>By the reading thread.</summary>
    public void Put(Observation observation)
    {
        newest = observation;
        Interlocked.Exchange(ref waiting, null)?.TrySetResult();
    }

    /// <summary>Completes when another observation than <paramref name="seen"/> is there: nobody has to look again and again.</summary>
    public Task OtherThan(Observation? seen)
    {
        var mine = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var next = Interlocked.CompareExchange(ref waiting, mine, null) ?? mine;
        return ReferenceEquals(newest, seen) ? next.Task : Task.CompletedTask;
    }

    /// <summary>Whether so many facts have come since the last look that it is time for one; by the reading thread.</summary>
    public bool IsDue()
    {
        if (++factsSinceLook < FactsBetweenLooks)
        {
            return false;
        }

        factsSinceLook = 0;
        return true;
    }

    /// <summary>
    /// Puts what is <paramref name="observed"/> and waits until somebody has looked at it, if many
    /// decisions wait. The reading thread may sleep.
    /// </summary>
    public void PutAndWait(int decision, Func<Observation> observed, Func<bool> stopped)
    {
        if (decision - takenUpTo < MostUntaken)
        {
            return;
        }

        takenUpTo = decision;
        var offered = observed();
        awaited = offered;
        Put(offered);
        while (!ReferenceEquals(taken, offered) && !stopped())
        {
            looked.WaitOne(StopSeen);
        }
    }
}
