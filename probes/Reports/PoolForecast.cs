namespace Tpwatch.Reports;

/// <summary>The expected next events of the pool, if nothing else happens before them; immutable.</summary>
public sealed record PoolForecast
{
    /// <summary>Event time up to which the data of the forecast is complete.</summary>
    public required EventTime At { get; init; }

    /// <summary>The next thread injection; null if no item is queued or no rule determines its time.</summary>
    public NextInjection? NextInjection { get; init; }

    /// <summary>When the queue is empty again; null if no item is queued or no estimate is possible.</summary>
    public QueueEmpty? QueueEmpty { get; init; }

    /// <summary>Expected queue time of an item queued at the last counter sample; null if no item is queued.</summary>
    public QueueTimeForecast? StartDelayOfNewItem { get; init; }
}

/// <summary>The next thread injection, predicted by a rule of the runtime that determines its time.</summary>
/// <param name="At">The most likely time of the injection.</param>
/// <param name="Windows">The next two time ranges in which the rule allows the injection.</param>
/// <param name="Mechanism">The rule that determines the time.</param>
/// <param name="Condition">The condition for the injection, as a clause: <c>unless an item is dequeued first</c>.</param>
/// <param name="Sure">Whether the injection certainly comes at this time if the condition holds.</param>
public sealed record NextInjection(EventTime At, ImmutableArray<EventSpan> Windows, Mechanism Mechanism, string Condition, bool Sure);

/// <summary>Estimate of when the queue is empty again.</summary>
/// <param name="At">When the queue is empty; null if that time is not known or never comes.</param>
/// <param name="Never">Whether the queue never becomes empty, because items arrive faster than the worker threads dequeue them.</param>
/// <param name="Basis">The data behind the estimate, one sentence.</param>
public sealed record QueueEmpty(EventTime? At, bool Never, string Basis)
{
    /// <summary>Whether the estimate includes threads that the pool is expected to add.</summary>
    public bool IfThreadsHelp { get; init; }
}

/// <summary>Expected queue time of an item queued at <paramref name="At"/>, if items are dequeued in the order of arrival.</summary>
/// <param name="At">Time of the counter sample with the queue length, or the end of the measurement if single items were measured.</param>
/// <param name="MinMs">Lower bound, milliseconds.</param>
/// <param name="MaxMs">Upper bound, milliseconds; null while only a lower bound is known.</param>
/// <param name="EstimateMs">Most likely value, milliseconds; null while only a lower bound is known.</param>
/// <param name="Basis">The data behind the estimate, one sentence.</param>
public sealed record QueueTimeForecast(EventTime At, double MinMs, double? MaxMs, double? EstimateMs, string Basis)
{
    /// <summary>Whether there is an estimate, or a lower bound above zero.</summary>
    public bool IsKnown => EstimateMs is not null || MinMs > 0;
}
