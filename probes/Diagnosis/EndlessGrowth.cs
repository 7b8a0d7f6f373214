using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// A pool that adds threads for task waits without an end: the waiting threads end more slowly than new waits begin, or not at all.
/// </summary>
/// <param name="From">Worker threads when the growth was first observed.</param>
/// <param name="To">Worker threads now.</param>
/// <param name="Ms">How long it has grown, milliseconds.</param>
/// <param name="PerSecond">Threads added per second recently.</param>
readonly record struct EndlessGrowth(int From, int To, double Ms, double PerSecond)
{
    /// <summary>
    /// How long a growth must last to be reported, milliseconds. A pool adds a thread for a task wait every 25 to 250 ms
    /// (PortableThreadPool), so a pool with too few threads has enough after some seconds, if the waits take some seconds. A pool that
    /// still grows then has longer waits.
    /// </summary>
    const double LongMs = 10_000;

    /// <summary>The slowest growth reported: one thread per second. A slower growth needs no action on that day.</summary>
    const double LeastPerSecond = 1;

    /// <summary>
    /// How long without another thread until the growth has ended, milliseconds: three counter samples, which come each second.
    /// </summary>
    const double StandsMs = 3_000;

    /// <summary>The current growth; null when threads were removed within that time, or the growth is slow or over.</summary>
    public static EndlessGrowth? Of(PoolEvidence report)
    {
        var samples = report.Timeline.CounterSamples;
        if (report.Verdict != Verdict.Compensated || samples is not [.., { Workers: { } now } last])
        {
            return null;
        }

        var (first, workers, grownAt) = (samples.Length - 1, now, (EventTime?)null);
        while (first > 0 && samples[first - 1].Workers is { } before && before <= workers)
        {
            grownAt ??= before < workers ? samples[first].At : null;
            (first, workers) = (first - 1, before);
        }

        var ms = last.At.MsSince(samples[first].At);
        var ago = samples.First(b => last.At.MsSince(b.At) <= LongMs);
        var perSecond = (now - ago.Workers) * 1000.0 / last.At.MsSince(ago.At);
        return ms >= LongMs && perSecond >= LeastPerSecond && grownAt is { } at && last.At.MsSince(at) <= StandsMs
            ? new(workers, now, ms, perSecond.Value)
            : null;
    }

    /// <summary>The growth as part of a cause: <c>, and their number grows by 4 a second</c>.</summary>
    public string Words => string.Create(CultureInfo.InvariantCulture, $", and their number grows by {Math.Round(PerSecond)} a second");
}
