using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// The data of a capture about the target's processors, in time order. A query about one episode of a capture of days reads only the data
/// of that episode.
/// </summary>
sealed class ProcessorRecord(TimelineSnapshot timeline, ImmutableArray<InjectionDelay> delays)
{
    readonly ImmutableArray<Hindrance> throttled = OfKind(timeline, HindranceKind.Throttled);
    readonly ImmutableArray<Hindrance> waits = OfKind(timeline, HindranceKind.ProcessorWait);
    readonly ImmutableArray<InjectionDelay> timed =
    [
        .. delays.Where(g => g is { Reason: AdjustmentReason.Starvation,
            Verdict: DelayVerdict.AsExpected or DelayVerdict.Late or DelayVerdict.Early }),
    ];

    /// <summary>The lack in these episodes, with all injections of the capture.</summary>
    public ProcessorLack In(ImmutableArray<StarvedEpisode> episodes) => Of(timed.AsSpan(), episodes);

    /// <summary>The lack in one episode, with its own injections.</summary>
    public ProcessorLack In(StarvedEpisode episode)
    {
        // All injections at the first moment of the episode belong to it.
        var from = TimeOrder.FirstFrom(timed, episode.Span.From, g => g.End);
        var to = TimeOrder.FirstAfter(timed, episode.Span.To, g => g.End);
        return Of(timed.AsSpan(from, to - from), [episode]);
    }

    ProcessorLack Of(ReadOnlySpan<InjectionDelay> injections, ImmutableArray<StarvedEpisode> episodes)
    {
        var late = 0;
        foreach (var one in injections)
        {
            late += one.Verdict != DelayVerdict.AsExpected || one.Mechanism == Mechanism.G12NotRunning ? 1 : 0;
        }

        return new(Share(throttled, episodes) ?? 0, Share(waits, episodes), RanShare(episodes), late, injections.Length);
    }

    static ImmutableArray<Hindrance> OfKind(TimelineSnapshot timeline, HindranceKind kind) =>
        [.. timeline.Hindrances.Where(h => h.Kind == kind)];

    static double? Share(ImmutableArray<Hindrance> seen, ImmutableArray<StarvedEpisode> episodes)
    {
        var all = episodes.Sum(e => e.Span.Ms);
        return seen.IsEmpty ? null : all <= 0 ? 0 : Math.Min(1, episodes.Sum(e => MsWithin(seen, e.Span)) / all);
    }

    // Readings of one kind follow each other and do not overlap.
    static double MsWithin(ImmutableArray<Hindrance> seen, EventSpan span)
    {
        var sum = 0.0;
        for (var i = TimeOrder.FirstAfter(seen, span.From, h => h.Span.To); i < seen.Length && seen[i].Span.From < span.To; i++)
        {
            sum += Within(seen[i], span);
        }

        return sum;
    }

    // The pro-rata share of an interval's sum, by the part of the interval inside the span.
    static double Within(Hindrance one, EventSpan span)
    {
        var to = one.Span.To < span.To ? one.Span.To : span.To;
        var ms = to.MsSince(EventTime.Max(one.Span.From, span.From));
        return ms <= 0 || one.Span.Ms <= 0 ? 0 : one.Ms * ms / one.Span.Ms;
    }

    double RanShare(ImmutableArray<StarvedEpisode> episodes)
    {
        var samples = Waits.CounterSamples(timeline, episodes).ToArray();
        var workers = samples.Select(b => b.Workers).Average();
        return samples.Select(b => b.Cpu).Average() is { } cpu && timeline.Target.Processors.Value is { } processors && workers > 0
            ? Math.Min(1, cpu * processors / workers.Value) : 0;
    }
}
