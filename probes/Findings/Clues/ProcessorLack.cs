using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>Whether the target's threads waited for processors while items waited, by what was seen from outside the pool.</summary>
/// <param name="Throttled">Time in which a quota was used up, as a share of the time in which items waited.</param>
/// <param name="Waited">The same of the wait of the thread that waited longest; null where nobody read it.</param>
/// <param name="Ran">Share of that time in which a worker ran, on average.</param>
/// <param name="Late">Timed starvation injections that were at no moment the rule allows, or
/// that only a lack of processors excuses.</param>
/// <param name="Timed">All timed starvation injections.</param>
sealed record ProcessorLack(double Throttled, double? Waited, double Ran, int Late, int Timed)
{
    /// <summary>From here on the lack of processors is worth naming.</summary>
    const double WorthNaming = 0.25;

    /// <summary>
    /// A thread that computes runs or is ready to nearly all the time; one that sleeps and wakes late on a
    /// crowded machine is so for half of it at most.
    /// </summary>
    const double Computing = 0.8;

    /// <summary>So many timed injections show whether the gate's own thread comes late, as it does where processors are short.</summary>
    const int EnoughLooks = 4;

    public bool IsThrottled => Throttled >= WorthNaming;

    /// <summary>
    /// A quota that was used up; or threads that were ready all the time and mostly waited, unless the gate, which needs a processor as
    /// they do, came in time all the same: then it is another thread that waits, and not what keeps the items.
    /// </summary>
    public bool IsProven => IsThrottled || (Waited >= WorthNaming && Waited + Ran >= Computing && (Timed < EnoughLooks || IsGateLate));

    /// <summary>Whether the gate's own thread shows it too.</summary>
    public bool IsSeenAtTheGate => IsProven && Timed >= EnoughLooks;

    /// <summary>
    /// The gate came at other moments than its clock says, mostly, and nobody has read whether threads waited for processors.
    /// </summary>
    public bool IsDoubtful => !IsProven && Waited is null && IsGateLate;

    bool IsGateLate => Timed >= EnoughLooks && Late * 2 > Timed;

    /// <summary>In all episodes of the report.</summary>
    public static ProcessorLack Of(PoolReport report) => Of(report.Timeline, report.Gaps, report.Episodes);

    /// <summary>In these episodes.</summary>
    public static ProcessorLack Of(TimelineSnapshot timeline, IEnumerable<Gap> gaps, ImmutableArray<StarvedEpisode> episodes)
    {
        var timed = gaps
            .Where(g => g is { Reason: AdjustmentReason.Starvation, Verdict: GapVerdict.Fits or GapVerdict.Late or GapVerdict.Early })
            .ToArray();
        return new(
            Share(timeline, episodes, HindranceKind.Throttled) ?? 0, Share(timeline, episodes, HindranceKind.ProcessorWait),
            RanShare(timeline, episodes),
            timed.Count(g => g.Verdict != GapVerdict.Fits || g.Mechanism == Mechanism.G12NotRunning), timed.Length);
    }

    static double? Share(TimelineSnapshot timeline, ImmutableArray<StarvedEpisode> episodes, HindranceKind kind)
    {
        var seen = timeline.Hindrances.Where(h => h.Kind == kind).ToArray();
        var all = episodes.Sum(e => e.Span.Ms);
        return seen.Length == 0 ? null : all <= 0 ? 0 : Math.Min(1, episodes.Sum(e => seen.Sum(h => Within(h, e.Span))) / all);
    }

    // Of a sum over an interval so much as of the interval lies in the span.
    static double Within(Hindrance one, EventSpan span)
    {
        var to = one.Span.To < span.To ? one.Span.To : span.To;
        var ms = to.MsSince(EventTime.Max(one.Span.From, span.From));
        return ms <= 0 || one.Span.Ms <= 0 ? 0 : one.Ms * ms / one.Span.Ms;
    }

    static double RanShare(TimelineSnapshot timeline, ImmutableArray<StarvedEpisode> episodes)
    {
        var beats = Waits.Beats(timeline, episodes).ToArray();
        var workers = beats.Select(b => b.Workers).Average();
        return beats.Select(b => b.Cpu).Average() is { } cpu && timeline.Target.Processors.Value is { } processors && workers > 0
            ? Math.Min(1, cpu * processors / workers.Value) : 0;
    }
}
