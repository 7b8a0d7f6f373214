using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Whether the beginning of a trouble was seen. Who attaches in its middle sees from some moment on that it is there, which is no onset.
/// </summary>
static class Onset
{
    /// <summary>A counter sample and a half: what is there sooner after the capture began has mostly begun before it.</summary>
    const double AtTheStartMs = 1500;

    /// <summary>Whether it began so soon after the capture did that nothing could be seen of the time before.</summary>
    public static bool IsAtTheStart(TimelineSnapshot timeline, EventTime from) =>
        !IsWhole(timeline) && from.MsSince(timeline.Start) <= AtTheStartMs;

    /// <summary>
    /// Whether some counter sample before it shows the pool without the trouble: an empty queue; where everything hangs and nothing waits,
    /// completed items or fewer threads. Where no samples from before it are kept there is nothing to doubt it by.
    /// </summary>
    public static bool IsSeen(PoolReport report, EventTime from)
    {
        var beats = report.Timeline.Heartbeats;
        var before = beats.AsSpan()[..TimeOrder.FirstAfter(beats, from, beat => beat.At)];
        return IsWhole(report.Timeline) || (!IsAtTheStart(report.Timeline, from)
            && (before.IsEmpty || ShowsNone(before, report.Verdict == Verdict.Held, before[^1].Workers)));
    }

    // There is no time before the first instruction.
    static bool IsWhole(TimelineSnapshot timeline) => timeline.Source == SessionSource.Launched;

    static bool ShowsNone(ReadOnlySpan<Heartbeat> before, bool held, int? workers)
    {
        foreach (var beat in before)
        {
            if (held ? beat.Completed > 0 || beat.Workers < workers : beat.Backlog == 0)
            {
                return true;
            }
        }

        return false;
    }
}
