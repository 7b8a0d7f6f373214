namespace Tpwatch.Events;

/// <summary>Takes the facts of the deep probes in addition to the pool's facts; in event-time order, on one thread.</summary>
interface IDeepSink : IFactSink
{
    void On(in ItemQueued fact);
    void On(in ItemTaken fact);
    void On(in LockAwaited fact);
    void On(in LockTaken fact);
    void On(in RequestStarted fact);
    void On(in RequestStopped fact);
}
