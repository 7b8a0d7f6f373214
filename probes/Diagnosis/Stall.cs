using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>A stretch in which items waited and none completed, by consecutive counter samples.</summary>
/// <param name="Span">Its time span.</param>
/// <param name="Added">By how many worker threads the target thread count rose in it, for blocking of either kind.</param>
/// <param name="Cpu">Mean processor use, share of all processors, 0 to 1; null when unknown.</param>
/// <param name="QueueLength">Queue length at its end.</param>
/// <param name="Lasts">Whether it continues at the last counter sample.</param>
sealed record Stall(EventSpan Span, int Added, double? Cpu, long QueueLength, bool Lasts)
{
    /// <summary>
    /// The longest stall, the last of several equal ones; null when at every counter sample an item had completed or none waited.
    /// </summary>
    public static Stall? Longest(PoolEvidence report) => Longest(report, span => span.Ms);

    /// <summary>The longest stall by a given measure; a stall with measure 0 does not count.</summary>
    public static Stall? Longest(PoolEvidence report, Func<EventSpan, double> measure)
    {
        var samples = report.Timeline.CounterSamples;
        var best = (First: 0, Last: -1, Ms: 0.0);
        for (int i = 0, first = 0; i < samples.Length; i++)
        {
            if (!Stalls(samples[i], report.Timeline.Quality))
            {
                first = i + 1;
            }
            else if (new EventSpan(Start(samples[first]), samples[i].At) is var span && measure(span) is > 0 and var ms && ms >= best.Ms)
            {
                best = (first, i, ms);
            }
        }

        return best.Last < 0 ? null : Of(report, best.First, best.Last);
    }

    static bool Stalls(CounterSample sample, CaptureQuality quality) =>
        sample is { Completed: 0, QueueLength: > 0, IntervalMs: not null }
        && (quality.LossSpans.IsEmpty || !quality.LossSpans.Any(new EventSpan(Start(sample), sample.At).Touches));

    static EventTime Start(CounterSample sample) => sample.At.PlusMs(-(sample.IntervalMs ?? 0));

    static Stall Of(PoolEvidence report, int first, int last)
    {
        var samples = report.Timeline.CounterSamples;
        var span = new EventSpan(Start(samples[first]), samples[last].At);
        var rises = report.InjectionDelays.Where(g =>
            g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking && g.End >= span.From && g.End <= span.To);
        return new(
            span, rises.Sum(g => Math.Max(0, (g.TargetThreadsAfter - g.TargetThreadsBefore) ?? 1)),
            samples[first..(last + 1)].Average(b => b.Cpu), samples[last].QueueLength ?? 0,
            last == samples.Length - 1);
    }
}
