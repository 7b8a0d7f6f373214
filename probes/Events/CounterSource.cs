namespace Tpwatch.Events;

/// <summary>
/// Selects the one source of a capture's counter samples, by the events that arrive rather than by what was requested: event counters until
/// the first sample of the meters, only meters from then on. Both count the same items, and another listener's event counters reach this
/// session as well. A recording selects as the session did, since it holds the same events.
/// </summary>
sealed class CounterSource
{
    bool hasMeters;

    /// <summary>Takes a sample of the meters.</summary>
    public void FromMeters(in CountersRead fact, IFactSink sink)
    {
        hasMeters = true;
        sink.On(fact);
    }

    /// <summary>Takes a sample of the event counters.</summary>
    public void FromCounters(in CountersRead fact, IFactSink sink)
    {
        if (!hasMeters)
        {
            sink.On(fact);
        }
    }
}
