using Tpwatch.Events.Facts;
using Tpwatch.Explain.Gaps;
using Tpwatch.Timeline;

namespace Tpwatch.Explain.Rules;

/// <summary>Whether the target's threads waited for processors while items waited, by what was seen from outside the pool.</summary>
/// <param name="Share">Of the time in which items waited; 0 where nothing was seen.</param>
/// <param name="Kind">Throttled where a quota was used up, otherwise ProcessorWait.</param>
/// <param name="Late">Timed starvation injections that were at no moment the rule allows.</param>
/// <param name="Timed">All timed starvation injections.</param>
sealed record ProcessorLack(double Share, HindranceKind Kind, int Late, int Timed)
{
    /// <summary>From here on the lack of processors is worth naming as a cause of the wait.</summary>
    const double WorthNaming = 0.25;

    /// <summary>From here on it is the main cause.</summary>
    const double MainCause = 0.5;

    /// <summary>So many timed injections show whether the gate's own thread comes late, as it does where processors are short.</summary>
    const int EnoughLooks = 4;

    public bool IsThrottled => Share >= WorthNaming && Kind == HindranceKind.Throttled;

    /// <summary>
    /// A quota that was used up; or threads that waited for a processor, unless the gate, which needs one as they do, came in time all the
    /// same: then it is another thread that waits, and not what keeps the items.
    /// </summary>
    public bool IsProven => IsThrottled || (Share >= WorthNaming && (Timed < EnoughLooks || Late * 2 > Timed));

    /// <summary>Whether the gate's own thread shows it too.</summary>
    public bool IsSeenAtTheGate => IsProven && Timed >= EnoughLooks;

    public bool IsMainCause => IsProven && Share >= MainCause;

    /// <summary>The gate came at other moments than its clock says, mostly; and nothing was seen that excuses it.</summary>
    public bool IsDoubtful => !IsProven && Timed >= EnoughLooks && Late * 2 > Timed;

    public static ProcessorLack Of(PoolReport report)
    {
        double Ms(HindranceKind kind) =>
            report.Timeline.Hindrances.Where(h => h.Kind == kind && report.Episodes.Any(e => e.Span.Touches(h.Span))).Sum(h => h.Ms);
        var timed = report.Gaps.Where(g => g is { Reason: AdjustmentReason.Starvation, Verdict: GapVerdict.Fits or GapVerdict.Late or GapVerdict.Early }).ToArray();
        var (throttled, waited, all) = (Ms(HindranceKind.Throttled), Ms(HindranceKind.ProcessorWait), Math.Max(1, report.Episodes.Sum(e => e.Span.Ms)));
        // A quota comes first: somebody set it, and the wait for a processor follows from it.
        return new(
            Math.Min(1, Math.Max(throttled, waited) / all), throttled / all >= WorthNaming ? HindranceKind.Throttled : HindranceKind.ProcessorWait,
            timed.Count(g => g.Verdict != GapVerdict.Fits || g.Rule == GapRule.G12NotRunning), timed.Length);
    }
}
