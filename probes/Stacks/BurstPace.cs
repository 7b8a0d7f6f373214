namespace Tpwatch.Stacks;

/// <summary>Limits how often the target is sampled: no more than one stack burst in 5 s, and no more than 2.5 % of the time.</summary>
sealed class BurstPace(TimeProvider time)
{
    /// <summary>Minimum time from the start of one burst to the start of the next.</summary>
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The pause after a burst, as a multiple of the burst's length: a target with hundreds of threads, whose bursts take long, is sampled
    /// for 2.5 % of the time.
    /// </summary>
    const double Rest = 40;

    /// <summary>Maximum pause after failures, such as a full disk; each failure doubles the pause up to this limit.</summary>
    static readonly TimeSpan MostApart = TimeSpan.FromMinutes(2);

    TimeSpan pause = TimeSpan.Zero;
    long? last;
    int failures;

    /// <summary>Whether another burst may start.</summary>
    public bool MayBegin => last is not { } before || time.GetElapsedTime(before) >= pause;

    public void Begin() => last = time.GetTimestamp();

    /// <summary>Ends a burst; <paramref name="sampledMs"/> is the burst's length, null when the burst gave no samples.</summary>
    public void End(double? sampledMs)
    {
        failures = sampledMs is null ? failures + 1 : 0;
        var wanted = sampledMs is { } ms ? TimeSpan.FromMilliseconds(ms * Rest) : Apart * Math.Pow(2, Math.Min(failures, 10));
        pause = wanted < Apart ? Apart : wanted > MostApart && sampledMs is null ? MostApart : wanted;
    }
}
