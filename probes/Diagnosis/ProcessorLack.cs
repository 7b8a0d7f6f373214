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
