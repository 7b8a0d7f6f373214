using Microsoft.Diagnostics.Tracing;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>Turns a stream into facts, in event-time order, on the calling thread, until the stream ends.</summary>
sealed class EventDecoder(ISession? session, ProbeSet probes)
{
    /// <summary>Each session stamps an event for itself, one right after the other.</summary>
    const double StampsApartMs = 1;

    /// <summary>Two sessions overlap by less; a start that ends later belongs to another stream.</summary>
    const double LongestOverlapMs = 10_000;

    // What the stream before has told already; the next one began before that one had ended.
    readonly Dictionary<int, (TraceEventID Id, EventTime At)> lastOfThread = [];
    EventTime? told;
    EventTime? newest;
    PlausibleFacts? plausible;
    bool isStart;

    /// <summary>Reads <paramref name="stream"/>, the session's events, to its end.</summary>
    /// <returns>Whether the stream ended with its proper end mark; false when it broke off or was closed.</returns>
    public bool Decode(Stream stream, IFactSink sink)
    {
        var whole = DecodeInto(new NumberedStream(stream), plausible ?? new PlausibleFacts(sink));
        Conclude(sink);
        return whole;
    }

    /// <summary>The session's own readings that are newer than all events; for who has read a start, and nothing follows.</summary>
    public void Conclude(IFactSink sink) => Drain(new EventTime(long.MaxValue), sink);

    /// <summary>
    /// Reads what comes before the session's own stream, to its end. <see cref="Decode"/> of that one goes on where this has ended.
    /// </summary>
    public bool DecodeStart(Stream stream, IFactSink sink)
    {
        isStart = true;
        var whole = DecodeInto(new NumberedStream(stream), plausible = new PlausibleFacts(sink));
        (isStart, told) = (false, newest);
        return whole;
    }

    bool DecodeInto(NumberedStream stream, IFactSink sink)
    {
        // A failure of our own, below the library, is a bug and must not pass for a broken stream.
        var ours = false;
        try
        {
            using var source = new EventPipeEventSource(stream);
            var clock = new EventClock(stream, isOpen: told is not null);
            source.AddDispatchHook((e, dispatch) =>
            {
                try
                {
                    if (Prepare(source, clock, e, sink))
                    {
                        dispatch(e);
                    }
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
    }

    /// <summary>
    /// Before each event: the start of the capture, loss, and the session's own readings that are older than the event. False of one that
    /// was told already.
    /// </summary>
    bool Prepare(EventPipeEventSource source, EventClock clock, TraceEvent e, IFactSink sink)
    {
        clock.OpenOnce(source, e, sink);
        var at = clock.At(e);
        told = told?.MsSince(at) > LongestOverlapMs ? null : told;
        if (WasTold(e, at))
        {
            return false;
        }

        clock.ReportLoss(source, e, sink);
        Drain(at, sink);
        return true;
    }

    bool WasTold(TraceEvent e, EventTime at)
    {
        if (isStart)
        {
            lastOfThread[e.ThreadID] = (e.ID, at);
            newest = newest is { } before ? EventTime.Max(before, at) : at;
            return false;
        }

        if (told is not { } until || e.ProviderName != RuntimeProvider.Name)
        {
            return false;
        }

        // What was told last may be stamped a little later by the second session.
        return at <= until || (at.MsSince(until) <= StampsApartMs && lastOfThread.Remove(e.ThreadID, out var last)
            && last.Id == e.ID && at.MsSince(last.At) <= StampsApartMs);
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
