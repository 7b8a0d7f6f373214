using Tpwatch.Reports;

namespace Tpwatch.Sessions;

/// <summary>
/// What has added up since the last reading that was published; small sums are left to grow, so that a quiet process says nothing.
/// </summary>
sealed class ProcessSums(ThreadWaits threads, ControlGroup group, MemoryUse memory)
{
    // A window of the gap ledger is 20 ms wide; what is shorter than half of it explains nothing.
    const double WorthMs = 10;

    // Of the gate alone; its lateness is judged by milliseconds.
    const double WorthOfGateMs = 3;

    // Of the time; a thread that waits longer for a processor has not just been unlucky.
    const double Crowded = 0.25;

    const double WorthOfMemory = 0.02;

    // So that a reader knows that the sampler lives, and how full memory is.
    const double SayAgainMs = 10_000;

    EventTime? published;
    EventTime now;
    ImmutableArray<QuotaUse> quotas = [];
    ImmutableArray<QuotaUse> quotasBefore = [];
    double? load;
    double? loadSaid;

    /// <summary>Whether the sums are worth a reading.</summary>
    public bool SaysSomethingNew =>
        threads.LongestMs >= WorthMs || threads.GateMs >= WorthOfGateMs || Throttled >= WorthMs
        || published is null || now.MsSince(published.Value) >= SayAgainMs
        || (load is { } l && Math.Abs(l - (loadSaid ?? -1)) >= WorthOfMemory);

    /// <summary>Whether one of its threads waited for a processor much of the time since the last reading that was published.</summary>
    public bool IsCrowded => published is { } before && threads.LongestMs > Crowded * now.MsSince(before);

    // A group stands still while any above it does; one that was throttled for long some time ago says nothing of now.
    double? Throttled => quotas.Zip(quotasBefore, (now, before) => now.Since(before)).Max();

    /// <summary>Reads everything once.</summary>
    public void Take(EventTime at)
    {
        now = at;
        threads.Take();
        quotas = group.Quotas();
        quotasBefore = quotasBefore.IsEmpty ? quotas : quotasBefore;
        load = memory.Load();
    }

    /// <summary>The sums as a reading; they begin anew.</summary>
    public ProcessReading Reading(EventTime at, StopSpan stop)
    {
        var interval = published is { } before ? at.MsSince(before) : 0;
        ProcessReading reading = new(at, interval, stop.Stopped)
        {
            StoppedSince = stop.Since,
            StoppedUntil = stop.Until,
            WaitMs = Within(threads.LongestMs, interval),
            GateWaitMs = Within(threads.GateMs, interval),
            ThrottledMs = Within(Throttled, interval),
            MemoryLoad = load is { } l ? Math.Round(l, 3) : null,
        };
        threads.BeginAnew();
        (published, quotasBefore, loadSaid) = (at, quotas, load);
        return reading;
    }

    // A group on several processors adds up their throttled times.
    static double? Within(double? ms, double interval) => ms is { } sum ? Math.Round(Math.Min(sum, interval), 3) : null;
}
