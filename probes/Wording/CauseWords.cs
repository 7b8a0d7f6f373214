using Tpwatch.Reports;

namespace Tpwatch.Wording;

/// <summary>
/// Builds short texts about the cause of a verdict. <see cref="Of"/> is for reports, plain lines and tables. <see cref="Shortly"/> is for
/// one line of the screen.
/// </summary>
static class CauseWords
{
    /// <summary>Ratio of existing to sampled worker threads above which the text says "sampled threads".</summary>
    const double ManyMore = 1.1;

    /// <summary>Number of busy processors per worker thread below which the threads count as blocked instead of computing.</summary>
    const double Hardly = 0.25;

    /// <summary>
    /// Returns the cause: the place in the user's code if stacks show one, else the leading finding's cause, else words for the verdict.
    /// </summary>
    public static string Of(PoolReport report) => (Place(report) is { } place ? place + Growth(EndlessGrowth.Of(report)) : null)
        ?? LeadingFinding.Of(report.Findings)?.Cause.Words ?? report.Verdict switch
        {
            Verdict.Compensated => "worker threads blocked on tasks; the pool adds threads for them",
            Verdict.Saturated => "no processor free for the worker threads",
            Verdict.Held => $"{WorkerThreads(report.MaxWorkers)} busy, and none completes a work item",
            Verdict.Wedged => "work items wait, and no worker thread takes them",
            Verdict.NotThePool => StandstillWords.Shortly(report.Timeline).Long,
            _ => "work items waited while every worker thread was busy",
        };

    /// <summary>
    /// Returns how many worker threads are blocked or compute, and where: <c>35 worker threads blocked in Inventory.Reserve (lock)</c>.
    /// Null if no stacks show a place, or if the leading finding names a cause other than held threads.
    /// </summary>
    public static string? Place(PoolReport report) =>
        report.MainBlocker() is not { } main || !IsOfHeldThreads(report) ? null : main.Kind switch
        {
            BlockKind.Cpu => $"{WorkerThreads(main.Threads)} computing in {main.Where}",
            _ when main.IsOfFramework && KnownResource.Of(main) is { SaysMore: true } known =>
                $"{WorkerThreads(main.Threads)} waiting for {known.Name}",
            BlockKind.Task => $"{WorkerThreads(main.Threads)} blocked on a task in {main.Where}"
                + (main.Call is { } call ? $" ({call})" : ""),
            _ => $"{WorkerThreads(main.Threads)} blocked in {main.Where} ({BlockingPlaceWords.Kind(main.Kind)})",
        };

    /// <summary>Returns the growth of the number of threads, <c>, and their number grows by 4 a second</c>; empty without growth.</summary>
    public static string Growth(EndlessGrowth? grows) => grows is not { PerSecond: var more } ? ""
        : FormattableString.Invariant($", and their number grows by {Math.Round(more)} a second");

    static bool IsOfHeldThreads(PoolReport report) => report.Verdict is not (Verdict.Healthy or Verdict.NotThePool or Verdict.Undecided)
        && LeadingFinding.Of(report.Findings)?.Cause
            is null or { OfHeldThreads: true } or { Kind: CauseKind.NoProcessor or CauseKind.OneProcessor };

    static string WorkerThreads(int? count) => count is { } known ? Format.Plural(known, "worker thread") : "worker threads";

