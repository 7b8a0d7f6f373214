namespace Tpwatch.Ledger;

/// <summary>
/// Workers that may have taken an item without having ended one: those that started (event 50), and parked ones that a rising goal lets go
/// on. Counted from heartbeat to heartbeat, by the index of <see cref="BeatLog.Beats"/>.
/// </summary>
sealed class Newcomers
{
    readonly Recent<Mark> marks = new(BeatLog.Capacity);
    long came;
    long slept;

    /// <summary>A worker started, or the goal rose by so many.</summary>
    public void Come(int workers) => came += Math.Max(0, workers);

    /// <summary>A worker found the queue empty.</summary>
    public void Slept() => slept++;

    /// <summary>A heartbeat was taken.</summary>
    public void Beat() => marks.Add(new(came, slept));

    /// <summary>The heartbeats are forgotten.</summary>
    public void Forget() => marks.Clear();

    /// <summary>How many have come since a heartbeat.</summary>
    public long Since(int beat) => came - marks[beat].Came;

    /// <summary>Whether any worker found the queue empty since a heartbeat.</summary>
    public bool SleptSince(int beat) => slept != marks[beat].Slept;

    readonly record struct Mark(long Came, long Slept);
}
