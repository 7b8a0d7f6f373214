using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads events 50, 51 and 57: a worker thread started, stopped, or began to wait. Each event has the number of existing worker threads.
/// </summary>
sealed class WorkerProbe : IProbe
{
    public ProviderNeed Need => RuntimeProvider.Need;
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [50] = 8, [51] = 8, [57] = 8 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink)
    {
        source.Clr.ThreadPoolWorkerThreadStart += e => sink.On(new WorkerStarted(clock.At(e), e.ThreadID, e.ActiveWorkerThreadCount));
        source.Clr.ThreadPoolWorkerThreadStop += e => sink.On(new WorkerStopped(clock.At(e), e.ThreadID, e.ActiveWorkerThreadCount));
        source.Clr.ThreadPoolWorkerThreadWait += e => sink.On(new WorkerWaited(clock.At(e), e.ThreadID, e.ActiveWorkerThreadCount));
    }
}
