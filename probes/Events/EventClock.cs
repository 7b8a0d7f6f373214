using Microsoft.Diagnostics.Tracing;
using Tpwatch.Recordings;

namespace Tpwatch.Events;

/// <summary>
/// Converts the stream's timestamps to event time. On Linux they are nanoseconds of CLOCK_MONOTONIC already; elsewhere the frequency is
/// derived from how the library maps two timestamps to wall-clock time.
/// </summary>
/// <param name="stream">The event stream.</param>
/// <param name="isOpen">Whether an earlier stream has begun the capture; its start is then not reported again.</param>
sealed class EventClock(EventStream stream, bool isOpen = false)
{
    const long Probe = 1_000_000_000;

    /// <summary>Nanoseconds, 146 years: above any real clock value, and differences of two such moments do not overflow.</summary>
    const long Latest = long.MaxValue / 2;

    /// <summary>Milliseconds, ten years: no capture is that long, but a damaged header can claim it.</summary>
    const double LongestMs = 10 * 365.25 * 86_400_000;

    /// <summary>Nanoseconds; the resolution of real clocks lies between one nanosecond and one millisecond.</summary>
    const double SlowestCheck = 1e6;

    double nanosecondsPerTick = 1;
    long lost;
    int lostByTheLibrary;
    bool opened;

    public EventTime At(TraceEvent data) => new((long)Math.Clamp(Ticks(data) * nanosecondsPerTick, 0, Latest));

    // The property is discouraged where timestamps are mixed with wall-clock time. Here it is intended: the runtime's rules and the
    // session's clock readings use the target's monotonic clock.
#pragma warning disable CS0618
    static long Ticks(TraceEvent data) => data.TimeStampQPC;
#pragma warning restore CS0618

    /// <summary>Reports the start of the capture to the sink; call it before the first fact.</summary>
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

    /// <summary>Reports newly lost events to the sink: by the stream's count or, where the stream has none, by the library's.</summary>
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
    /// The number of events lost by the library's count; null where it is not known, since the library saturates its count when a number
    /// decreases.
    /// </summary>
    long? ByTheLibrary(EventPipeEventSource source)
    {
        var more = (long)source.EventsLost - lostByTheLibrary;
        return more < 0 || (more > 0 && source.EventsLost == int.MaxValue) ? null : more;
    }
}
