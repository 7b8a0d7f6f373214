using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Events 3 and 4 of Kestrel: a request began, and was answered. Both carry the request's id, its method and its path without the query; a
/// request that was under way before the session is thus known once it ends. The hosting layer's own source has neither the id nor, at the
/// end, the path.
/// </summary>
sealed class RequestProbe(IDeepSink requests, RouteNames names) : IProbe
{
    public const string Provider = "Microsoft-AspNetCore-Server-Kestrel";

    const int Started = 3;
    const int Stopped = 4;

    public ProviderNeed Need { get; } = new(Provider, ProviderNeed.Informational, 0);
    public IReadOnlyDictionary<int, int>? Ids => new Dictionary<int, int> { [Started] = 0, [Stopped] = 0 };

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Dynamic.AddCallbackForProviderEvents(
            (provider, _) => provider == Provider ? EventFilterResponse.AcceptEvent : EventFilterResponse.RejectProvider,
            e => Read(e, clock, sink));

    void Read(TraceEvent e, EventClock clock, IFactSink sink)
    {
        var id = (int)e.ID;
        if (id is not (Started or Stopped))
        {
            return;
        }

        // Connection, request, version, path, method. The library's own way makes five strings of each event.
        var rest = Text(e);
        if (!Next(ref rest, out _) || !Next(ref rest, out var request) || !Next(ref rest, out _) || !Next(ref rest, out var path)
            || !Next(ref rest, out var method))
        {
            sink.On(new EventUndecodable(clock.At(e), e.EventName));
            return;
        }

        var (key, route) = (RouteNames.Hash(request), names.Of(method, path));
        if (id == Started)
        {
            requests.On(new RequestStarted(clock.At(e), e.ThreadID, key, route));
        }
        else
        {
            requests.On(new RequestStopped(clock.At(e), e.ThreadID, key, route));
        }
    }

    static unsafe ReadOnlySpan<char> Text(TraceEvent e) =>
        MemoryMarshal.Cast<byte, char>(new ReadOnlySpan<byte>((void*)e.DataStart, e.EventDataLength));

    static bool Next(ref ReadOnlySpan<char> rest, out ReadOnlySpan<char> text)
    {
        var end = rest.IndexOf('\0');
        text = end < 0 ? [] : rest[..end];
        rest = end < 0 ? [] : rest[(end + 1)..];
        return end >= 0;
    }
}
