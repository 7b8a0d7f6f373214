using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The cause in a few words without a tense, for a report's first line, a plain line and a table.</summary>
static class CauseWords
{
    /// <summary>The known cause: the place in the user's own code if stacks show it, else that of the finding or the verdict.</summary>
    public static string Of(PoolReport report) => (Place(report) is { } place ? place + EndlessGrowth.Of(report)?.Words : null)
        ?? LeadingFinding.Of(report)?.Cause.Words ?? OfVerdict(report);

    /// <summary>
    /// The blocked threads and the place: <c>35 worker threads blocked in Inventory.Reserve (lock)</c>; null if no stacks show a place, or
    /// the cause is another one.
    /// </summary>
    public static string? Place(PoolReport report) =>
        DeepEvidence.Main(report) is not { } main || !IsOfHeldThreads(report) ? null : main.Kind switch
        {
            BlockKind.Cpu => $"{Threads(main.Threads)} computing in {main.Where}",
            _ when main.IsOfFramework && KnownResource.Of(main) is { SaysMore: true } known =>
                $"{Threads(main.Threads)} waiting for {known.Name}",
            BlockKind.Task => $"{Threads(main.Threads)} blocked on a task in {main.Where}{Call(main)}",
            _ => $"{Threads(main.Threads)} blocked in {main.Where} ({Kind(main.Kind)})",
        };

    /// <summary>The kind of a wait as a noun.</summary>
    public static string Kind(BlockKind kind) => kind switch
    {
        BlockKind.Io => "I/O",
        BlockKind.Wait => "wait handle",
        BlockKind.Native => "native code",
        BlockKind.Unseen => "a wait that left no frame",
        BlockKind.Cpu => "computing",
        _ => Words.Of(kind),
    };

    static bool IsOfHeldThreads(PoolReport report) => report.Verdict is not (Verdict.Healthy or Verdict.NotThePool or Verdict.Undecided)
        && LeadingFinding.Of(report)?.Cause is null or { OfHeldThreads: true } or { Kind: CauseKind.NoProcessor or CauseKind.OneProcessor };

    static string OfVerdict(PoolReport report) => report.Verdict switch
    {
        Verdict.Compensated => "worker threads blocked on tasks; the pool adds threads for them",
        Verdict.Saturated => "no processor free for the worker threads",
        Verdict.Held => $"{Threads(report.MaxWorkers)} busy, and none completes a work item",
        Verdict.Wedged => "work items wait, and no worker thread takes them",
        Verdict.NotThePool => StandstillSentence.Shortly(report.Timeline).Long,
        _ => "work items waited while every worker thread was busy",
    };

    static string Threads(int? count) => count is { } known ? Format.Plural(known, "worker thread") : "worker threads";

    static string Call(Blocker blocker) => blocker.Call is { } call ? $" ({call})" : "";
}