    /// <summary>Returns the cause for one line of the screen, in full and in brief.</summary>
    public static (string Long, string Brief) Shortly(PoolReport report)
    {
        if (BlockingPlaceWords.Culprit(report) is { } blocker)
        {
            var where = $"{Sampled(report, blocker)} blocked in {BlockingPlaceWords.Place(blocker)}";
            return (blocker.LeftNoFrame ? where : $"{where} ({BlockingPlaceWords.Kind(blocker)})", where);
        }

        return Named(report) ?? report.Verdict switch
        {
            Verdict.StarvedAtMax => ($"{Threads(report)}, {Maximum(report)}", Maximum(report)),
            Verdict.SilentlyStarved => ($"{Threads(report)}, and the pool does not detect it", Threads(report, "")),
            Verdict.Starved when HeadlineWords.WaitsForTasks(report) =>
                ("worker threads wait for tasks (.Result, Wait)", "threads wait for tasks"),
            Verdict.Starved => (Threads(report), Threads(report, "")),
            Verdict.Wedged => ("items wait and no thread takes one", "no thread takes an item"),
            Verdict.Held => ("worker threads hang, the queue is empty", "worker threads hang"),
            Verdict.Saturated => CrowdedOut(report) ?? ComputesIn(report)
                ?? ("items wait because the processors are busy", "processors are busy"),
            Verdict.NotThePool => StandstillWords.Shortly(report.Timeline),
            Verdict.Compensated when EndlessGrowth.Of(report) is not null =>
                ("threads wait for tasks, and ever more of them", "ever more threads wait"),
            Verdict.Compensated => VerdictWords.IsCompensationOver(report)
                ? ("threads waited for tasks, the pool kept up", "threads waited for tasks")
                : ("threads wait for tasks, the pool keeps up", "threads wait for tasks"),
            Verdict.Healthy => Healthy(report),
            _ => report.Lack is { } lack ? ((lack.First + lack.Rest).TrimEnd('.'), lack.First) : (report.Headline, report.Headline),
        };
    }

    // Says "sampled threads" if more threads exist now, because the pool has added threads since the stack burst.
    static string Sampled(PoolReport report, Blocker blocker) => Format.Plural(
        blocker.Threads, report.IsNow && report.Timeline.Levels.Workers > blocker.Threads * ManyMore ? "sampled thread" : "thread");

    // Returns the cause if other processes use the processors, else null.
    static (string Long, string Brief)? CrowdedOut(PoolReport report) =>
        report.IsCrowdedOut
            ? ("other processes keep the processors busy", "other processes use the CPU")
            : null;

    static (string Long, string Brief)? ComputesIn(PoolReport report) => BlockingPlaceWords.Largest(report, computes: true) is { } most
        ? ($"processors are busy, most threads compute in {BlockingPlaceWords.Place(most)}",
            $"threads compute in {BlockingPlaceWords.Place(most)}")
        : null;

    // Returns the leading finding's cause if the verdict is a starvation and the cause is one of the kinds below, else null.
    static (string Long, string Brief)? Named(PoolReport report) =>
        !report.Verdict.IsStarvation() ? null : LeadingFinding.Of(report.Findings)?.Cause switch
        {
            { Kind: CauseKind.NoProcessor, Words: { } words } => CrowdedOut(report) ?? (words, "no processor is free"),
            { Kind: CauseKind.OneProcessor, Words: { } words } => (words, "one processor, MinThreads 1"),
            { Kind: CauseKind.DetectorOff, Words: { } words } => (words, "detection is off"),
            { Kind: CauseKind.HighMemory, Words: { } words } => (words, "memory is high"),
            _ => null,
        };

    // Says how many worker threads are blocked or busy. When the starvation is over, the current number is left out.
    static string Threads(PoolReport report, string kind = "worker ")
    {
        var levels = report.Timeline.Levels;
        return !report.IsNow ? $"no {kind}thread was free"
            : levels.Workers is not > 0 ? $"no {kind}thread is free"
            : HardlyCompute(levels.Cpu, report.Timeline.Target.Processors.Value, levels.Workers)
                ? $"all {Format.Count(levels.Workers.Value)} {kind}threads blocked"
            : $"all {Format.Count(levels.Workers.Value)} {kind}threads busy";
    }

    /// <summary>Whether fewer processors are busy than a quarter of the number of threads; false if an argument is null.</summary>
    /// <param name="cpu">Used share of all processors, 0 to 1.</param>
    /// <param name="processors">Number of processors.</param>
    /// <param name="threads">Number of worker threads.</param>
    public static bool HardlyCompute(double? cpu, int? processors, long? threads) => cpu * processors < Hardly * threads;

    static string Maximum(PoolReport report) => AtMax.Reached(report) is not { } max ? "MaxThreads is reached"
        : $"{(report.Timeline.Target.MaxWorkers.Value is null ? "probably " : "")}MaxThreads ({Format.Count(max)}) is reached";

