using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Decides whether counter samples arrived as often as they should; a missing one might have shown something.</summary>
sealed class Readings(TimelineSnapshot timeline)
{
    /// <summary>The interval of a counter sample, as a multiple of the shortest one, from which another one is missing before it.</summary>
    const double MissingSample = 1.5;

    /// <summary>The default interval of counter samples, milliseconds; a longer interval does not show single seconds.</summary>
    const double LongestMs = 1000;

    readonly double mostMs = MissingSample * Math.Min(
        LongestMs, timeline.CounterSamples.Select(b => b.IntervalMs).Where(ms => ms > 0).DefaultIfEmpty().Min() ?? LongestMs);

    /// <summary>Whether no other sample is missing before a counter sample; unknown for the first one.</summary>
    public bool IsNext(CounterSample sample) => sample.IntervalMs <= mostMs;

    /// <summary>Whether no sample is missing in a time span.</summary>
    public bool AreWhole(EventSpan span) =>
        timeline.CounterSamples.Where(b => b.At > span.From && b.At <= span.To).All(IsNext);
}
