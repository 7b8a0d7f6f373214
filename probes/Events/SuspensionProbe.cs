using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Events 9 and 3: the runtime suspended its threads, and lets them run. One suspension at a time in a process, so the last begin belongs
/// to the end. The keyword also brings the collector's other events; what that costs stands in the catalogue.
/// </summary>
sealed class SuspensionProbe : IProbe
{
    EventTime? begun;

    public ProviderNeed Need { get; } = new(RuntimeProvider.Name, ProviderNeed.Informational, RuntimeProvider.Collections);
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [9] = 4, [3] = 0 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink)
    {
        source.Clr.GCSuspendEEStart += e => begun = clock.At(e);
        source.Clr.GCRestartEEStop += e => End(clock.At(e), sink);
    }

    // An end without its begin is that of a suspension which the session began in: how long it was is not known.
    void End(EventTime at, IFactSink sink)
    {
        if (begun is { } from && at >= from)
        {
            sink.On(new ThreadsSuspended(at, at.MsSince(from)));
        }

        begun = null;
    }
}
