namespace Tpwatch.Recordings.Extract;

/// <summary>A thread that wrote events, and those of them that wait for their turn.</summary>
sealed class WritingThread(uint sequence)
{
    /// <summary>The number of its last event.</summary>
    public uint Sequence { get; set; } = sequence;

    /// <summary>When it wrote last; ticks.</summary>
    public long LastTime { get; set; }

    /// <summary>What it wrote and has not been handed out.</summary>
    public WaitingEvents Events { get; } = new();
}
