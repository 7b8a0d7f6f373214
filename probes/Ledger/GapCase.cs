namespace Tpwatch.Ledger;

/// <summary>
/// A gap that has closed, with what was known when it did: a value, so that it can be judged once more whenever a heartbeat says more.
/// </summary>
/// <param name="At">When it closed: the event time of the adjustment that ended it.</param>
abstract record GapCase(EventTime At)
{
    /// <summary>The time without a dequeue that it shows, should items have waited; null where it shows none.</summary>
    public EventSpan? WithoutDequeue { get; init; }
}
