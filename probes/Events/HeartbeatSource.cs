namespace Tpwatch.Events;

/// <summary>
/// The one source of a capture's heartbeats, by what comes and not by what was asked for: counters until the first reading of the meters,
/// meters alone from then on. Both count the same items, and the counters of another listener reach our session as well. A recording
/// decides as the session did, since it holds what that saw.
/// </summary>
sealed class HeartbeatSource
{
    bool hasMeters;

    /// <summary>A reading of the meters has come.</summary>
    public void FromMeters(in CountersRead fact, IFactSink sink)
    {
        hasMeters = true;
        sink.On(fact);
    }

    /// <summary>A reading of the event counters has come.</summary>
    public void FromCounters(in CountersRead fact, IFactSink sink)
    {
        if (!hasMeters)
        {
            sink.On(fact);
        }
    }
}
