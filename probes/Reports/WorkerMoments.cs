namespace Tpwatch.Reports;

/// <summary>A change in the state of a worker thread.</summary>
enum WorkerAction
{
    /// <summary>The thread started, and takes an item at once.</summary>
    Started,

    /// <summary>The thread found no further item and went to sleep.</summary>
    Slept,

    /// <summary>The thread ended.</summary>
    Ended,
}

/// <summary>A state change of a worker thread, from the event stream, which does not report that a sleeping thread is woken.</summary>
readonly record struct WorkerMoment(EventTime At, int ThreadId, WorkerAction Deed);

/// <summary>
/// Keeps the newest state changes of worker threads; the time between two changes shows how long items held a thread. In a busy pool,
/// worker threads sleep thousands of times a second after very short items, so only sleeps of a thread that are far enough apart are kept.
/// </summary>
sealed class WorkerMomentTracker
{
    /// <summary>Number of state changes kept: enough for a thousand worker threads that start and sleep.</summary>
    const int Capacity = 2048;

    /// <summary>
    /// Minimum distance of two kept sleeps of a thread, milliseconds: between closer sleeps, no item held the thread for long.
    /// </summary>
    const double ApartMs = 100;

    readonly List<WorkerMoment> kept = [];
    readonly Dictionary<int, EventTime> slept = [];
    ImmutableArray<WorkerMoment> snapshot = [];
    bool changed;

    public void Started(EventTime at, int thread) => Keep(new(at, thread, WorkerAction.Started));

    public void Slept(EventTime at, int thread)
    {
        if (!slept.TryGetValue(thread, out var before) || at.MsSince(before) >= ApartMs)
        {
            slept[thread] = at;
            Keep(new(at, thread, WorkerAction.Slept));
        }
    }

    public void Ended(EventTime at, int thread)
    {
        slept.Remove(thread);
        Keep(new(at, thread, WorkerAction.Ended));
    }

    public ImmutableArray<WorkerMoment> Snapshot()
    {
        (snapshot, changed) = changed ? ([.. kept], false) : (snapshot, false);
        return snapshot;
    }

    void Keep(WorkerMoment moment)
    {
        if (kept.Count == Capacity)
        {
            kept.RemoveRange(0, Capacity / 8);
        }

        kept.Add(moment);
        changed = true;
    }
}
