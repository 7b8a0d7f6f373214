using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads events 30 and 31 of the framework's source: a work item was queued, and a work item was dequeued. TraceEvent's typed parser for
/// this source receives no events from this stream, so the item's id is read from the payload.
/// </summary>
sealed class WorkItemProbe(ISideStreamSink items) : IProbe
{
    const string Provider = "System.Diagnostics.Eventing.FrameworkEventSource";
    const long ThreadPool = 0x2;
    const int Verbose = 5;
    const int Queued = 30;
    const int Taken = 31;

    public ProviderNeed Need { get; } = new(Provider, Verbose, ThreadPool);
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [Queued] = 0, [Taken] = 0 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Dynamic.AddCallbackForProviderEvents(
            (provider, _) => provider == Provider ? EventFilterResponse.AcceptEvent : EventFilterResponse.RejectProvider,
            e => Read(e, clock, sink));

    void Read(TraceEvent e, EventClock clock, IFactSink sink)
    {
        var id = (int)e.ID;
        if (id is not (Queued or Taken))
        {
            return;
        }

        if (e.EventDataLength < sizeof(long))
        {
            sink.On(new EventUndecodable(clock.At(e), e.EventName));
        }
        else if (id == Queued)
        {
            items.On(new ItemQueued(clock.At(e), e.ThreadID, WorkId(e)));
        }
        else
        {
            items.On(new ItemTaken(clock.At(e), e.ThreadID, WorkId(e)));
        }
    }

    // The library's typed access would box each id; hundreds of thousands of ids can arrive per second.
    static unsafe long WorkId(TraceEvent e) => *(long*)e.DataStart;
}