    static (string Long, string Brief) Healthy(PoolReport report)
    {
        if (LeadingFinding.Elsewhere(report.Findings) is { Evidence: [{ Value: { } half }, ..] } slow)
        {
            var brief = $"requests take {Format.Duration(half)}";
            return ($"{brief}{(slow.Confidence == Confidence.High ? ", and hold no thread" : "")}", brief);
        }

        var seen = Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start));
        return report.Timeline.CounterSamples.All(b => b.Completed is null or 0) && report.MaxQueueLength is null or 0
            ? ($"no item came in {seen}", "no item came")
            : ($"no queue time of 1 s or more in {seen}", "no queue time of 1 s or more");
    }
}

/// <summary>Builds texts about the code that holds the worker threads: the place, the call, and what the threads wait for.</summary>
static class BlockingPlaceWords
{
    /// <summary>Minimum share of the stack samples of worker threads that a place must have to be named as the cause.</summary>
    const double LeastShare = 0.2;

    /// <summary>Returns where most worker threads are blocked; null if unknown, or if the verdict does not mean blocked threads.</summary>
    public static Blocker? Culprit(PoolReport report) =>
        report.Verdict.IsStarvation() || report.Verdict is Verdict.Compensated or Verdict.Undecided
            ? Largest(report, computes: false) : null;

    /// <summary>Returns where most threads compute, or where most wait; null if the share of samples there is too small.</summary>
    public static Blocker? Largest(PoolReport report, bool computes) => (report.Blockers ?? [])
        .Where(b => (b.Kind == BlockKind.Cpu) == computes && b.Share >= LeastShare).MaxBy(b => b.Share);

    /// <summary>Returns the number of blocked threads and the place in the fewest words.</summary>
    public static string Shortest(Blocker blocker) =>
        $"{(blocker.Threads == 1 ? "1 thread" : Format.Count(blocker.Threads))} blocked in {Place(blocker)}";

    /// <summary>Returns the place: the method; the route if a delegate has no name; the blocking call if a method has no frame.</summary>
    public static string Place(Blocker blocker) => blocker switch
    {
        { IsNameless: true, Route: { } route } => route,
        { LeftNoFrame: true, Call: { } call } => call,
        { IsNameless: true } or { LeftNoFrame: true } => blocker.Frame,
        // The entry point maps this lambda to a route. "Program.Main" would look like the start of the program.
        { Route: { } route, IsLambda: true, Plain: "Program.Main" } => route,
        _ => blocker.Plain,
    };

    /// <summary>Returns place, wait and number of threads: <c>OrderRepo.Load > SemaphoreSlim.Wait (wait), 12 worker threads</c>.</summary>
    public static string InFull(Blocker blocker, WaitsFor all) =>
        $"{blocker.Chain} ({(blocker.Kind == BlockKind.Unseen ? Kind(blocker.Kind) : Word(blocker.Kind))}"
        + $"{(Resource(blocker, all) is { } resource ? $": {resource}" : "")}"
        + $"{(blocker.Kind == BlockKind.Task ? " wait, which the pool detects" : "")}), "
        + $"{Threads(blocker)}{(OtherWaits(blocker) is { } others ? $"; {others}" : "")}"
        + (blocker.Owner is { } owner ? $"; the lock is held by {owner}"
            : blocker.PastLock is { } past ? $". {ProbableHolder(past)}"
            : blocker.LeftNoFrame ? $". {NoFrame(blocker).TrimEnd('.')}"
            : "");

    // With several stack bursts, the number of threads is that of the burst with the most threads, so the text says "at most".
    static string Threads(Blocker blocker) => blocker.OverTime.Length > 1
        ? $"at most {Format.Plural(blocker.Threads, "worker thread")} at once" : Format.Plural(blocker.Threads, "worker thread");

