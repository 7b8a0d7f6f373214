using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>What heartbeats show for some time, not for a moment.</summary>
static class Lasting
{
    /// <summary>One reading may meet a burst that is gone a moment later; three in a row do not.</summary>
    const int Beats = 3;

    /// <summary>What lasted so recently is what somebody who looks now asks about, milliseconds.</summary>
    const double RecentMs = 30_000;

    /// <summary>Whether so many heartbeats in a row show it.</summary>
    public static bool Shows(TimelineSnapshot timeline, Func<Heartbeat, bool> it) => Shows(timeline.Heartbeats.AsSpan(), it);

    /// <summary>Whether so many heartbeats in a row have shown it lately; what was over before does not count.</summary>
    public static bool ShowsLately(TimelineSnapshot timeline, Func<Heartbeat, bool> it) =>
        Shows(timeline.Heartbeats.AsSpan()[Lately(timeline)..], it);

    /// <summary>The last run of so many heartbeats in a row that show it lately; empty where there was none.</summary>
    public static Heartbeat[] LastRun(TimelineSnapshot timeline, Func<Heartbeat, bool> it)
    {
        var beats = timeline.Heartbeats.AsSpan()[Lately(timeline)..];
        for (var end = beats.Length; end >= Beats; end--)
        {
            var first = end;
            while (first > 0 && it(beats[first - 1]))
            {
                first--;
            }

            if (end - first >= Beats)
            {
                return beats[first..end].ToArray();
            }

            end = Math.Min(end, first + 1);
        }

        return [];
    }

    // Asked at each look and frame: a day's heartbeats are not walked for the last thirty.
    static int Lately(TimelineSnapshot timeline) =>
        TimeOrder.FirstAfter(timeline.Heartbeats, timeline.Now.PlusMs(-RecentMs), beat => beat.At);

    static bool Shows(ReadOnlySpan<Heartbeat> beats, Func<Heartbeat, bool> it)
    {
        var row = 0;
        foreach (var beat in beats)
        {
            row = it(beat) ? row + 1 : 0;
            if (row == Beats)
            {
                return true;
            }
        }

        return false;
    }
}
