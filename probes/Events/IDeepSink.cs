namespace Tpwatch.Events;

/// <summary>Takes what the deep probes tell beside the pool's own facts; in event-time order, on one thread.</summary>
interface IDeepSink : IFactSink
{
    void On(in ItemQueued fact);
    void On(in ItemTaken fact);
    void On(in LockAwaited fact);
    void On(in LockTaken fact);
    void On(in RequestStarted fact);
    void On(in RequestStopped fact);
}
