using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace Tpwatch.Events;

/// <summary>Reads events 81 and 91: a thread waits for a lock that another thread holds, and then acquires the lock.</summary>
sealed class LockProbe(ISideStreamSink locks) : IProbe
{
    const long Contention = 0x4000;

    public ProviderNeed Need { get; } = new(RuntimeProvider.Name, ProviderNeed.Informational, Contention);
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [81] = 0, [91] = 0 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink)
    {
        source.Clr.ContentionStart += e => Begin(e, clock.At(e));
        source.Clr.ContentionStop += e => locks.On(new LockTaken(clock.At(e), e.ThreadID));
    }

    // Only version 2 of the event (.NET 8 and later) has the ids of the lock and of the thread that owns the lock.
    void Begin(ContentionStartTraceData e, EventTime at) =>
        locks.On(new LockAwaited(at, e.ThreadID, e.Version >= 2 ? (long)e.LockID : 0, e.Version >= 2 ? (int)e.LockOwnerThreadID : 0));
}
