namespace Tpwatch.Run;

/// <summary>
/// Makes the reports for the screen, with a maximum of four per second. Events arrive in several batches a second, and a time axis of 250
/// ms per column moves no faster. Reports are rarer if a report takes longer, as it does when more data is kept.
/// </summary>
sealed class PacedReports(Func<PoolReport> report, TimeProvider time)
{
    /// <summary>Pause after a report, as a multiple of the time that the report took: 200 means half a percent of a processor.</summary>
    const int Rest = 200;

    static readonly TimeSpan Least = TimeSpan.FromMilliseconds(250);

    /// <summary>Longest pause. Counter samples come once a second and the screen draws every 100 ms, so no sample appears late.</summary>
    static readonly TimeSpan Most = TimeSpan.FromMilliseconds(800);

    PoolReport? last;
    long taken;
    TimeSpan pause;
    TimeSpan tookBefore;

    /// <summary>Returns a new report, or during the pause the last one. Not thread-safe.</summary>
    public PoolReport Take()
    {
        if (last is not null && time.GetElapsedTime(taken) < pause)
        {
            return last;
        }

        var begun = time.GetTimestamp();
        var made = report();
        // An unchanged report cost nothing, so no pause follows.
        if (!ReferenceEquals(made, last))
        {
            (last, taken) = (made, time.GetTimestamp());
            Pause(time.GetElapsedTime(begun, taken));
        }

        return made;
    }

    // The first report of a kind includes compilation, so the cost is the smaller duration of two consecutive reports.
    void Pause(TimeSpan took)
    {
        var dear = (took < tookBefore ? took : tookBefore) * Rest;
        pause = dear < Least ? Least : dear > Most ? Most : dear;
        tookBefore = took;
    }
}
