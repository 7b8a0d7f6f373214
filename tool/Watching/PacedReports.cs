using Tpwatch.Reports;

namespace Tpwatch.Watching;

/// <summary>
/// What the screen is made of, at most four times a second: events come in several batches a second, a report costs a millisecond of our
/// own processor time, and an axis of a quarter of a second a column moves no faster.
/// </summary>
sealed class PacedReports(Func<PoolReport> report, TimeProvider time)
{
    static readonly TimeSpan Least = TimeSpan.FromMilliseconds(250);

    PoolReport? last;
    long taken;

    /// <summary>The newest report, or the last one while that is young enough. For one thread.</summary>
    public PoolReport Take()
    {
        if (last is null || time.GetElapsedTime(taken) >= Least)
        {
            (last, taken) = (report(), time.GetTimestamp());
        }

        return last;
    }
}
