using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Whether heartbeats came as often as they should: where one is missing, what it might have shown is not known.</summary>
sealed class Readings(TimelineSnapshot timeline)
{
    /// <summary>A heartbeat that covers this much of the shortest one has another missing before it.</summary>
    const double MissingBeat = 1.5;

    /// <summary>What counters are asked for where nobody says otherwise; a longer interval shows no single second, milliseconds.</summary>
    const double LongestMs = 1000;

    readonly double mostMs = MissingBeat * Math.Min(
        LongestMs, timeline.Heartbeats.Select(b => b.IntervalMs).Where(ms => ms > 0).DefaultIfEmpty().Min() ?? LongestMs);

    /// <summary>Whether no other is missing before a heartbeat; of the first of all nobody knows.</summary>
    public bool IsNext(Heartbeat beat) => beat.IntervalMs <= mostMs;

    /// <summary>Whether none is missing in a time.</summary>
    public bool AreWhole(EventSpan span) =>
        timeline.Heartbeats.Where(b => b.At > span.From && b.At <= span.To).All(IsNext);
}
