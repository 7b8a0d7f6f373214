using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>Reads event 54: a hill climbing sample.</summary>
sealed class ThroughputProbe : IProbe
{
    public ProviderNeed Need => RuntimeProvider.Need;
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [54] = 8 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Clr.ThreadPoolWorkerThreadAdjustmentSample += e => sink.On(new ThroughputSampled(clock.At(e), e.Throughput));
}