    /// <summary>Returns sentences about the call, the awaited resource, other waits and the lock's holder, one for each if known.</summary>
    public static IEnumerable<string> Notes(Blocker blocker, WaitsFor? all) => new[]
    {
        blocker.Call is { } call ? $"The call that blocks: {call}." : null,
        Resource(blocker, all) is { } resource ? $"The threads wait for {resource}." : null,
        OtherWaits(blocker) is { } others ? $"{others}." : null,
        blocker.Owner is { } owner ? $"The lock is held by {owner}."
            : blocker.PastLock is { } past ? $"{ProbableHolder(past)}." : null,
        blocker.LeftNoFrame ? NoFrame(blocker) : null,
    }.OfType<string>();

    /// <summary>Returns the resource that the threads wait for; null if unknown, or if the name of the call already says as much.</summary>
    public static string? Resource(Blocker blocker, WaitsFor? all) =>
        KnownResource.Of(blocker, all) is { SaysMore: true } known ? known.Name : null;

    // Says why the calling method is not on the stack, and where the user can search for the method.
    static string NoFrame(Blocker blocker) =>
        "The calling method is not on the stack. It may end with this call, which then replaces its frame (tail call). "
            + "Or the compiler inlined it into the thread pool's code."
            + (blocker.Call is { } call ? $" Search your code for work items that call {call}." : "");

    /// <summary>Returns the blocking call, or the kind of wait in one or two words.</summary>
    public static string Kind(Blocker blocker) => blocker switch
    {
        { Kind: not BlockKind.Lock, Call: { } call } => call,
        { Kind: BlockKind.Task } => "task wait",
        { Kind: BlockKind.Wait or BlockKind.Unseen } => "wait",
        { Kind: BlockKind.Cpu } => "native code",
        _ => Kind(blocker.Kind),
    };

    /// <summary>Returns the kind of a wait as a noun.</summary>
    public static string Kind(BlockKind kind) => kind switch
    {
        BlockKind.Io => "I/O",
        BlockKind.Wait => "wait handle",
        BlockKind.Native => "native code",
        BlockKind.Unseen => "a wait that left no frame",
        BlockKind.Cpu => "computing",
        _ => Word(kind),
    };

    /// <summary>Returns the kind of a wait in one word: <c>lock</c>.</summary>
    public static string Word(BlockKind kind) => kind.ToString().ToLowerInvariant();

    /// <summary>Returns a sentence that says how the pool reacts to a kind of wait.</summary>
    public static string ToThePool(BlockKind kind) => kind switch
    {
        BlockKind.Task => "The pool detects this wait and adds threads for it, one every 25 to 250 ms.",
        BlockKind.Cpu => "These threads computed.",
        _ => "The pool cannot detect that this call blocks, so the pool adds threads slowly or not at all.",
    };

    /// <summary>The place as part of a sentence: <c>a lambda in Orders.Run > Thread.Sleep</c>.</summary>
    public static string PlaceWithArticle(Blocker blocker) => $"{(blocker is { IsLambda: true, Route: null } ? "a " : "")}{blocker.Chain}";

    /// <summary>
    /// Other resources that threads wait for at a place, <c>33% of them wait for a connection of HttpClient's connection pool</c>; null
    /// when there are none.
    /// </summary>
    public static string? OtherWaits(Blocker blocker)
    {
        // At a lock, other waits are not named, because one of them may be the wait of the lock holder.
        var others = (blocker.Kind == BlockKind.Lock ? [] : blocker.Waits)
            .Where(w => w.Share >= Blocker.WorthNaming && w.Resource != blocker.Resource)
            .Select(w => (w.Share, Known: KnownResource.Of(blocker with { Resource = w.Resource }))).Where(w => w.Known.SaysMore)
            .Select(w => $"{Format.Percent(w.Share)} of them wait for {w.Known.Name}").ToArray();
        return others.Length == 0 ? null : string.Join(", ", others);
    }

    /// <summary>The sentence about the probable holder of a lock, by stacks, if the owner is unknown; without a full stop.</summary>
    public static string ProbableHolder(ThreadActivity past) =>
        $"One thread in the same method does not wait for the lock and probably holds it: {past}";
}

