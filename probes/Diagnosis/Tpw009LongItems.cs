using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds items that hold their worker threads for a long time while other items wait.</summary>
sealed class Tpw009LongItems : IFindingRule
{
    const double LongMs = Demand.LongMs;

    /// <summary>
    /// Tolerance for comparing the start of a wait with the start of a counter sample's interval, milliseconds. A wait starts at a counter
    /// sample, where the interval of the next sample also starts.
    /// </summary>
    const double SameMs = 1;

    public string Id => "TPW009";
    public string Title => "Long work items";

    public FindingMeaning Text { get; } = new(
        "The pool is designed for short items.",
        "An item that holds its thread for seconds, blocked or computing, delays all other items. Unless the items wait for tasks, the "
            + "pool then grows by one or two threads a second at best.",
        "Counter samples while items wait. With enough completions, the number of threads divided by the completion rate is the mean item "
            + "time (Little's law). Otherwise, running items take at least the longest time in which no item completed.",
        "Await instead of blocking. If code must run for long, give it a dedicated thread (TaskCreationOptions.LongRunning, or new "
            + "Thread). Workaround: a larger MinThreads.",
        "A mean hides extremes: a few very long items among many short ones look like items of medium length.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.Effect, "work items that hold their worker threads for seconds") { OfHeldThreads = true };

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var (demand, stood) = (Demand.Of(report), StoodMs(report));
        if (demand.LongRunMs is not null || (report.Verdict.IsWait() && IsLong(report.RunTime))
            || (stood >= LongMs && AnyEnded(report)))
        {
            return new FindingRuleAnswer.Found(Describe(report, demand, stood));
        }

        return MissingEvidence.ClearUnless(
            MissingEvidence.CounterSamples(report),
            stood >= LongMs && report.Verdict == Verdict.Wedged
                ? new(MissingKind.Stacks, "no item completed, and tpwatch cannot tell whether an item runs")
                : stood >= LongMs ? new(MissingKind.Stacks,
                    $"no item completed for {Format.Duration(stood)}, so tpwatch cannot tell slow items from hung ones",
                    Hints.OrFindOut(report)) : null,
            report.Verdict.IsWait() && demand.SpanMs <= 0 ? MissingEvidence.Events(report, "the waits") : null);
    }

    // Longest time without a completed item, milliseconds: a lower bound of the run time of items. If the items may have started inside the
    // interval of the first counter sample, that interval does not count.
    static double StoodMs(PoolEvidence report) => Stood(report) is { } span ? UnderWayMs(report.Timeline.CounterSamples, span) : 0;

    static EventSpan? Stood(PoolEvidence report)
    {
        var waits = new EpisodeIntervals(WaitingEpisodes.ForWorkers(report));
        return Stall.Longest(report, span => waits.Touch(span.From, span.To) ? UnderWayMs(report.Timeline.CounterSamples, span) : 0)?.Span;
    }

    // Whether no counter sample is missing in the longest time without a completed item. A missing one might have shown an empty queue.
    static bool IsWhole(PoolEvidence report) => Stood(report) is not { } span || new CounterSampleCoverage(report.Timeline).AreWhole(span);

    static double UnderWayMs(ImmutableArray<CounterSample> samples, EventSpan span)
    {
        var first = TimeOrderedSearch.FirstAfter(samples, span.From, b => b.At);
        var busyBefore = first > 0 && samples[first - 1] is { QueueLength: > 0 };
        return span.To.MsSince(busyBefore ? span.From : samples[first].At);
    }

    static bool IsLong(Distribution? run) => run is { IsKnown: true, P90Ms: >= LongMs };

    // The hold times in words: a median of a second or more, else the 90th percentile or the maximum.
    static string Measured(Distribution run) =>
        run.P50Ms >= LongMs && run.HasEnoughFor(LowerBounds.P50)
            ? $"Half of the {Format.Count(run.Counted)} items that started held a thread for at least {Format.Duration(run.P50Ms)}"
        : run.HasEnoughFor(LowerBounds.P90) ? $"One item in ten held a thread for at least {Format.Duration(run.P90Ms)}"
        : $"The longest item held a thread for at least {Format.Duration(run.MaxMs)}";

    // Whether items completed during the wait. A counter sample does not count if its interval starts earlier than the wait.
    static bool AnyEnded(PoolEvidence report) =>
        WaitingEpisodes.ForWorkers(report).FirstOrDefault() is { } first
        && report.Timeline.CounterSamples.Any(b =>
            b is { Completed: > 0, IntervalMs: { } interval } && b.At.PlusMs(SameMs - interval) >= first.Span.From);

    Finding Describe(PoolEvidence report, Demand demand, double stood)
    {
        var (from, to) = (WaitingEpisodes.ForWorkers(report).First().Span.From, WaitingEpisodes.ForWorkers(report).Last().Span.To);
        var measured = IsLong(report.RunTime);
        return new(
            Id, Title, Severity.Warning, measured || (!demand.IsFounded && IsWhole(report)) ? Confidence.High : Confidence.Medium, from, to,
            measured ? $"Items wait while running items hold their worker threads. {Measured(report.RunTime!)}."
            : demand.LongRunMs is { } ms
                ? $"While other items wait, a running item holds its worker thread for about {Format.Duration(ms)} on average."
                : $"While other items waited, no item completed for {Format.Duration(stood)}: running items held their threads for at "
                    + "least that time.",
            [
                new("Mean time an item holds its thread: about", demand.LongRunMs, "ms",
                    "counter samples: threads divided by the completion rate") { GoesOn = true, IsEstimate = true },
                .. DeepEvidence.Run(report).Where(e => e.Value >= LongMs), .. DeepEvidence.Stacks(report),
                DeepEvidence.AtLeast("Some items ran for", measured ? null : stood, "heartbeat"),
                new("Worker threads on average", demand.Workers, "workers", "heartbeat"),
                new("Items completed while others waited", WaitingEpisodes.CompletedPerSecond(report), "a second", "heartbeat"),
            ],
            [
                DeepEvidence.Mend(report, report.MainBlocker(),
                    "Await what the long items wait for: an item gives its thread back while it awaits."),
                new(
                    "If code must run for long, give it a dedicated thread, outside the pool.",
                    "Task.Factory.StartNew(…, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default), "
                        + "or new Thread(…) { IsBackground = true }"),
                MinThreadsRemedy.Of(report),
            ]);
    }
}
