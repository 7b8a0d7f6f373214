namespace Tpwatch.Run;

/// <summary>
/// What the screen is made of, at most four times a second: events come in several batches a second, and an axis of a quarter of a second
/// a column moves no faster. Less often where reports have become dear, for they take longer the more is kept.
/// </summary>
sealed class PacedReports(Func<PoolReport> report, TimeProvider time)
{
    /// <summary>For each moment that a report took, so many pass without one: half a percent of a processor.</summary>
    const int Rest = 200;

    static readonly TimeSpan Least = TimeSpan.FromMilliseconds(250);

    /// <summary>Counters come once a second, and the screen looks ten times in it: with a look to spare nobody sees them later.</summary>
    static readonly TimeSpan Most = TimeSpan.FromMilliseconds(800);

    PoolReport? last;
    long taken;
    TimeSpan pause;
    TimeSpan tookBefore;

    /// <summary>The newest report, or the last one while that is young enough. For one thread.</summary>
    public PoolReport Take()
    {
        if (last is not null && time.GetElapsedTime(taken) < pause)
        {
            return last;
        }

        var begun = time.GetTimestamp();
        var made = report();
        // Nothing new has cost nothing, and what comes next need not wait for it.
        if (!ReferenceEquals(made, last))
        {
            (last, taken) = (made, time.GetTimestamp());
            Pause(time.GetElapsedTime(begun, taken));
        }

        return made;
    }

    // The first report of a kind finds code to compile, once: of two in a row, the cheaper one tells what they take.
    void Pause(TimeSpan took)
    {
        var dear = (took < tookBefore ? took : tookBefore) * Rest;
        pause = dear < Least ? Least : dear > Most ? Most : dear;
        tookBefore = took;
    }
}
