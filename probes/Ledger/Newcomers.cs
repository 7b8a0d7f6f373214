namespace Tpwatch.Ledger;

/// <summary>
/// Counts worker threads that may have taken an item without having completed one: those that started (event 50), and parked ones that a
/// rising target thread count reactivates. Counted per counter sample, by the index of <see cref="BeatLog.Beats"/>.
/// </summary>
sealed class Newcomers
{
    readonly Recent<Mark> marks = new(BeatLog.Capacity);
    long came;
    long slept;

    /// <summary>A worker thread started, or the target thread count rose by <paramref name="workers"/>.</summary>
    public void Come(int workers) => came += Math.Max(0, workers);

    /// <summary>A worker thread found the queue empty.</summary>
    public void Slept() => slept++;

    /// <summary>A counter sample was taken.</summary>
    public void Beat() => marks.Add(new(came, slept));

    /// <summary>Forgets all counter samples.</summary>
    public void Forget() => marks.Clear();

    /// <summary>The number of worker threads added since a counter sample.</summary>
    public long Since(int beat) => came - marks[beat].Came;

    /// <summary>Whether any worker thread found the queue empty since a counter sample.</summary>
    public bool SleptSince(int beat) => slept != marks[beat].Slept;

    readonly record struct Mark(long Came, long Slept);
}
