namespace Tpwatch.Reports;

/// <summary>What a worker did.</summary>
enum WorkerDeed
{
    /// <summary>It began its life, to take an item at once.</summary>
    Started,

    /// <summary>It found nothing more to do.</summary>
    Slept,

    /// <summary>It ended its life.</summary>
    Ended,
}

/// <summary>A moment in a worker's life that the stream tells; when a sleeping worker is woken it does not tell.</summary>
readonly record struct WorkerMoment(EventTime At, int ThreadId, WorkerDeed Deed);

/// <summary>
/// Keeps the newest of those moments: between them lies how long items held their workers. A chatty pool's workers sleep thousands of times
/// a second, after items that hold them for nothing, so of each worker's sleeps only those far apart are kept.
/// </summary>
sealed class WorkerMomentTracker
{
    /// <summary>A thousand workers that start and sleep.</summary>
    const int Capacity = 2048;

    /// <summary>A worker that slept so shortly before has held nothing for long since, milliseconds.</summary>
    const double ApartMs = 100;

    readonly List<WorkerMoment> kept = [];
    readonly Dictionary<int, EventTime> slept = [];
    ImmutableArray<WorkerMoment> snapshot = [];
    bool changed;

    public void Started(EventTime at, int thread) => Keep(new(at, thread, WorkerDeed.Started));

    public void Slept(EventTime at, int thread)
    {
        if (!slept.TryGetValue(thread, out var before) || at.MsSince(before) >= ApartMs)
        {
            slept[thread] = at;
            Keep(new(at, thread, WorkerDeed.Slept));
        }
    }

    public void Ended(EventTime at, int thread)
    {
        slept.Remove(thread);
        Keep(new(at, thread, WorkerDeed.Ended));
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
