using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>Reads one kind of event: which provider it needs, and how its events become facts.</summary>
interface IProbe
{
    /// <summary>The provider settings that this probe needs.</summary>
    ProviderNeed Need { get; }

    /// <summary>
    /// The ids of the provider's events that the probe reads, each with the minimum payload length in bytes, which the library does not
    /// check. Null for all events of the provider.
    /// </summary>
    IReadOnlyDictionary<int, int>? Ids => null;

    /// <summary>Subscribes to the library's typed events; each is copied into a fact, since the library reuses its objects.</summary>
    void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink);
}
