using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Decides whether the beginning of a problem was observed. After a late attach, the first observation of the problem is not its beginning.
/// </summary>
static class StartObserved
{
    /// <summary>
    /// How soon after the start of the capture a problem has mostly begun before it, milliseconds: one and a half counter samples.
    /// </summary>
    const double AtTheStartMs = 1500;

    /// <summary>Whether the problem began so soon after the capture that the time before is unknown.</summary>
    public static bool IsAtTheStart(TimelineSnapshot timeline, EventTime from) =>
        !IsWhole(timeline) && from.MsSince(timeline.Start) <= AtTheStartMs;

    /// <summary>
    /// Whether some earlier counter sample shows the pool without the problem: an empty queue; for a hang, where no item waits, completed
    /// items or fewer worker threads. If no earlier samples are kept, the beginning counts as observed.
    /// </summary>
    public static bool IsSeen(PoolEvidence report, EventTime from)
    {
        var samples = report.Timeline.CounterSamples;
        var before = samples.AsSpan()[..TimeOrder.FirstAfter(samples, from, sample => sample.At)];
        return IsWhole(report.Timeline) || (!IsAtTheStart(report.Timeline, from)
            && (before.IsEmpty || ShowsNone(before, report.Verdict == Verdict.Held, before[^1].Workers)));
    }

    // A launched process is observed from its first instruction.
    static bool IsWhole(TimelineSnapshot timeline) => timeline.Source == SessionSource.Launched;

    static bool ShowsNone(ReadOnlySpan<CounterSample> before, bool held, int? workers)
    {
        foreach (var sample in before)
        {
            if (held ? sample.Completed > 0 || sample.Workers < workers : sample.QueueLength == 0)
            {
                return true;
            }
        }

        return false;
    }
}
