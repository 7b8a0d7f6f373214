using Microsoft.Diagnostics.Tracing;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>Converts event streams to facts in event-time order, with the TraceEvent library, on the calling thread.</summary>
sealed class EventDecoder(ISession? session, ProbeSet probes)
{
    /// <summary>Maximum difference between one event's times in two sessions, milliseconds; each session reads the clock itself.</summary>
    const double StampsApartMs = 1;

    /// <summary>Maximum overlap of a start stream and a main stream, milliseconds; with a longer overlap, they are unrelated.</summary>
    const double LongestOverlapMs = 10_000;

    // Last event of each thread in the start stream. The main stream begins before the start stream ends, so it repeats the last events.
    readonly Dictionary<int, (TraceEventID Id, EventTime At)> lastOfThread = [];
    EventTime? told;
    EventTime? newest;
    bool isStart;

    /// <summary>Reads <paramref name="stream"/>, the session's events, to its end.</summary>
    /// <returns>Whether the stream ended with its end mark; false if the stream broke off or was closed.</returns>
    public bool Decode(EventStream stream, IFactSink sink)
    {
        var whole = DecodeInto(stream, sink);
        Conclude(sink);
        return whole;
    }

    /// <summary>
    /// Reports the session's clock and process readings that are newer than all events. Called after a start stream without a main stream.
    /// </summary>
    public void Conclude(IFactSink sink) => Drain(new EventTime(long.MaxValue), sink);

    /// <summary>
    /// Reads the start stream to its end; returns whether it had its end mark. This stream is from a first session without counters, while
    /// the process may still be starting. <see cref="Decode"/> then reads the main stream, and skips events that were already reported.
    /// </summary>
    public bool DecodeStart(EventStream stream, IFactSink sink)
    {
        isStart = true;
        var whole = DecodeInto(stream, sink);
        (isStart, told) = (false, newest);
        return whole;
    }

    bool DecodeInto(EventStream stream, IFactSink sink)
    {
        // Whether an exception came from tpwatch's own code. Such an exception is a bug, not a sign of a broken stream.
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
#pragma warning disable CA1031 // on a damaged stream, the library throws exceptions of many types
        catch (Exception) when (!ours)
        {
            // The stream broke off or is damaged; the session knows the cause.
            return false;
        }
#pragma warning restore CA1031
    }

    /// <summary>
    /// Called before each event. Reports the start of the capture, lost events, and the session's clock and process readings that are older
    /// than the event. Returns false for an event that the start stream has already reported.
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

        // The end of the start stream is repeated in the main stream, where the timestamp of an event may be slightly later.
        return at <= until || (at.MsSince(until) <= StampsApartMs && lastOfThread.Remove(e.ThreadID, out var last)
            && last.Id == e.ID && at.MsSince(last.At) <= StampsApartMs);
    }

    // Reports the session's clock and process readings up to a time. The second stream is decoded without a session and has no readings.
    void Drain(EventTime until, IFactSink sink)
    {
        if (session is null)
        {
            return;
        }

        // Reports both kinds of readings in time order, so that the result does not depend on how often this method is called.
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

/// <summary>
/// Converts the stream's timestamps to event time. On Linux, the timestamps already are nanoseconds of CLOCK_MONOTONIC. On other systems,
/// the frequency is derived from the library's conversion of two timestamps to wall-clock time.
/// </summary>
/// <param name="stream">The event stream.</param>
/// <param name="isOpen">Whether an earlier stream has begun the capture; the start of the capture is then not reported again.</param>
sealed class EventClock(EventStream stream, bool isOpen)
{
    const long Probe = 1_000_000_000;

    /// <summary>Upper bound of event times, nanoseconds: 146 years, so the difference of two event times cannot overflow.</summary>
    const long Latest = long.MaxValue / 2;

    /// <summary>Upper bound of the length of a capture, milliseconds: ten years; a damaged header can claim more.</summary>
    const double LongestMs = 10 * 365.25 * 86_400_000;

    /// <summary>Upper bound of a clock's resolution, nanoseconds: one millisecond; no real clock is coarser.</summary>
    const double SlowestCheck = 1e6;

    double nanosecondsPerTick = 1;
    long lost;
    int lostByTheLibrary;
    bool opened;

    public EventTime At(TraceEvent data) => new((long)Math.Clamp(Ticks(data) * nanosecondsPerTick, 0, Latest));

    // The library marks this property as obsolete, in favour of wall-clock time. But event time must be the target's monotonic clock, as in
    // the runtime's rules and in the clock readings.
#pragma warning disable CS0618
    static long Ticks(TraceEvent data) => data.TimeStampQPC;
#pragma warning restore CS0618

    /// <summary>Reports the start of the capture to the sink at the first call; must be called before the first fact.</summary>
    public void OpenOnce(EventPipeEventSource source, TraceEvent first, IFactSink sink)
    {
        if (opened)
        {
            return;
        }

        opened = true;
        var span = source.QPCTimeToTimeStamp(Ticks(first) + Probe) - source.QPCTimeToTimeStamp(Ticks(first));
        nanosecondsPerTick = Math.Abs(span.TotalSeconds - 1) < 1e-3 || span.TotalSeconds is <= 0 or > SlowestCheck ? 1 : span.TotalSeconds;
        if (isOpen)
        {
            return;
        }

        var believed = Math.Abs(first.TimeStampRelativeMSec) <= LongestMs;
        var start = believed ? At(first).PlusMs(-first.TimeStampRelativeMSec) : At(first);
        sink.On(new StreamOpened(start, source.SessionStartTime.ToUniversalTime(), source.NumberOfProcessors));
        if (!believed)
        {
            sink.On(new EventUndecodable(start, "impossible start time of the event stream"));
        }
    }

    /// <summary>Reports newly lost events to the sink: by the stream's count or, if the stream has none, by the library's count.</summary>
    public void ReportLoss(EventPipeEventSource source, TraceEvent data, IFactSink sink)
    {
        var more = stream.Lost is { } counted ? counted - lost : ByTheLibrary(source);
        (lost, lostByTheLibrary) = (stream.Lost ?? lost, source.EventsLost);
        if (more != 0)
        {
            sink.On(new EventsLost(At(data), more));
        }
    }

    /// <summary>
    /// Returns the number of newly lost events by the library's count; null if unknown. The library sets its count to the maximum when a
    /// sequence number decreases.
    /// </summary>
    long? ByTheLibrary(EventPipeEventSource source)
    {
        var more = (long)source.EventsLost - lostByTheLibrary;
        return more < 0 || (more > 0 && source.EventsLost == int.MaxValue) ? null : more;
    }
}
