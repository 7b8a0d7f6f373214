namespace Tpwatch.Pool;

/// <summary>
/// Hill climbing's wave as an observer sees it: each sample of the throughput, and a thread count adjustment where the target thread count
/// changes. Every second sample it goes to the other level, at least one thread away, and limits both levels
/// (PortableThreadPool.HillClimbing, .NET 6 to 11): to at most MaxThreads; and to at least MinThreads plus the threads that wait for tasks,
/// but not above the target thread count. A whole period of samples without an adjustment therefore proves that the target thread count
/// equals MaxThreads, and that MinThreads equals it too or task waits hold all threads above MinThreads.
/// </summary>
/// <param name="Since">The moment since which the target thread count is known to be unchanged.</param>
/// <param name="Samples">Number of samples since then.</param>
readonly record struct ClimbWave(EventTime Since, int Samples)
{
    /// <summary>Samples in a period: the runtime's default; a configured period is not judged.</summary>
    const int PeriodSamples = 4;

    /// <summary>Whether the wave has no room to move.</summary>
    public bool IsFlat => Samples >= PeriodSamples;

    /// <summary>The wave after one more sample.</summary>
    public ClimbWave Sampled() => this with { Samples = Samples + 1 };

    /// <summary>The wave after the target thread count changed or may have changed.</summary>
    public static ClimbWave From(EventTime at) => new(at, 0);
}