/// <summary>The sentences about hindrances that kept the process from running.</summary>
static class StandstillWords
{
    /// <summary>The observed kinds with their totals, milliseconds: largest first, but processor waits of single threads last.</summary>
    public static ImmutableArray<(HindranceKind Kind, double Ms)> Kinds(TimelineSnapshot timeline) =>
        [.. timeline.Totals.Where(t => t.Ms > 0).Select(t => (t.Kind, t.Ms))
            .OrderBy(k => k.Kind == HindranceKind.ProcessorWait).ThenByDescending(k => k.Ms)];

    /// <summary>Cause and duration: <c>The runtime suspended all threads for 9.6 s of 20.0 s, mostly for garbage collections</c>.</summary>
    public static string Of(TimelineSnapshot timeline) => Lasting(timeline, Words(Kinds(timeline)[0].Kind).Sentence);

    /// <summary>Cause and duration in brief, <c>the runtime stopped all threads for 9.6 s of 20.0 s</c>, and the cause alone.</summary>
    public static (string Long, string Brief) Shortly(TimelineSnapshot timeline) =>
        Kinds(timeline) is [var top, ..] && Words(top.Kind).Brief is var brief
            ? (Lasting(timeline, brief), brief) : ("the process itself did not run", "the process did not run");

    static string Lasting(TimelineSnapshot timeline, string what) =>
        $"{what} for {Format.Duration(Kinds(timeline)[0].Ms)} of {Format.Duration(timeline.CaptureMs)}"
            + (Kinds(timeline)[0].Kind == HindranceKind.Suspension ? ", mostly for garbage collections" : "");

    /// <summary>Texts for a kind: the start of a sentence, a short form, the evidence and its source, and the process state.</summary>
    public static (string Sentence, string Brief, string Evidence, string Source, string State) Words(HindranceKind kind) => kind switch
    {
        HindranceKind.Suspension => ("The runtime suspended all threads", "the runtime stopped all threads",
            "Suspended by the runtime, mostly for garbage collections", "suspension events",
            "suspended by the runtime (garbage collection)"),
        HindranceKind.Stopped => ("A signal, a debugger or a paused container stopped the process", "the process was stopped",
            "Stopped by a signal, debugger or paused container", "state of the process", "stopped"),
        HindranceKind.Throttled => (
            "The used-up processor quota of its control group throttled the process", "the processor quota was used up",
            "Throttled because the processor quota of its control group was used up", "control group",
            "throttled by its processor quota"),
        _ => ("A thread of the process was ready to run, but had no processor", "threads found no free processor",
            "A thread was ready to run, but had no processor", "scheduler statistics", "ready, but without a processor"),
    };

    /// <summary>Returns the state of the process or of its thread during a hindrance.</summary>
    public static string Kind(HindranceKind kind) => Words(kind).State;

    /// <summary>Returns the sentence about a delay that is not judged because the process was stopped.</summary>
    public static string Stopped(DateTime from, DateTime to) =>
        $"The process was stopped from {Format.Utc(from)} to {Format.Utc(to)}. {NotJudged}";

    /// <summary>Returns the sentence about a delay that is not judged because no event came for a long time.</summary>
    public static string StoodStill(DateTime from, DateTime to, double ms) =>
        $"No event came from {Format.Utc(from)} to {Format.Utc(to)} ({Format.Duration(ms)}), so the process stood still. {NotJudged}";

    const string NotJudged = "tpwatch does not judge a delay across that time.";

    /// <summary>Returns the sentence that explains a late injection by hindrances of the process.</summary>
    public static string DidNotRun(List<(HindranceKind Kind, double Ms)> causes, bool isOfTheGate) =>
        causes is [{ Kind: HindranceKind.ProcessorWait, Ms: var ms }]
            ? $"Around that time, {(isOfTheGate ? "the gate thread" : "a thread of the process")} "
                + $"was ready but had no processor for {Format.Duration(ms)}."
            : "The process did not run at that moment: "
                + $"{string.Join(", ", causes.Select(c => $"{Kind(c.Kind)} for {Format.Duration(c.Ms)}"))}.";

    /// <summary>Returns the hindrance because of which a gate check did not run, and its length.</summary>
    public static string OfGate(HindranceKind kind, double ms) => $"the gate thread did not run: {Kind(kind)} for {Format.Duration(ms)}";
}
