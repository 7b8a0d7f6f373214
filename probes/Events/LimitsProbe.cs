using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>Event 59: min and max, at the pool's birth and on changes; a late attach does not see it.</summary>
sealed class LimitsProbe : IProbe
{
    public ProviderNeed Need => RuntimeProvider.Need;
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [59] = 8 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Clr.ThreadPoolMinMaxThreads += e =>
            sink.On(new LimitsChanged(clock.At(e), e.MinWorkerThreads, e.MaxWorkerThreads));
}
