using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>What heartbeats show for some time, not for a moment.</summary>
static class Lasting
{
    /// <summary>One reading may meet a burst that is gone a moment later; three in a row do not.</summary>
    const int Beats = 3;

    /// <summary>Whether so many heartbeats in a row show it.</summary>
    public static bool Shows(TimelineSnapshot timeline, Func<Heartbeat, bool> it)
    {
        var row = 0;
        foreach (var beat in timeline.Heartbeats)
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
