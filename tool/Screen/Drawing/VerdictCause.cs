using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The cause behind the verdict, for one line of the screen. It says nothing that the report does not hold.</summary>
static class VerdictCause
{
    /// <summary>A place that holds fewer of the worker threads is not the cause of all.</summary>
    const double LeastShare = 0.2;

    /// <summary>Where so many times as many threads exist now, the count of the stacks would read as if the rest were free.</summary>
    const double ManyMore = 1.1;

    const string Undecided = "Undecided: ";

    /// <summary>What holds the worker threads, by stacks; null where none were taken, or none says so.</summary>
    public static Blocker? Culprit(PoolReport report) =>
        report.Verdict.IsStarvation() || report.Verdict is Verdict.Compensated or Verdict.Undecided
            ? (report.Blockers ?? []).Where(b => b.Kind != BlockKind.Cpu && b.Share >= LeastShare).MaxBy(b => b.Share)
            : null;

    /// <summary>It, whole and in brief.</summary>
    public static (string Long, string Brief) Of(PoolReport report)
    {
        if (Culprit(report) is { } blocker)
        {
            var where = $"{Sampled(report, blocker)} blocked in {BlockerWords.Place(blocker)}";
            return (blocker.LeftNoFrame ? where : $"{where} ({BlockerWords.Kind(blocker)})", where);
        }

        if (Named(report) is { } named)
        {
            return named;
        }

        return report.Verdict switch
        {
            Verdict.StarvedAtMax => ($"{Threads(report)}, {Maximum(report)}", Maximum(report)),
            Verdict.SilentlyStarved => ($"{Threads(report)}, and the pool does not detect it", Brief(report)),
            Verdict.Starved when HeadlineSentence.WaitsForTasks(report) =>
                ("worker threads wait for tasks (.Result, Wait)", "threads wait for tasks"),
            Verdict.Starved => (Threads(report), Brief(report)),
            Verdict.Wedged => ("items wait and no thread takes one", "no thread takes an item"),
            Verdict.Held => ("worker threads hang, the queue is empty", "worker threads hang"),
            Verdict.Saturated => CrowdedOut(report) ?? ComputesIn(report)
                ?? ("items wait because the processors are busy", "processors are busy"),
            Verdict.NotThePool => StandstillSentence.Shortly(report.Timeline),
            Verdict.Compensated when EndlessGrowth.Of(report) is not null =>
                ("threads wait for tasks, and ever more of them", "ever more threads wait"),
            Verdict.Compensated => Compensation.IsOver(report)
                ? ("threads waited for tasks, the pool kept up", "threads waited for tasks")
                : ("threads wait for tasks, the pool keeps up", "threads wait for tasks"),
            Verdict.Healthy => Healthy(report),
            _ => Unknown(report.Headline),
        };
    }

    // Threads that were added since the stacks were taken are not among them.
    static string Sampled(PoolReport report, Blocker blocker) => report.IsNow && report.Timeline.Levels.Workers > blocker.Threads * ManyMore
        ? $"{Format.Plural(blocker.Threads, "sampled thread")}" : Format.Plural(blocker.Threads, "thread");

    // Whose code computes is told by the finding below; with all the processors it would do no harm.
    static (string Long, string Brief)? CrowdedOut(PoolReport report) =>
        ProcessorLack.Of(report).IsCrowdedOut(report)
            ? ("other processes keep the processors busy", "other processes use the CPU")
            : null;

    static (string Long, string Brief)? ComputesIn(PoolReport report) =>
        (report.Blockers ?? []).Where(b => b.Kind == BlockKind.Cpu && b.Share >= LeastShare).MaxBy(b => b.Share) is { } most
            ? ($"processors are busy, most threads compute in {BlockerWords.Place(most)}", $"threads compute in {BlockerWords.Place(most)}")
            : null;

    // Where a pool starves for a reason of its own, the finding below the lanes tells it, and this line tells the same.
    static (string Long, string Brief)? Named(PoolReport report) =>
        !report.Verdict.IsStarvation() ? null : LeadingFinding.Of(report)?.Cause switch
        {
            { Kind: CauseKind.NoProcessor, Words: { } words } => CrowdedOut(report) ?? (words, "no processor is free"),
            { Kind: CauseKind.OneProcessor, Words: { } words } => (words, "one processor, MinThreads 1"),
            { Kind: CauseKind.DetectorOff, Words: { } words } => (words, "detection is off"),
            { Kind: CauseKind.MemoryVeto, Words: { } words } => (words, "memory is high"),
            _ => null,
        };

    // While it lasts the newest numbers belong to it; afterwards they belong to what came then.
    static string Threads(PoolReport report)
    {
        var levels = report.Timeline.Levels;
        return !report.IsNow ? "no worker thread was free"
            : levels.Workers is not > 0 ? "no worker thread is free"
            : Computing.IsHardlySeen(levels.Cpu, report.Timeline.Target.Processors.Value, levels.Workers)
                ? $"all {Format.Count(levels.Workers.Value)} worker threads blocked"
            : $"all {Format.Count(levels.Workers.Value)} worker threads busy";
    }

    static string Maximum(PoolReport report) => AtMax.Reached(report) is not { } max ? "MaxThreads is reached"
        : report.Timeline.Target.MaxWorkers.Value is null ? $"probably MaxThreads ({Format.Count(max)}) is reached"
        : $"MaxThreads ({Format.Count(max)}) is reached";

    static string Brief(PoolReport report) => Threads(report).Replace("worker ", "", StringComparison.Ordinal);

    static (string Long, string Brief) Healthy(PoolReport report)
    {
        if (LeadingFinding.Elsewhere(report) is { Evidence: [{ Value: { } half }, ..] } slow)
        {
            var brief = $"requests take {Format.Duration(half)}";
            return ($"{brief}{(slow.Confidence == Confidence.High ? ", and hold no thread" : "")}", brief);
        }

        var seen = Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start));
        return report.Timeline.Heartbeats.All(b => b.Completed is null or 0) && report.MaxBacklog is null or 0
            ? ($"no item came in {seen}", "no item came")
            : ($"no queue time of 1 s or more in {seen}", "no queue time of 1 s or more");
    }

    static (string Long, string Brief) Unknown(string headline)
    {
        var first = headline.StartsWith(Undecided, StringComparison.Ordinal) ? headline[Undecided.Length..] : headline;
        var whole = first.Split(". To ")[0].TrimEnd('.');
        return (whole, whole.Split([". ", ": ", "; ", ", "], StringSplitOptions.None)[0]);
    }
}
