using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>Hands out the limits that were read from the target's memory, each at its moment; for the reading thread.</summary>
sealed class LimitsRead(Func<ImmutableArray<InsideReading>> readings)
{
    ImmutableArray<InsideReading> looked = [];
    EventTime told = new(long.MinValue);
    EventTime next = new(long.MaxValue);

    /// <summary>The newest until then that were not handed out yet; null where there are none.</summary>
    public InsideLimits? Until(EventTime at)
    {
        // Asked for every event.
        var now = readings();
        if (now == looked && at < next)
        {
            return null;
        }

        looked = now;
        next = now.Where(r => r.At > at).Select(r => r.At).FirstOrDefault(new EventTime(long.MaxValue));
        if (now.LastOrDefault(r => r.Limits is not null && r.At > told && r.At <= at) is not { } newest)
        {
            return null;
        }

        told = newest.At;
        return newest.Limits is { MinThreads: > 0 } limits && limits.MinThreads <= limits.MaxThreads ? limits : null;
    }
}
