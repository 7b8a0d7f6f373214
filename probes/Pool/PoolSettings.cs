namespace Tpwatch.Pool;

/// <summary>What an injection policy must know of the target.</summary>
/// <param name="Processors">Processors as the runtime counts them.</param>
/// <param name="Min">Min workers.</param>
/// <param name="Max">Max workers, or null when not known.</param>
/// <param name="DetectorDisabled">Starvation detection is switched off.</param>
sealed record PoolSettings(int Processors, int Min, int? Max, bool DetectorDisabled = false)
{
    /// <summary>How far <see cref="Min"/> is known.</summary>
    public MinBasis MinBasis { get; init; } = MinBasis.Known;

    /// <summary>Steps and delays of cooperative blocking were changed by the target's configuration.</summary>
    public bool CooperativeChanged { get; init; }

    /// <summary>
    /// The gate is told not to read the processors' use (CpuUtilizationIntervalMs 0, .NET 8 and later): it takes them for idle, and the
    /// longer wait with busy processors is never asked for.
    /// </summary>
    internal bool CpuUnread { get; init; }

    /// <summary>
    /// From .NET 11 on the gate's clock is not set back by each item taken, but when a worker begins to dispatch and at each of its quanta.
    /// </summary>
    internal bool ByDispatch { get; init; }

    /// <summary>What sets the gate's clock back, one word.</summary>
    internal string ClockWord => ByDispatch ? "dispatch" : "dequeue";

    /// <summary>The same of what was done, one word.</summary>
    internal string ClockDone => ByDispatch ? "dispatched" : "dequeued";

    /// <summary>Events were lost since min and max were seen; a call that set them may be among those.</summary>
    internal bool LimitsLost { get; init; }

    /// <summary>From when the goal is proven to be at max, though nothing says what that is (<see cref="ClimbWave"/>); or null.</summary>
    internal EventTime? NoRoomSince { get; init; }
}

/// <summary>How far min workers are known.</summary>
enum MinBasis
{
    /// <summary>An event or the configuration says it.</summary>
    Known,

    /// <summary>Taken for the default, the processor count; a call from inside the program may have changed it.</summary>
    Assumed,

    /// <summary>The pool's own steps have shown that it is not the default.</summary>
    Refuted,
}
