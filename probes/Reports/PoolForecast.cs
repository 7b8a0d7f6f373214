namespace Tpwatch.Reports;

/// <summary>What comes next if nothing else happens, and how good such predictions have been so far; immutable.</summary>
public sealed record PoolForecast
{
    /// <summary>Event time up to which everything was known that it rests on.</summary>
    public required EventTime At { get; init; }

    /// <summary>The next worker that the pool adds; null when nothing waits or no rule gives its moment.</summary>
    public NextInjection? NextInjection { get; init; }

    /// <summary>When the backlog is gone; null when nothing waits or nothing is known of it.</summary>
    public BacklogGone? BacklogGone { get; init; }

    /// <summary>How long an item queued at the last heartbeat waits; null when nothing waits.</summary>
    public StartDelay? StartDelayOfNewItem { get; init; }

    /// <summary>What became of the predictions made in this capture.</summary>
    internal ForecastScore Score { get; init; } = ForecastScore.None;
}

/// <summary>The next worker that the pool adds by a rule with a clock.</summary>
/// <param name="At">The most likely moment.</param>
/// <param name="Windows">The moments that the rule allows, the nearest two.</param>
/// <param name="Mechanism">The mechanism behind it.</param>
/// <param name="Condition">What must not happen before, one sentence.</param>
/// <param name="Sure">Whether it is almost certain, in so far as such moments scatter on this machine.</param>
public sealed record NextInjection(EventTime At, ImmutableArray<EventSpan> Windows, Mechanism Mechanism, string Condition, bool Sure);

/// <summary>When the backlog is gone.</summary>
/// <param name="At">The moment, or null when it is not known, or never comes.</param>
/// <param name="Never">Arrivals outrun what the workers take.</param>
/// <param name="Basis">What it rests on, one sentence.</param>
public sealed record BacklogGone(EventTime? At, bool Never, string Basis)
{
    /// <summary>Whether threads that the pool should add meanwhile are counted on.</summary>
    public bool IfThreadsHelp { get; init; }
}

/// <summary>How long an item that is queued at <paramref name="At"/> waits for a worker; first in, first out.</summary>
/// <param name="At">A heartbeat, at which the backlog is known, or as far as measured items are known.</param>
/// <param name="MinMs">At least so long, milliseconds.</param>
/// <param name="MaxMs">At most so long, milliseconds; null while only a lower bound is known.</param>
/// <param name="EstimateMs">Most likely, milliseconds; null while only a lower bound is known.</param>
/// <param name="Basis">What it rests on, one sentence.</param>
public sealed record StartDelay(EventTime At, double MinMs, double? MaxMs, double? EstimateMs, string Basis)
{
    /// <summary>Whether it says anything: a lower bound of nothing does not.</summary>
    public bool IsKnown => EstimateMs is not null || MinMs > 0;
}
