using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Finds worker threads blocked in calls that the pool cannot detect, for which the gate thread adds threads one by one.</summary>
sealed class Tpw001Starvation : IFindingRule
{
    public string Id => "TPW001";
    public string Title => "Starvation by calls the pool cannot detect";

    public FindingMeaning Text { get; } = new(
        "Locks, semaphores, events, sleeps, synchronous I/O and Task.WaitAll block a worker thread, and the pool cannot detect such "
            + "blocking.",
        "When all worker threads are blocked, only the gate thread (the pool's monitor) adds threads. The gate thread checks every 500 ms. "
            + "A check adds one thread if no item was dequeued for more than 500 ms. So the pool grows by only one or two threads a "
            + "second.",
        "Thread count adjustments, and a counter sample near each one that shows whether items waited.",
        "Find the blocking call and replace it with an asynchronous one. Workaround: set MinThreads to the number of threads that block at "
            + "once. The added threads cost memory.",
        "Items that compute while other processes use the processors look the same. Stacks tell computing items from blocked ones.");

    /// <summary>Processor use, 0 to 1, below which not all worker threads can be running.</summary>
    const double MostlyIdle = 0.3;

    /// <summary>Share of the worker threads' stack samples in running code, 0 to 1, above which the threads do not block.</summary>
    const double Computing = 0.5;

    // The confidence of the finding. 500 ms without a dequeue mean that worker threads are blocked or compute for long. Idle processors
    // exclude computing. If other processes use the processors, low processor use of the target proves nothing.
    static Confidence Sureness(PoolEvidence report, ImmutableArray<InjectionDelay> injections) =>
        new CounterSampleCoverage(report.Timeline) is var readings && !injections.Any(g => WasLookedAt(report, readings, g))
            ? Confidence.Medium
        : report.HasStacks
            || injections.Select(g => g.Cpu).Average() is < MostlyIdle && !ProcessorLack.Of(report).IsDoubtful ? Confidence.High
        : Confidence.Medium;

    /// <summary>
    /// Whether no counter sample is missing directly after an injection. A missing sample might have shown an empty queue. False until the
    /// next sample arrives; true if the capture has no samples.
    /// </summary>
    static bool WasLookedAt(PoolEvidence report, CounterSampleCoverage readings, InjectionDelay injection)
    {
        var samples = report.Timeline.CounterSamples;
        return samples.IsEmpty || (TimeOrderedSearch.FirstAfter(samples, injection.End, b => b.At) is var next && next < samples.Length
            && readings.IsNext(samples[next]));
    }

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.HiddenBlocking, "worker threads blocked in calls that the pool cannot detect") { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var injections = StarvationInjections.WhileItemsWaited(report);
        if (injections.IsEmpty)
        {
            return MissingEvidence.ClearUnless(
                MissingEvidence.Events(report, "a thread injection"),
                report is { EvictedWaits: > 0, Verdict: Verdict.Starved }
                    ? new(MissingKind.History, "the details of the thread injections were discarded to limit memory use") : null);
        }

        if (!report.HasStacks)
        {
            injections = [.. NotForProcessors(report, injections)];
        }

        return injections.IsEmpty ? new FindingRuleAnswer.Undecided(WaitingEpisodes.MissingStacksOfComputing(report))
            // Threads that compute are reported by other rules.
            : DeepEvidence.Share(report, BlockKind.Cpu) > Computing ? new FindingRuleAnswer.Clear()
            : new FindingRuleAnswer.Found(Find(report, injections));
    }

    /// <summary>Returns the injections that a lack of processors does not explain: none, those in unsaturated episodes, or all.</summary>
    static IEnumerable<InjectionDelay> NotForProcessors(PoolEvidence report, ImmutableArray<InjectionDelay> injections)
    {
        var lack = ProcessorLack.Of(report);
        var waits = WaitingEpisodes.ForWorkers(report).Select(e => e.Span).ToArray();
        return lack.IsProven && lack.Explains(report) ? []
            : lack.Explains(report) ? injections.Where(g => waits.Any(span => span.Touches(new(g.End, g.End))))
            : injections;
    }

    // The kinds of blocking that the pool cannot detect: all except task waits.
    static readonly BlockKind[] Undetected = [.. Enum.GetValues<BlockKind>().Where(kind => kind != BlockKind.Task)];

    static string Added(PoolEvidence report, ImmutableArray<InjectionDelay> injections)
    {
        var (count, growth) = (injections.Length, InjectionEffect.Of(report, StarvationInjections.IsWhileItemsWaited));
        return growth.IsNone(count)
            ? $"Work items waited, and the pool did not grow. The pool added a thread {Format.Times(count)}, "
                + $"{(count == 1 ? "" : "each ")}after hill climbing had taken one."
            : $"The pool added {Format.Plural(count, "thread")}{(count > 1 ? ", at most one per 500 ms," : "")} while work items waited."
                + (growth.GivenBack > 0
                    ? $" Of the added threads, {Format.Count(growth.GivenBack)} only replaced some that hill climbing had taken." : "");
    }

    Finding Find(PoolEvidence report, ImmutableArray<InjectionDelay> injections)
    {
        var count = injections.Length;
        var timed = injections.Where(g => g.Verdict is DelayVerdict.AsExpected or DelayVerdict.Late or DelayVerdict.Early).ToArray();
        var fits = timed.Count(g => g.Verdict == DelayVerdict.AsExpected);
        return new(
            Id, Title, count > 1 ? Severity.Serious : Severity.Warning, Sureness(report, injections),
            injections[0].Start ?? injections[0].End, injections[^1].End,
            Added(report, injections),
            [
                new("Threads that the pool added because of starvation", count, "threads", "event 55"),
                new("Injection delays as expected", timed.Length > 0 ? fits : null, $"of {timed.Length} judged", "gap ledger"),
                new("While items waited, the pool added one thread " + (count > 1 ? "about every" : "after"),
                    timed.Select(g => g.ObservedMs).Average(), "ms", "event 55") { GoesOn = true, IsEstimate = count > 1 },
                new("Processor use while items waited", injections.Select(g => g.Cpu).Average() * 100, "%", "heartbeat"),
                new("Longest queue", report.MaxQueueLength, "items", "heartbeat"),
                .. DeepEvidence.Stacks(report, Undetected), .. DeepEvidence.Delay(report), .. InsideEvidence.Queue(report),
            ],
            [
                DeepEvidence.MendUndetected(report),
                .. Tpw002SyncOverAsync.SwitchCompensationOn(report),
                MinThreadsRemedy.Of(report),
            ]);
    }
}
