using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads events 70 and 71: a thread created another thread, and the new thread runs. A worker thread that the gate
/// thread created was injected; a worker thread that another thread created was added on demand.
/// </summary>
sealed class ThreadBirthProbe : IProbe
{
    public ProviderNeed Need => RuntimeProvider.Need;
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [70] = 8, [71] = 8 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink)
    {
        source.Clr.ThreadCreating += e => sink.On(new ThreadCreated(clock.At(e), e.ThreadID, (long)e.ThreadStartWorkID));
        source.Clr.ThreadRunning += e => sink.On(new ThreadBegan(clock.At(e), e.ThreadID, (long)e.ThreadStartWorkID));
    }
}
