namespace Tpwatch.Pool;

/// <summary>The target's settings that an injection policy needs.</summary>
/// <param name="Processors">Processors as the runtime counts them.</param>
/// <param name="Min">MinThreads, worker threads.</param>
/// <param name="Max">MaxThreads, worker threads; null when not known.</param>
/// <param name="DetectorDisabled">Whether starvation detection is switched off.</param>
sealed record PoolSettings(int Processors, int Min, int? Max, bool DetectorDisabled = false)
{
    /// <summary>How <see cref="Min"/> is known.</summary>
    public MinBasis MinBasis { get; init; } = MinBasis.Known;

    /// <summary>Whether the target's configuration changes the steps and delays of blocking compensation.</summary>
    public bool CooperativeChanged { get; init; }

    /// <summary>
    /// Whether the gate thread is configured not to read processor use (CpuUtilizationIntervalMs 0, .NET 8 and later): it then takes the
    /// processors for idle, and the longer threshold for busy processors never applies.
    /// </summary>
    internal bool CpuUnread { get; init; }

    /// <summary>
    /// Whether the time of starvation detection restarts, as from .NET 11 on, when a worker thread begins to dispatch and at each of its
    /// quanta, rather than at each dequeued item.
    /// </summary>
    internal bool ByDispatch { get; init; }

    /// <summary>The event that restarts the time of starvation detection, one word.</summary>
    internal string ClockWord => ByDispatch ? "dispatch" : "dequeue";

    /// <summary>That event as a participle, one word.</summary>
    internal string ClockDone => ByDispatch ? "dispatched" : "dequeued";

    /// <summary>Whether events were lost since MinThreads and MaxThreads were seen, which may include a call that set them.</summary>
    internal bool LimitsLost { get; init; }

    /// <summary>
    /// Since when the target thread count is proven to be at MaxThreads, whose value is unknown (<see cref="ClimbWave"/>); or null.
    /// </summary>
    internal EventTime? NoRoomSince { get; init; }
}

/// <summary>How MinThreads is known.</summary>
enum MinBasis
{
    /// <summary>From an event or the configuration.</summary>
    Known,

    /// <summary>Assumed to be the default, the processor count; a call inside the program may have changed it.</summary>
    Assumed,

    /// <summary>The pool's own steps have shown that it is not the default.</summary>
    Refuted,
}
