namespace Tpwatch.Run;

/// <summary>
/// Makes the reports for the screen, at most four times a second: events arrive in several batches a second, and a time axis of 250 ms per
/// column moves no faster. Less often if reports take longer, which they do the more data is kept.
/// </summary>
sealed class PacedReports(Func<PoolReport> report, TimeProvider time)
{
    /// <summary>The pause after a report, as a multiple of the time that it took: 200 is half a percent of a processor.</summary>
    const int Rest = 200;

    static readonly TimeSpan Least = TimeSpan.FromMilliseconds(250);

    /// <summary>Longest pause: counter samples come once a second and the screen draws every 100 ms, so no sample appears late.</summary>
    static readonly TimeSpan Most = TimeSpan.FromMilliseconds(800);

    PoolReport? last;
    long taken;
    TimeSpan pause;
    TimeSpan tookBefore;

    /// <summary>A new report, or the last one during the pause after it. Not thread-safe.</summary>
    public PoolReport Take()
    {
        if (last is not null && time.GetElapsedTime(taken) < pause)
        {
            return last;
        }

        var begun = time.GetTimestamp();
        var made = report();
        // An unchanged report cost nothing, so no pause is needed after it.
        if (!ReferenceEquals(made, last))
        {
            (last, taken) = (made, time.GetTimestamp());
            Pause(time.GetElapsedTime(begun, taken));
        }

        return made;
    }

    // The first report of a kind includes compiling its code, so the cost is the smaller one of two consecutive reports.
    void Pause(TimeSpan took)
    {
        var dear = (took < tookBefore ? took : tookBefore) * Rest;
        pause = dear < Least ? Least : dear > Most ? Most : dear;
        tookBefore = took;
    }
}
