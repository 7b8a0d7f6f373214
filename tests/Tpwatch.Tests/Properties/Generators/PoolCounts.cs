namespace Tpwatch.Tests.Properties.Generators;

/// <summary>The numbers that the parts of a simulated pool share, as the runtime has them in one word and a few fields.</summary>
sealed class PoolCounts
{
    public int Min { get; set; }

    public int Max { get; set; }

    /// <summary>Workers the pool wants.</summary>
    public int TargetThreads { get; set; }

    /// <summary>Workers that hold a permit to work.</summary>
    public int Working { get; set; }

    /// <summary>Workers that exist, those being created included.</summary>
    public int Existing { get; set; }

    /// <summary>Whether somebody has asked for a worker and none has come yet.</summary>
    public bool Requested { get; set; }

    public long Completed { get; set; }

    /// <summary>When the pool noted a dequeue last: a worker that takes a request, and each end of an item.</summary>
    public double LastDequeueMs { get; set; }

    /// <summary>Workers inside a wait of which the pool was told.</summary>
    public int TaskWaits { get; set; }

    /// <summary>What compensates for them.</summary>
    public int Target => Math.Min(Min + TaskWaits, Max);
}
