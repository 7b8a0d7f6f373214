using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>One subject of the stream: which provider it needs, and how its events become facts.</summary>
interface IProbe
{
    /// <summary>What must be switched on for it.</summary>
    ProviderNeed Need { get; }

    /// <summary>
    /// The ids of the provider's events that it looks at, each with the bytes that it reads of one: the library does not look whether they
    /// are there. Null is all events of the provider.
    /// </summary>
    IReadOnlyDictionary<int, int>? Ids => null;

    /// <summary>Subscribes to the library's typed events; each is copied into a fact, since the library reuses its objects.</summary>
    void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink);
}
