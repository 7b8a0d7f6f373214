namespace Tpwatch.Ledger;

/// <summary>
/// Counts worker threads that may have taken an item without having completed one: those that started (event 50), and parked ones that a
/// rising target thread count reactivates. Counted per counter sample, by the index of <see cref="CounterSampleLog.CounterSamples"/>.
/// </summary>
sealed class NewWorkerLog
{
    readonly Recent<Mark> marks = new(CounterSampleLog.Capacity);
    long came;
    long slept;

    /// <summary>A worker thread started, or the target thread count rose by <paramref name="workers"/>.</summary>
    public void Come(int workers) => came += Math.Max(0, workers);

    /// <summary>A worker thread found the queue empty.</summary>
    public void Slept() => slept++;

    /// <summary>A counter sample was taken.</summary>
    public void Sample() => marks.Add(new(came, slept));

    /// <summary>Forgets all counter samples.</summary>
    public void Forget() => marks.Clear();

    /// <summary>The number of worker threads added since a counter sample.</summary>
    public long Since(int sample) => came - marks[sample].Came;

    /// <summary>Whether any worker thread found the queue empty since a counter sample.</summary>
    public bool SleptSince(int sample) => slept != marks[sample].Slept;

    readonly record struct Mark(long Came, long Slept);
}
