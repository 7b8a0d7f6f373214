namespace Tpwatch.Stacks;

/// <summary>
/// How often the target may be sampled: at most one burst in some seconds, never more than a small share of the time in all.
/// </summary>
sealed class BurstPace(TimeProvider time)
{
    /// <summary>From the begin of one burst to that of the next.</summary>
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(5);

    /// <summary>
    /// A target whose bursts take long, with hundreds of threads, is left alone for so many times as long: two and a half per cent in all.
    /// </summary>
    const double Rest = 40;

    /// <summary>After a failure, such as a full disk, it is tried less and less often, up to this.</summary>
    static readonly TimeSpan MostApart = TimeSpan.FromMinutes(2);

    TimeSpan pause = TimeSpan.Zero;
    long? last;
    int failures;

    /// <summary>Whether another burst may begin.</summary>
    public bool MayBegin => last is not { } before || time.GetElapsedTime(before) >= pause;

    public void Begin() => last = time.GetTimestamp();

    /// <summary>It is over; <paramref name="sampledMs"/> is null when it brought nothing.</summary>
    public void End(double? sampledMs)
    {
        failures = sampledMs is null ? failures + 1 : 0;
        var wanted = sampledMs is { } ms ? TimeSpan.FromMilliseconds(ms * Rest) : Apart * Math.Pow(2, Math.Min(failures, 10));
        pause = wanted < Apart ? Apart : wanted > MostApart && sampledMs is null ? MostApart : wanted;
    }
}
