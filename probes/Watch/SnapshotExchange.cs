namespace Tpwatch.Watch;

/// <summary>
/// Holds the newest observation, written by the reading thread and read by any thread. For a consumer that prints every decision, the
/// reading thread waits until the newest observation was taken, so that a recording is read no faster than the decisions are printed.
/// </summary>
#pragma warning disable CA1001 // it lives as long as the process looks; the collector closes its handle
sealed class SnapshotExchange(Observation first)
#pragma warning restore CA1001
{
    /// <summary>
    /// Number of facts between two checks. One fact ends three injection delays or fewer, so that the untaken decisions stay below the
    /// capacity of the journal.
    /// </summary>
    const int FactsBetweenLooks = 150;

    /// <summary>Maximum number of decisions not yet taken; the journal holds a thousand.</summary>
    const int MostUntaken = 300;

    /// <summary>Interval of the waiting reader's checks for a stop; a consumer that takes the observation wakes the reader.</summary>
    static readonly TimeSpan StopSeen = TimeSpan.FromMilliseconds(100);

    readonly AutoResetEvent looked = new(false);
    volatile Observation newest = first;
    volatile Observation? taken;
    volatile Observation? awaited;
    TaskCompletionSource? waiting;
    int factsSinceLook;
    int takenUpTo;

    /// <summary>The newest observation, for consumers that do not print decisions.</summary>
    public Observation Newest => newest;

    /// <summary>Returns the newest observation and marks it as taken.</summary>
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

    /// <summary>Publishes an observation; called by the reading thread.</summary>
    public void Put(Observation observation)
    {
        newest = observation;
        Interlocked.Exchange(ref waiting, null)?.TrySetResult();
    }

    /// <summary>Completes when there is an observation other than <paramref name="seen"/>, so that consumers need not poll.</summary>
    public Task OtherThan(Observation? seen)
    {
        var mine = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var next = Interlocked.CompareExchange(ref waiting, mine, null) ?? mine;
        return ReferenceEquals(newest, seen) ? next.Task : Task.CompletedTask;
    }

    /// <summary>Whether <see cref="FactsBetweenLooks"/> facts have arrived since the last check; called by the reading thread.</summary>
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
    /// Publishes <paramref name="observed"/> and waits until a consumer has taken it, if many decisions are untaken. Blocks the reading
    /// thread.
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
