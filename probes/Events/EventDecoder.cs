using Microsoft.Diagnostics.Tracing;
using Tpwatch.Events.Facts;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Streams;

namespace Tpwatch.Events;

/// <summary>Turns a stream into facts, in event-time order, on the calling thread, until the stream ends.</summary>
sealed class EventDecoder(ISession? session, ProbeSet probes)
{
    /// <summary>Reads <paramref name="stream"/>, the session's events, to its end.</summary>
    /// <returns>Whether the stream ended with its proper end mark; false when it broke off or was closed.</returns>
    public bool Decode(Stream stream, IFactSink sink) => DecodeInto(new NumberedStream(stream), new PlausibleFacts(sink));

    bool DecodeInto(NumberedStream stream, IFactSink sink)
    {
        // A failure of our own, below the library, is a bug and must not pass for a broken stream.
        var ours = false;
        try
        {
            using var source = new EventPipeEventSource(stream);
            var clock = new EventClock(stream);
            source.AddDispatchHook((e, dispatch) =>
            {
                try
                {
                    Prepare(source, clock, e, sink);
                    dispatch(e);
                }
                catch
                {
                    ours = true;
                    throw;
                }
            });
            foreach (var probe in probes.Probes)
            {
                probe.Subscribe(source, clock, sink);
            }

            return source.Process();
        }
#pragma warning disable CA1031 // on a damaged stream the library throws whatever its arithmetic ran into: format, range, memory
        catch (Exception) when (!ours)
        {
            // The stream broke off or is damaged; the session knows why.
            return false;
        }
#pragma warning restore CA1031
        finally
        {
            Drain(new EventTime(long.MaxValue), sink);
        }
    }

    /// <summary>Before each event: the start of the capture, loss, and the session's own readings that are older than the event.</summary>
    void Prepare(EventPipeEventSource source, EventClock clock, TraceEvent e, IFactSink sink)
    {
        clock.OpenOnce(source, e, sink);
        clock.ReportLoss(source, e, sink);
        Drain(clock.At(e), sink);
    }

    // A second stream has no readings of its own.
    void Drain(EventTime until, IFactSink sink)
    {
        if (session is null)
        {
            return;
        }

        // By time: how many events come between two readings must make no difference.
        ProcessReading? process = null;
        ClockReading? clock = null;
        while ((process ??= Process(session, until)) is not null | (clock ??= Clock(session, until)) is not null)
        {
            if (clock is not { } reading || process?.At <= reading.At)
            {
                sink.On(new ProcessSampled(process!.Value));
                process = null;
            }
            else
            {
                sink.On(new ClockSeen(reading));
                clock = null;
            }
        }
    }

    static ProcessReading? Process(ISession session, EventTime until) => session.TryTakeProcessReading(until, out var seen) ? seen : null;

    static ClockReading? Clock(ISession session, EventTime until) => session.TryTakeClockReading(until, out var reading) ? reading : null;
}
