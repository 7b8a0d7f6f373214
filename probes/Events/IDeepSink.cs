using Tpwatch.Events.Facts;

namespace Tpwatch.Events;

/// <summary>Takes what the deep probes tell beside the pool's own facts; in event-time order, on one thread.</summary>
interface IDeepSink : IFactSink
{
    /// <summary>An item was queued.</summary>
    void On(in ItemQueued fact);

    /// <summary>An item was taken.</summary>
    void On(in ItemTaken fact);

    /// <summary>A thread waits for a lock.</summary>
    void On(in LockAwaited fact);

    /// <summary>A thread has its lock.</summary>
    void On(in LockTaken fact);

    /// <summary>A request began.</summary>
    void On(in RequestStarted fact);

    /// <summary>A request was answered.</summary>
    void On(in RequestStopped fact);
}
