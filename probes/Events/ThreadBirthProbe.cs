using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>Events 70 and 71: who created a thread and when it ran. The creator tells a gated worker from one created on demand.</summary>
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
