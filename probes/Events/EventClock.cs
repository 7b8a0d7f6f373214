using Microsoft.Diagnostics.Tracing;
using Tpwatch.Recordings;

namespace Tpwatch.Events;

/// <summary>
/// Translates the stream's own ticks to event time. On Linux they are nanoseconds of CLOCK_MONOTONIC already; elsewhere the frequency
/// is derived from how the library maps two tick counts to wall-clock time.
/// </summary>
/// <param name="stream">The stream.</param>
/// <param name="isOpen">Whether the capture has begun with another stream; then its beginning is not told again.</param>
sealed class EventClock(NumberedStream stream, bool isOpen = false)
{
    const long Probe = 1_000_000_000;

    /// <summary>146 years; no clock has counted so long, and no difference of two such moments runs over.</summary>
    const long Latest = long.MaxValue / 2;

    /// <summary>Ten years; nobody watches so long, but a damaged header says so.</summary>
    const double LongestMs = 10 * 365.25 * 86_400_000;

    /// <summary>Clocks tick every nanosecond to every millisecond.</summary>
    const double SlowestTick = 1e6;

    double nanosecondsPerTick = 1;
    long lost;
    int lostByTheLibrary;
    bool opened;

    public EventTime At(TraceEvent data) => new((long)Math.Clamp(Ticks(data) * nanosecondsPerTick, 0, Latest));

    // Discouraged for those who mix it with wall-clock time. Here it is the point: the target's own monotonic clock, on which the
    // runtime's rules run and which the session's clock readings share.
#pragma warning disable CS0618
    static long Ticks(TraceEvent data) => data.TimeStampQPC;
#pragma warning restore CS0618

    /// <summary>To be called before the first fact: tells the sink where the capture begins.</summary>
    public void OpenOnce(EventPipeEventSource source, TraceEvent first, IFactSink sink)
    {
        if (opened)
        {
            return;
        }

        opened = true;
        var span = source.QPCTimeToTimeStamp(Ticks(first) + Probe) - source.QPCTimeToTimeStamp(Ticks(first));
        nanosecondsPerTick = Math.Abs(span.TotalSeconds - 1) < 1e-3 || span.TotalSeconds is <= 0 or > SlowestTick ? 1 : span.TotalSeconds;
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

    /// <summary>Tells the sink when more events were lost: by the stream's count, and by the library's where that one ends.</summary>
    public void ReportLoss(EventPipeEventSource source, TraceEvent data, IFactSink sink)
    {
        var more = stream.Lost is { } counted ? counted - lost : ByTheLibrary(source);
        (lost, lostByTheLibrary) = (stream.Lost ?? lost, source.EventsLost);
        if (more != 0)
        {
            sink.On(new EventsLost(At(data), more));
        }
    }

    /// <summary>The library saturates its count when a number goes back; then it is not known, null.</summary>
    long? ByTheLibrary(EventPipeEventSource source)
    {
        var more = (long)source.EventsLost - lostByTheLibrary;
        return more < 0 || (more > 0 && source.EventsLost == int.MaxValue) ? null : more;
    }
}
