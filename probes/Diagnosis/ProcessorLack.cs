using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The lack of processors while items waited, as observed outside the pool.</summary>
/// <param name="Throttled">Share of the time with waiting items in which the processor quota was used up.</param>
/// <param name="Waited">Share of the time with waiting items in which a thread was ready but had no processor; null if unknown.</param>
/// <param name="Ran">Share of the time with waiting items in which a worker thread ran, on average.</param>
/// <param name="Late">Number of timed starvation injections that were early, late, or explained by a process that did not run.</param>
/// <param name="Timed">Number of starvation injections whose delay was judged as expected, early or late.</param>
sealed record ProcessorLack(double Throttled, double? Waited, double Ran, int Late, int Timed)
{
    /// <summary>Minimum share of time for a lack of processors to be reported.</summary>
    const double WorthNaming = 0.25;

    /// <summary>
    /// Minimum share of time that a computing thread runs or is ready to run. A thread that sleeps and wakes late on a crowded machine has
    /// half or less.
    /// </summary>
    const double Computing = 0.8;

    /// <summary>Share of the stack samples in one blocking call from which items do not wait for processors.</summary>
    const double MostlyBlocked = 0.9;

    /// <summary>Minimum number of timed injections that show whether the gate thread runs late for lack of a processor.</summary>
    const int EnoughLooks = 4;

    public bool IsThrottled => Throttled >= WorthNaming;

    /// <summary>
    /// Whether the lack is proven by a used-up quota or by threads. The threads must have run or been ready nearly all the time, and had no
    /// processor for a quarter of the time. They prove nothing if the gate thread, which needs a processor too, ran on time.
    /// </summary>
    public bool IsProven => IsThrottled || (Waited >= WorthNaming && Waited + Ran >= Computing && (Timed < EnoughLooks || IsGateLate));

    /// <summary>
    /// Whether items wait for processors, and not for worker threads or blocking calls. On a crowded machine, blocked threads also wait for
    /// processors sometimes. But if nearly all worker threads are in a blocking call, more processors would free none of them.
    /// </summary>
    public bool Explains(PoolEvidence report) => report.Verdict == Verdict.Saturated
        || (IsProven && (IsThrottled || report.MainBlocker() is not { Kind: not BlockKind.Cpu, Share: >= MostlyBlocked }));

    /// <summary>
    /// Whether other processes use the processors: threads wait for a processor, although the target's own processor use is low.
    /// </summary>
    public bool IsCrowdedOut(PoolEvidence report) =>
        IsProven && !IsThrottled && WaitingEpisodes.Cpu(report, Told(report)) < GateTiming.BusyCpu;

    /// <summary>The episodes that a lack of processors may explain: the saturated ones, or all when none is saturated.</summary>
    public static StarvedEpisode[] Told(PoolEvidence report) =>
        report.Episodes.Where(e => e.Kind == Verdict.Saturated).ToArray() is { Length: > 0 } saturated ? saturated : [.. report.Episodes];

    /// <summary>Whether the lack is proven and enough injections were timed. Without a used-up quota, most were early or late.</summary>
    public bool IsSeenAtTheGate => IsProven && Timed >= EnoughLooks;

    /// <summary>
    /// Whether a lack of processors is possible but not proven: the gate thread mostly ran at unexpected times, and no data shows whether
    /// threads waited for processors.
    /// </summary>
    public bool IsDoubtful => !IsProven && Waited is null && IsGateLate;

    bool IsGateLate => Timed >= EnoughLooks && Late * 2 > Timed;

    public static ProcessorLack Of(PoolEvidence report) =>
        new ProcessorHistory(report.Timeline, report.InjectionDelays).In(report.Episodes);
}

/// <summary>
/// The data of a capture about the target's processors, in time order. A query about one episode reads only the data of that episode, even
/// in a capture of days.
/// </summary>
sealed class ProcessorHistory(TimelineSnapshot timeline, ImmutableArray<InjectionDelay> delays)
{
    readonly ImmutableArray<Hindrance> throttled = OfKind(timeline, HindranceKind.Throttled);
    readonly ImmutableArray<Hindrance> waits = OfKind(timeline, HindranceKind.ProcessorWait);
    readonly ImmutableArray<InjectionDelay> timed =
    [
        .. delays.Where(g => g is { Reason: AdjustmentReason.Starvation,
            Verdict: DelayVerdict.AsExpected or DelayVerdict.Late or DelayVerdict.Early }),
    ];

    /// <summary>The lack of processors in the given episodes, with all timed injections of the capture.</summary>
    public ProcessorLack In(ImmutableArray<StarvedEpisode> episodes) => Of(timed.AsSpan(), episodes);

    /// <summary>The lack of processors in one episode, with the timed injections of that episode.</summary>
    public ProcessorLack In(StarvedEpisode episode)
    {
        // An injection exactly at the start of the episode belongs to the episode.
        var from = TimeOrderedSearch.FirstFrom(timed, episode.Span.From, g => g.End);
        var to = TimeOrderedSearch.FirstAfter(timed, episode.Span.To, g => g.End);
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

    // Hindrances of one kind are in time order and do not overlap.
    static double MsWithin(ImmutableArray<Hindrance> seen, EventSpan span)
    {
        var sum = 0.0;
        for (var i = TimeOrderedSearch.FirstAfter(seen, span.From, h => h.Span.To); i < seen.Length && seen[i].Span.From < span.To; i++)
        {
            sum += Within(seen[i], span);
        }

        return sum;
    }

    // Milliseconds of a hindrance inside the span. If only the total over an interval is known, the span gets a proportional part.
    static double Within(Hindrance one, EventSpan span)
    {
        var to = one.Span.To < span.To ? one.Span.To : span.To;
        var ms = to.MsSince(EventTime.Max(one.Span.From, span.From));
        return ms <= 0 || one.Span.Ms <= 0 ? 0 : one.Ms * ms / one.Span.Ms;
    }

    double RanShare(ImmutableArray<StarvedEpisode> episodes)
    {
        var samples = WaitingEpisodes.CounterSamples(timeline, episodes).ToArray();
        var workers = samples.Select(b => b.Workers).Average();
        return samples.Select(b => b.Cpu).Average() is { } cpu && timeline.Target.Processors.Value is { } processors && workers > 0
            ? Math.Min(1, cpu * processors / workers.Value) : 0;
    }
}
