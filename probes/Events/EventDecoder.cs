using Microsoft.Diagnostics.Tracing;
using Tpwatch.Attach;
using Tpwatch.Events.Facts;

namespace Tpwatch.Events;

/// <summary>Turns a stream into facts, in event-time order, on the calling thread, until the stream ends.</summary>
sealed class EventDecoder(ISession session, ProbeSet probes)
{
    /// <summary>Reads <paramref name="stream"/>, the session's events, to its end.</summary>
    /// <returns>Whether the stream ended with its proper end mark; false when it broke off or was closed.</returns>
    public bool Decode(Stream stream, IFactSink sink)
    {
        try
        {
            using var source = new EventPipeEventSource(stream);
            var clock = new EventClock();
            source.AddDispatchHook((e, dispatch) =>
            {
                Prepare(source, clock, e, sink);
                dispatch(e);
            });
            foreach (var probe in probes.Probes)
            {
                probe.Subscribe(source, clock, sink);
            }

            return source.Process();
        }
        catch (Exception e) when (e is FormatException or IOException or ObjectDisposedException or EndOfStreamException or OperationCanceledException)
        {
            // The library says in one of these ways that the stream broke off; the session knows why.
            return false;
        }
        finally
        {
            DrainClock(new EventTime(long.MaxValue), sink);
        }
    }

    /// <summary>Before each event: the start of the capture, loss, and the clock readings that are older than the event.</summary>
    void Prepare(EventPipeEventSource source, EventClock clock, TraceEvent e, IFactSink sink)
    {
        clock.OpenOnce(source, e, sink);
        clock.ReportLoss(source, e, sink);
        DrainClock(clock.At(e), sink);
    }

    void DrainClock(EventTime until, IFactSink sink)
    {
        while (session.TryTakeClockReading(until, out var reading))
        {
            sink.On(new ClockSeen(reading));
        }
    }
}
