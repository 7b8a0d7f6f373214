using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Detects conditions that counter samples show for some time and not only for a moment.</summary>
static class Lasting
{
    /// <summary>
    /// Number of counter samples in a row. One reading may meet a burst that is gone a moment later; three in a row do not.
    /// </summary>
    const int CounterSamples = 3;

    /// <summary>How long ago a condition may have ended to count for a user who looks now, milliseconds.</summary>
    const double RecentMs = 30_000;

    /// <summary>Whether <see cref="CounterSamples"/> counter samples in a row show the condition.</summary>
    public static bool Shows(TimelineSnapshot timeline, Func<CounterSample, bool> it) => Shows(timeline.CounterSamples.AsSpan(), it);

    /// <summary>
    /// Whether <see cref="CounterSamples"/> counter samples in a row have shown the condition recently; an earlier series does not count.
    /// </summary>
    public static bool ShowsLately(TimelineSnapshot timeline, Func<CounterSample, bool> it) =>
        Shows(timeline.CounterSamples.AsSpan()[Lately(timeline)..], it);

    /// <summary>
    /// The last series of at least <see cref="CounterSamples"/> counter samples that shows the condition recently; empty when there is
    /// none.
    /// </summary>
    public static CounterSample[] LastRun(TimelineSnapshot timeline, Func<CounterSample, bool> it)
    {
        var samples = timeline.CounterSamples.AsSpan()[Lately(timeline)..];
        for (var end = samples.Length; end >= CounterSamples; end--)
        {
            var first = end;
            while (first > 0 && it(samples[first - 1]))
            {
                first--;
            }

            if (end - first >= CounterSamples)
            {
                return samples[first..end].ToArray();
            }

            end = Math.Min(end, first + 1);
        }

        return [];
    }

    // This runs for each report and frame, so it does not walk the counter samples of a day for the last thirty.
    static int Lately(TimelineSnapshot timeline) =>
        TimeOrder.FirstAfter(timeline.CounterSamples, timeline.Now.PlusMs(-RecentMs), sample => sample.At);

    static bool Shows(ReadOnlySpan<CounterSample> samples, Func<CounterSample, bool> it)
    {
        var row = 0;
        foreach (var sample in samples)
        {
            row = it(sample) ? row + 1 : 0;
            if (row == CounterSamples)
            {
                return true;
            }
        }

        return false;
    }
}
