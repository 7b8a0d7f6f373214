namespace Tpwatch.Watching;

/// <summary>
/// What the screen is made of, at most four times a second: events come in several batches a second, and an axis of a quarter of a second
/// a column moves no faster. Less often where a report has become dear, for it takes longer the more is kept.
/// </summary>
sealed class PacedReports(Func<PoolReport> report, TimeProvider time)
{
    /// <summary>For each moment that a report took, so many pass without one: half a percent of a processor.</summary>
    const int Rest = 200;

    static readonly TimeSpan Least = TimeSpan.FromMilliseconds(250);

    /// <summary>Counters come once a second; nobody shall see them later.</summary>
    static readonly TimeSpan Most = TimeSpan.FromSeconds(1);

    PoolReport? last;
    long taken;
    TimeSpan pause;

    /// <summary>The newest report, or the last one while that is young enough. For one thread.</summary>
    public PoolReport Take()
    {
        if (last is null || time.GetElapsedTime(taken) >= pause)
        {
            var begun = time.GetTimestamp();
            last = report();
            taken = time.GetTimestamp();
            var dear = time.GetElapsedTime(begun, taken) * Rest;
            pause = dear < Least ? Least : dear > Most ? Most : dear;
        }

        return last;
    }
}
