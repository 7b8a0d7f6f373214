using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads event 59: MinThreads and MaxThreads, sent when the pool is created and when a limit changes, but not on a later attach.
/// </summary>
sealed class MinMaxThreadsProbe : IProbe
{
    public ProviderNeed Need => RuntimeProvider.Need;
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [59] = 8 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Clr.ThreadPoolMinMaxThreads += e => sink.On(new LimitsChanged(clock.At(e), e.MinWorkerThreads, e.MaxWorkerThreads));
}
