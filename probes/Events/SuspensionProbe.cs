using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads events 9 and 3: the runtime suspends all managed threads, and resumes them. Suspensions do not overlap, so an end event belongs to
/// the last begin event. The keyword also enables other events: see <see cref="RuntimeProvider.Collections"/>.
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

    // An end event without a begin event belongs to a suspension of unknown length that began before the session.
    void End(EventTime at, IFactSink sink)
    {
        if (begun is { } from && at >= from)
        {
            sink.On(new ThreadsSuspended(at, at.MsSince(from)));
        }

        begun = null;
    }
}
