namespace Tpwatch.Benchmarks.Figures;

/// <summary>What one burst of stacks costs, milliseconds.</summary>
/// <param name="Sampled">From the first sample to the last: an upper bound of the pause.</param>
/// <param name="Cpu">Processor time of the target beyond what it uses anyway.</param>
/// <param name="Whole">From asking for it to having read it.</param>
/// <param name="Threads">Threads that were sampled.</param>
sealed record BurstCost(Spread Sampled, Spread Cpu, Spread Whole, int Threads);
