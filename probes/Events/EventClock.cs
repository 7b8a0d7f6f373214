using Microsoft.Diagnostics.Tracing;
using Tpwatch.Events.Facts;

namespace Tpwatch.Events;

/// <summary>
/// Translates the stream's own ticks to event time. On Linux they are nanoseconds of CLOCK_MONOTONIC already; elsewhere the frequency
/// is derived from how the library maps two tick counts to wall-clock time.
/// </summary>
sealed class EventClock
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
        var believed = Math.Abs(first.TimeStampRelativeMSec) <= LongestMs;
        var start = believed ? At(first).PlusMs(-first.TimeStampRelativeMSec) : At(first);
        sink.On(new Facts.StreamOpened(start, source.SessionStartTime.ToUniversalTime(), source.NumberOfProcessors));
        if (!believed)
        {
            sink.On(new Facts.EventUndecodable(start, "impossible start time of the event stream"));
        }
    }

    /// <summary>Tells the sink when the library's count of lost events has grown.</summary>
    public void ReportLoss(EventPipeEventSource source, TraceEvent data, IFactSink sink)
    {
        var now = source.EventsLost;
        if (now == lost)
        {
            return;
        }

        // The library saturates the count when a sequence number goes backwards, which also happens when a thread id is reused.
        var unknown = now == int.MaxValue || now < lost;
        sink.On(new Facts.EventsLost(At(data), unknown ? null : now - lost));
        lost = now;
    }
}
