using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The lack of processors while items waited, by observations outside the pool.</summary>
/// <param name="Throttled">Time with a used-up quota, as a share of the time in which items waited.</param>
/// <param name="Waited">Processor wait of the thread that waited longest, as a share of that time; null when it was not read.</param>
/// <param name="Ran">Share of that time in which a worker thread ran, on average.</param>
/// <param name="Late">Timed starvation injections at times that the rule does not allow, or that only a lack of processors excuses.</param>
/// <param name="Timed">All timed starvation injections.</param>
sealed record ProcessorLack(double Throttled, double? Waited, double Ran, int Late, int Timed)
{
    /// <summary>The share from which the lack of processors is reported.</summary>
    const double WorthNaming = 0.25;

    /// <summary>
    /// The share of time that a computing thread runs or is ready: nearly all. A thread that sleeps and wakes late on a crowded machine
    /// does so for half of the time at most.
    /// </summary>
    const double Computing = 0.8;

    /// <summary>The share of the samples of busy worker threads that must be blocked.</summary>
    const double MostlyBlocked = 0.9;

    /// <summary>The number of timed injections that show whether the gate thread runs late, as it does when processors are short.</summary>
    const int EnoughLooks = 4;

    public bool IsThrottled => Throttled >= WorthNaming;

    /// <summary>
    /// Whether the lack is proven: a quota was used up; or threads ran or were ready nearly all the time and waited for a quarter of it or
    /// more. If the gate thread, which needs a processor too, was on time anyway, the wait is that of another thread and does not delay
    /// the items.
    /// </summary>
    public bool IsProven => IsThrottled || (Waited >= WorthNaming && Waited + Ran >= Computing && (Timed < EnoughLooks || IsGateLate));

    /// <summary>
    /// Whether items wait for processors, and not for worker threads or blocking calls. On a crowded machine threads wait for processors
    /// too, but if nearly all worker threads are in a blocking call, more processors would free none of them.
    /// </summary>
    public bool Explains(PoolEvidence report) => report.Verdict == Verdict.Saturated
        || (IsProven && (IsThrottled || DeepEvidence.Main(report) is not { Kind: not BlockKind.Cpu, Share: >= MostlyBlocked }));

    /// <summary>
    /// Whether other processes use the processors: threads wait for one, and the process itself is known not to keep them busy.
    /// </summary>
    public bool IsCrowdedOut(PoolEvidence report) => IsProven && !IsThrottled && Waits.Cpu(report, Told(report)) < GateTiming.BusyCpu;

    /// <summary>The episodes that a lack of processors applies to: the saturated ones, or all when there are none.</summary>
    public static StarvedEpisode[] Told(PoolEvidence report) =>
        report.Episodes.Where(e => e.Kind == Verdict.Saturated).ToArray() is { Length: > 0 } saturated ? saturated : [.. report.Episodes];

    /// <summary>Whether the gate thread shows the lack too.</summary>
    public bool IsSeenAtTheGate => IsProven && Timed >= EnoughLooks;

    /// <summary>
    /// Whether a lack is possible but not proven: the gate thread mostly ran at unexpected times, and no reading shows whether threads
    /// waited for processors.
    /// </summary>
    public bool IsDoubtful => !IsProven && Waited is null && IsGateLate;

    bool IsGateLate => Timed >= EnoughLooks && Late * 2 > Timed;

    public static ProcessorLack Of(PoolEvidence report) => new ProcessorRecord(report.Timeline, report.InjectionDelays).In(report.Episodes);
}

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
