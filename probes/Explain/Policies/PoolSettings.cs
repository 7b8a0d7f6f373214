namespace Tpwatch.Explain.Policies;

/// <summary>What an injection policy must know of the target.</summary>
/// <param name="Processors">Processors as the runtime counts them.</param>
/// <param name="Min">Min workers.</param>
/// <param name="Max">Max workers, or null when not known.</param>
/// <param name="DetectorDisabled">Starvation detection is switched off.</param>
public sealed record PoolSettings(int Processors, int Min, int? Max, bool DetectorDisabled = false)
{
    /// <summary>Where the runtime is newer than any whose rules were checked.</summary>
    public bool Unverified { get; init; }
}
