namespace Tpwatch.Model;

/// <summary>What an injection policy must know of the target.</summary>
/// <param name="Processors">Processors as the runtime counts them.</param>
/// <param name="Min">Min workers.</param>
/// <param name="Max">Max workers, or null when not known.</param>
/// <param name="DetectorDisabled">Starvation detection is switched off.</param>
public sealed record PoolSettings(int Processors, int Min, int? Max, bool DetectorDisabled = false)
{
    /// <summary>How far <see cref="Min"/> is known.</summary>
    public MinBasis MinBasis { get; init; } = MinBasis.Known;

    /// <summary>Steps and delays of cooperative blocking were changed by the target's configuration.</summary>
    public bool CooperativeChanged { get; init; }

    /// <summary>Events were lost since min and max were seen; a call that set them may be among those.</summary>
    internal bool LimitsLost { get; init; }
}

/// <summary>How far min workers are known.</summary>
public enum MinBasis
{
    /// <summary>An event or the configuration says it.</summary>
    Known,

    /// <summary>Taken for the default, the processor count; a call from inside the program may have changed it.</summary>
    Assumed,

    /// <summary>The pool's own steps have shown that it is not the default.</summary>
    Refuted,
}
