namespace Tpwatch.Pool;

/// <summary>
/// Hill climbing's wave as an observer sees it: a sample of the throughput each, and a thread count adjustment where it changes the goal.
/// Every second sample it goes to the other level, at least one thread away, and cuts both to its bounds (PortableThreadPool.HillClimbing,
/// .NET 6 to 11): max, and min or so many threads more as wait for tasks, but no more than the goal. Samples through a whole period without
/// an adjustment so prove that the goal stands at max, and that min is the same number or task waits hold all threads above it.
/// </summary>
/// <param name="Since">From when the goal is known not to have changed.</param>
/// <param name="Samples">Samples since.</param>
readonly record struct ClimbWave(EventTime Since, int Samples)
{
    /// <summary>The runtime's default; one that is configured is not judged.</summary>
    const int PeriodSamples = 4;

    /// <summary>Whether the wave has no room.</summary>
    public bool IsFlat => Samples >= PeriodSamples;

    /// <summary>After one more sample.</summary>
    public ClimbWave Sampled() => this with { Samples = Samples + 1 };

    /// <summary>After the goal changed, or may have.</summary>
    public static ClimbWave From(EventTime at) => new(at, 0);
}
