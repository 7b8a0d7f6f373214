using Tpwatch.Controls;
using Tpwatch.Findings.Clues;
using Tpwatch.Render.Shared;
using Tpwatch.Reporting;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Bars;

/// <summary>What stands behind the verdict: its cause, and what to do next. It says nothing that the report does not hold.</summary>
static class VerdictLine
{
    /// <summary>A place that holds fewer of the worker threads is not the cause of all.</summary>
    const double LeastShare = 0.2;

    const string Undecided = "Undecided: ";

    const string ToDo = "6 shows what to do";

    /// <summary>The same from the longest to the shortest; the first that fits is written.</summary>
    public static IEnumerable<string> Of(Scene scene)
    {
        var (cause, brief) = Cause(scene.Report);
        foreach (var held in Held(scene.Report))
        {
            yield return Join(cause, held);
            yield return Join(brief, held);
            yield return Join(brief.Replace(" threads blocked", " blocked", StringComparison.Ordinal), held);
        }

        var action = Action(scene);
        yield return Join(cause, action);
        if (Culprit(scene.Report) is not null)
        {
            yield return Join(cause, scene.State.View == ViewName.Stacks ? "See 6" : "See 3");
            yield return cause;
        }

        yield return Join(brief, action);
        yield return Join(brief, action.Split(" (")[0]);
        yield return Join(brief, Elsewhere(scene, ToDo));
        yield return cause;
        yield return brief;
        yield return "";
    }

    /// <summary>What holds the worker threads, by stacks; null where none were taken, or none says so.</summary>
    public static Blocker? Culprit(PoolReport report) =>
        report.Verdict.IsStarvation() || report.Verdict is Verdict.Compensated or Verdict.Undecided
            ? (report.Blockers ?? []).Where(b => b.Kind != BlockKind.Cpu && b.Share >= LeastShare).MaxBy(b => b.Share)
            : null;

    // Who holds the lock is whom to look at; a holder in the same method is told from the others by its call.
    static IEnumerable<string> Held(PoolReport report)
    {
        if (Culprit(report) is not { Owner: { } owner } blocker)
        {
            yield break;
        }

        if (blocker.OwnerDoes is { } does)
        {
            var (parts, at) = (does.Split(" > "), BlockerWords.ShortName(does.Split(" > ")[0]));
            yield return $"Lock holder: {string.Join(" > ", parts.Skip(1).Prepend(at))}";
            yield return $"Lock holder: {(parts[0] == blocker.Brief ? parts[^1] : at)}";
        }
        else
        {
            yield return $"Lock holder: {owner}";
        }
    }

    static (string Long, string Brief) Cause(PoolReport report)
    {
        if (Culprit(report) is { } blocker)
        {
            var where = $"{Format.Plural(blocker.Threads, "thread")} blocked in {BlockerWords.Place(blocker)}";
            return (blocker.LeftNoFrame ? where : $"{where} ({BlockerWords.Kind(blocker)})", where);
        }

        if (Named(report) is { } named)
        {
            return named;
        }

        return report.Verdict switch
        {
            Verdict.StarvedAtMax => ($"{Threads(report)}, and MaxThreads is reached", "MaxThreads is reached"),
            Verdict.SilentlyStarved => ($"{Threads(report)}, and the pool does not detect it", Brief(report)),
            Verdict.Starved when HeadlineSentence.WaitsForTasks(report) =>
                ("worker threads wait for tasks (.Result, Wait)", "threads wait for tasks"),
            Verdict.Starved => (Threads(report), Brief(report)),
            Verdict.Wedged => ("items wait and no thread takes one", "no thread takes an item"),
            Verdict.Held => ("worker threads hang, the queue is empty", "worker threads hang"),
            Verdict.Saturated => CrowdedOut(report) ?? ComputesIn(report)
                ?? ("items wait because the processors are busy", "processors are busy"),
            Verdict.NotThePool => StandstillSentence.Shortly(report.Timeline),
            Verdict.Compensated => Compensation.IsOver(report)
                ? ("threads waited for tasks, the pool kept up", "threads waited for tasks")
                : ("threads wait for tasks, the pool keeps up", "threads wait for tasks"),
            Verdict.Healthy => Healthy(report),
            _ => Unknown(report.Headline),
        };
    }

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

    static string Action(Scene scene) => scene.Report switch
    {
        { } report when LeadingFinding.Of(report)?.Cause.Kind == CauseKind.NoProcessor => Computes(scene),
        { } report when Culprit(report) is not null && scene.State.View == ViewName.Stacks => ToDo,
        { } report when Culprit(report) is { } blocker =>
            blocker.Owner is not null ? "3 shows who holds the lock" : "3 shows the stack",
        { Verdict: Verdict.Wedged } => "Take a dump, then restart",
        { Verdict: Verdict.Saturated } => Computes(scene),
        { Verdict: Verdict.Compensated } => scene.State.OffersStacks ? Finds(scene) : "Not urgent: await the tasks",
        { Verdict: Verdict.Healthy } report => LeadingFinding.Elsewhere(report) is null
            ? "Look at what requests await, and at GC" : "Look at what they await",
        { Verdict: Verdict.Undecided } => scene.State.OffersStacks ? Finds(scene)
            : !LacksItemTimes(scene) ? "i shows which data arrives"
            : IsOfItems(scene) ? "t twice measures it" : "4, then t twice, measures it",
        { Verdict: Verdict.NotThePool } => Elsewhere(scene, "6 shows why"),
        _ => scene.State.OffersStacks ? Finds(scene) : Elsewhere(scene, ToDo),
    };

    // In the view of the findings it stands below already.
    static string Elsewhere(Scene scene, string action) => scene.State.View == ViewName.Findings ? "" : action;

    // The headline names the command that measures single items; here keys do.
    static bool LacksItemTimes(Scene scene) => scene.State is { MayMeasureItems: true, MayTakeStacks: true }
        && scene.Report.Headline.Contains(Waits.MeasureItems(scene.Report), StringComparison.Ordinal);

    // There the key measures items.
    static bool IsOfItems(Scene scene) => scene.State.View == ViewName.Latency;

    static string Finds(Scene scene) => $"{(IsOfItems(scene) ? "3, then t," : "t")} finds the call (pauses of {DepthPrice.BurstMs} ms)";

    static string Computes(Scene scene) => !scene.State.OffersStacks ? "More threads do not help"
        : $"{(IsOfItems(scene) ? "3, then t," : "t")} shows what computes";

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

    static string Join(string cause, string action) => action.Length == 0 ? cause : $"{cause}. {action}";
}
