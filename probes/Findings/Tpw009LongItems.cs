using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Findings.Remedies;
using Tpwatch.Reports;

namespace Tpwatch.Findings;

/// <summary>Items that hold their worker for long while others wait.</summary>
sealed class Tpw009LongItems : IFinder
{
    /// <summary>Twice what the runtime's own detector takes for a pool that stands still.</summary>
    const double LongMs = 1000;

    public string Id => "TPW009";

    public string Title => "Long work items";

    public FindingMeaning Text { get; } = new(
        "The pool is made for items that complete soon. An item that holds its thread for seconds, blocked or computing, delays all "
            + "others. The pool then grows by one or two threads a second at best.",
        "Counter samples while items wait. Where enough items complete, threads per completion give the mean time of an item "
            + "(Little's law). With fewer, the longest time without a completion is a lower bound.",
        "Await instead of blocking. Give what must run for long a thread of its own (TaskCreationOptions.LongRunning, or a Thread). "
            + "Workaround: a larger MinThreads.",
        "A mean hides the spread. A few very long items among many short ones look like a medium run time.");

    public FindingCause Cause(PoolReport report) =>
        new(CauseKind.Effect, "work items that hold their worker threads for long") { OfHeldThreads = true };

    public FinderAnswer Look(PoolReport report)
    {
        var (demand, stood) = (Demand.Of(report), StoodMs(report));
        if (demand is { IsFounded: true, RunMs: >= LongMs } || (Waits.IsStarving(report) && IsLong(report.RunTime))
            || (stood >= LongMs && AnyEnded(report)))
        {
            return new FinderAnswer.Found(Describe(report, demand, stood));
        }

        return Unseen.ClearUnless(
            Unseen.Beats(report),
            stood >= LongMs ? $"a completed item: none completed in {Format.Duration(stood)}, so they are long, or hang" : null,
            Waits.IsStarving(report) && demand.SpanMs <= 0 ? Unseen.Events(report, "the waits") : null);
    }

    // Those under way took longer than a stretch in which none ended; when they began inside
    // the first reading's interval it does not count.
    static double StoodMs(PoolReport report)
    {
        var waits = new Stretches(Waits.ForWorkers(report));
        return Stall.Longest(report, UnderWay) is { } stall ? UnderWay(stall.Span) : 0;

        double UnderWay(EventSpan span) => waits.Touch(span.From, span.To) ? UnderWayMs(report.Timeline.Heartbeats, span) : 0;
    }

    static double UnderWayMs(ImmutableArray<Heartbeat> beats, EventSpan span)
    {
        var first = TimeOrder.FirstAfter(beats, span.From, b => b.At);
        var busyBefore = first > 0 && beats[first - 1] is { Backlog: > 0 };
        return span.Ms - (busyBefore ? 0 : beats[first].IntervalMs ?? 0);
    }

    static bool IsLong(Distribution? run) => run is { IsKnown: true, P90Ms: >= LongMs };

    // Only of what is long itself: that half of the items took no time does not say that others did.
    static string Measured(Distribution run) => run.P50Ms >= LongMs
        ? $"half of them for {Format.Duration(run.P50Ms)} at least, one of ten for {Format.Duration(run.P90Ms)} at least"
        : $"one of ten for {Format.Duration(run.P90Ms)} at least";

    static bool AnyEnded(PoolReport report) =>
        Waits.ForWorkers(report).FirstOrDefault() is { } first
        && report.Timeline.Heartbeats.Any(b => b.At > first.Span.From && b.Completed > 0);

    Finding Describe(PoolReport report, Demand demand, double stood)
    {
        var (from, to) = (Waits.ForWorkers(report).First().Span.From, Waits.ForWorkers(report).Last().Span.To);
        var measured = IsLong(report.RunTime);
        return new(
            Id, Title, Severity.Warning, measured || !demand.IsFounded ? Confidence.High : Confidence.Medium, from, to,
            measured ? $"While others wait, items hold their worker threads for long: {Measured(report.RunTime!)}."
            : demand is { IsFounded: true, RunMs: >= LongMs and { } ms }
                ? $"While others wait, an item holds its worker thread for about {Format.Duration(ms)} on average."
                : $"While others wait, items hold their worker threads for seconds. None completed for {Format.Duration(stood)}.",
            [
                .. demand is { IsFounded: true, RunMs: >= LongMs }
                    ? [new Evidence("Mean time an item holds its thread, about", demand.RunMs, "ms", "counter samples, by Little's law")]
                    : Array.Empty<Evidence>(),
                .. DeepEvidence.Run(report).Where(e => e.Value >= LongMs), .. DeepEvidence.Stacks(report),
                .. stood > 0 ? [new Evidence("Longest time without a completed item", stood, "ms", "heartbeat")] : Array.Empty<Evidence>(),
                new("Threads meanwhile", demand.Workers, "workers", "heartbeat"),
                new("Items completed", demand.CompletedPerSecond, "a second", "heartbeat"),
            ],
            [
                new("Await what the long items wait for, so that they free their thread meanwhile."),
                new(
                    "Give what must run for long a thread of its own, outside the pool.",
                    "Task.Factory.StartNew(…, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default), "
                        + "or new Thread(…) { IsBackground = true }"),
                MinThreadsRemedy.Of(report),
            ]);
    }
}
