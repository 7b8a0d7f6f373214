using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

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

    /// <summary>Share of the busy workers' samples.</summary>
    const double MostlyBlocked = 0.9;

    /// <summary>So many timed injections show whether the gate's own thread comes late, as it does where processors are short.</summary>
    const int EnoughLooks = 4;

    public bool IsThrottled => Throttled >= WorthNaming;

    /// <summary>
    /// A quota that was used up; or threads that were ready all the time and mostly waited, unless the gate, which needs a processor as
    /// they do, came in time all the same: then it is another thread that waits, and not what keeps the items.
    /// </summary>
    public bool IsProven => IsThrottled || (Waited >= WorthNaming && Waited + Ran >= Computing && (Timed < EnoughLooks || IsGateLate));

    /// <summary>
    /// Whether items wait for processors, not for workers or for what they block on. On a crowded machine threads wait for processors, too;
    /// but where nearly all workers are seen in a call that blocks, more processors would free none of them.
    /// </summary>
    public bool Explains(PoolReport report) => report.Verdict == Verdict.Saturated
        || (IsProven && (IsThrottled || DeepEvidence.Main(report) is not { Kind: not BlockKind.Cpu, Share: >= MostlyBlocked }));

    /// <summary>
    /// Whether it is other processes that have the processors: threads wait for one, and the process itself, as is known, does not keep
    /// them busy.
    /// </summary>
    public bool IsCrowdedOut(PoolReport report) => IsProven && !IsThrottled && Waits.Cpu(report, Told(report)) < GateTiming.BusyCpu;

    /// <summary>The episodes that a lack of processors is told of: the saturated ones, or all where none is.</summary>
    public static StarvedEpisode[] Told(PoolReport report) =>
        report.Episodes.Where(e => e.Kind == Verdict.Saturated).ToArray() is { Length: > 0 } saturated ? saturated : [.. report.Episodes];

    /// <summary>Whether the gate's own thread shows it too.</summary>
    public bool IsSeenAtTheGate => IsProven && Timed >= EnoughLooks;

    /// <summary>
    /// The gate came at other moments than its clock says, mostly, and nobody has read whether threads waited for processors.
    /// </summary>
    public bool IsDoubtful => !IsProven && Waited is null && IsGateLate;

    bool IsGateLate => Timed >= EnoughLooks && Late * 2 > Timed;

    public static ProcessorLack Of(PoolReport report) => new ProcessorRecord(report.Timeline, report.Gaps).In(report.Episodes);
}
