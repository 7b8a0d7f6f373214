namespace Tpwatch.Ledger;

/// <summary>
/// A closed injection delay with the state known when it closed. It is a value, so it can be judged again when a counter sample adds
/// information.
/// </summary>
/// <param name="At">When it closed: the event time of the adjustment that ended it.</param>
abstract record DelayCase(EventTime At)
{
    /// <summary>The time without a dequeue that it shows, if items waited; null when it shows none.</summary>
    public EventSpan? WithoutDequeue { get; init; }
}
