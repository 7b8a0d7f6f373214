namespace Tpwatch.Tests.Properties.Generators;

/// <summary>A worker of a simulated pool, with the queue of its own.</summary>
sealed class PoolWorker(int thread)
{
    public int Thread => thread;

    /// <summary>Items that its item queued: it takes the newest, others take the oldest.</summary>
    public List<MadeItem> Own { get; } = [];

    /// <summary>Counts how often it went to sleep, so that a time-out knows whether it has slept all the while.</summary>
    public int Sleeps { get; set; }
}
