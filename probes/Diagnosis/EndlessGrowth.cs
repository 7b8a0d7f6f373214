using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// A pool that adds threads for task waits and goes on adding them: those that wait end more slowly than new ones begin, or not at all.
/// </summary>
/// <param name="From">Worker threads when the growth was first seen.</param>
/// <param name="To">Worker threads now.</param>
/// <param name="Ms">For how long it has grown, milliseconds.</param>
/// <param name="PerSecond">Threads added a second, of late.</param>
readonly record struct EndlessGrowth(int From, int To, double Ms, double PerSecond)
{
    /// <summary>
    /// A pool adds a thread for a task wait every 25 to 250 ms (PortableThreadPool), so one that has too few of them has enough after some
    /// seconds, where the waits are of some seconds. What still grows then waits for longer, milliseconds.
    /// </summary>
    const double LongMs = 10_000;

    /// <summary>A thread a second: what comes more slowly is no growth that one need act on today.</summary>
    const double LeastPerSecond = 1;

    /// <summary>A counter sample comes each second; three of them without another thread are an end of the growth, milliseconds.</summary>
    const double StandsMs = 3_000;

    /// <summary>What grows now; null where threads were taken away within that time, or the growth is slow or over.</summary>
    public static EndlessGrowth? Of(PoolReport report)
    {
        var beats = report.Timeline.Heartbeats;
        if (report.Verdict != Verdict.Compensated || beats is not [.., { Workers: { } now } last])
        {
            return null;
        }

        var (first, workers, grownAt) = (beats.Length - 1, now, (EventTime?)null);
        while (first > 0 && beats[first - 1].Workers is { } before && before <= workers)
        {
            grownAt ??= before < workers ? beats[first].At : null;
            (first, workers) = (first - 1, before);
        }

        var ms = last.At.MsSince(beats[first].At);
        var ago = beats.First(b => last.At.MsSince(b.At) <= LongMs);
        var perSecond = (now - ago.Workers) * 1000.0 / last.At.MsSince(ago.At);
        return ms >= LongMs && perSecond >= LeastPerSecond && grownAt is { } at && last.At.MsSince(at) <= StandsMs
            ? new(workers, now, ms, perSecond.Value)
            : null;
    }

    /// <summary>As a cause goes on with it: <c>, and their number grows by 4 a second</c>.</summary>
    public string Words => string.Create(CultureInfo.InvariantCulture, $", and their number grows by {Math.Round(PerSecond)} a second");
}
