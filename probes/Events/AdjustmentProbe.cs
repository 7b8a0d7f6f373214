using Microsoft.Diagnostics.Tracing;
using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>Reads event 55: a thread count adjustment with its reason.</summary>
sealed class AdjustmentProbe : IProbe
{
    public ProviderNeed Need => RuntimeProvider.Need;
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [55] = 16 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Clr.ThreadPoolWorkerThreadAdjustmentAdjustment += e => sink.On(new TargetThreadsChanged(
            clock.At(e), e.ThreadID, e.NewWorkerThreadCount, (AdjustmentReason)(int)e.Reason));
}
