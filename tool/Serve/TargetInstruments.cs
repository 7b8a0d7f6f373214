using Kind = Tpwatch.Serve.InstrumentKind;
using OfTarget = Tpwatch.Serve.Instrument<Tpwatch.Serve.TargetState>;

namespace Tpwatch.Serve;

/// <summary>The instruments of a watched process. What is not known has no value, never 0.</summary>
static class TargetInstruments
{
    /// <summary>The words of verdicts in labels, as a report in JSON has them.</summary>
    static readonly ImmutableArray<KeyValuePair<Verdict, string>> Verdicts = [.. Enum.GetValues<Verdict>()
        .Select(v => KeyValuePair.Create(v, Word(v)))];

    /// <summary>Those that an episode can have.</summary>
    static readonly ImmutableArray<Verdict> Kinds =
    [
        Verdict.Starved, Verdict.StarvedAtMax, Verdict.SilentlyStarved, Verdict.Wedged, Verdict.Held, Verdict.Saturated, Verdict.NotThePool,
    ];

    /// <summary>Those that today's runtimes give when they add threads.</summary>
    static readonly ImmutableArray<AdjustmentReason> Reasons =
    [
        AdjustmentReason.Warmup, AdjustmentReason.Initializing, AdjustmentReason.ClimbingMove, AdjustmentReason.Stabilizing,
        AdjustmentReason.Starvation, AdjustmentReason.CooperativeBlocking,
    ];

    public static ImmutableArray<OfTarget> All { get; } =
    [
        new("tpwatch_target", Kind.Info, "A watched process. Only this series has the process id.", t =>
            [new(FormattableString.Invariant($"pid=\"{t.Pid}\",runtime=\"{TargetLabels.Escaped(t.Runtime ?? "")}\""), 1)]),
        new("tpwatch_verdict", Kind.Gauge, "1 for the current verdict, 0 for all others.", t =>
            Verdicts.Select(v => new Point($"verdict=\"{v.Value}\"", v.Key == t.Verdict ? 1 : 0))),
        new("tpwatch_episodes", Kind.Counter, "Episodes in which work items waited or hung, by first verdict.", t =>
            Kinds.Select(k => new Point($"verdict=\"{Word(k)}\"", t.Tally.Episodes.GetValueOrDefault(k)))),
        new("tpwatch_starved_seconds", Kind.Counter, "Total time of episodes in which work items waited or hung, by verdict.", t =>
            Kinds.Select(k => new Point($"verdict=\"{Word(k)}\"", t.Tally.Seconds.GetValueOrDefault(k)))),
        new("tpwatch_injection_delay_seconds", Kind.Histogram,
            "Injection delays, and waits without an added thread, by the rule that explains them. "
                + "The label mechanism is the code of the rule (dotnet tpwatch rules).",
            Delays),
        new("tpwatch_injected_threads", Kind.Counter,
            "Rises of the target thread count, in threads, by the reason that the runtime gives.", t =>
            Reasons.Select(r => new Point($"reason=\"{Word(r)}\"", t.Tally.Injected.GetValueOrDefault(r)))),
        new("tpwatch_worker_threads", Kind.Gauge, "Worker threads that exist.", t => Level(t, t.Glance.Timeline.Levels.Workers)),
        new("tpwatch_target_threads", Kind.Gauge, "The target thread count: how many worker threads the pool wants.", t =>
            Level(t, t.Glance.Timeline.Levels.TargetThreads)),
        new("tpwatch_min_threads", Kind.Gauge, "MinThreads, if it is known.", t =>
            Level(t, t.Glance.Timeline.Target.MinWorkers.Value)),
        new("tpwatch_max_threads", Kind.Gauge, "MaxThreads, if it is known.", t =>
            Level(t, t.Glance.Timeline.Target.MaxWorkers.Value)),
        new("tpwatch_queue_length", Kind.Gauge, "Work items that waited at the last counter sample.", t =>
            Level(t, t.Glance.Timeline.Levels.QueueLength)),
        new("tpwatch_longest_wait_seconds", Kind.Gauge,
            "Longest proven queue time in the current episode, a lower bound; 0 outside of episodes.", t =>
            Level(t, (t.Open?.ProvenWaitMs ?? 0) / 1000)),
        new("tpwatch_start_delay_seconds", Kind.Gauge,
            "Estimated queue time of a work item queued now; absent while no item waits.", StartDelay),
        new("tpwatch_backlog_gone_seconds", Kind.Gauge, "Seconds until the queue is empty; +Inf if more items arrive than complete.", Gone),
        new("tpwatch_next_injection_seconds", Kind.Gauge, "Seconds until the pool should add a thread, "
            + "unless an item is dequeued first.", t =>
            t.Glance.Forecast?.NextInjection is { } next ? Level(t, Until(t, next.At.MsSince(t.Glance.Timeline.Now))) : []),
        new("tpwatch_events_lost", Kind.Counter, "Lost events of the process.", t => [new("", t.Tally.Lost)]),
        new("tpwatch_target_silent_seconds", Kind.Gauge, "Seconds since the process last sent data, "
            + "if counter samples are overdue; otherwise 0.", t =>
            [new("", t.Silence?.For.TotalSeconds ?? 0)]),
    ];

    /// <summary>A verdict, reason or code in a label.</summary>
    public static string Word<T>(T value)
        where T : struct, Enum => value.ToString() is [var first, .. var rest] ? char.ToLowerInvariant(first) + rest : "";

    // A level of long ago is none.
    static Point[] Level(TargetState t, double? value) => value is { } known && t.Silence is null ? [new("", known)] : [];

    static double Until(TargetState t, double ms) => Math.Max(0, ms) / 1000;

    static IEnumerable<Point> StartDelay(TargetState t) =>
        t.Silence is not null || t.Glance.Forecast?.StartDelayOfNewItem is not { } delay
            ? []
            : Bound("least", delay.MinMs).Concat(Bound("likely", delay.EstimateMs)).Concat(Bound("most", delay.MaxMs));

    static Point[] Bound(string word, double? ms) => ms is { } known ? [new($"bound=\"{word}\"", known / 1000)] : [];

    static Point[] Gone(TargetState t) => t.Glance.Forecast?.QueueEmpty switch
    {
        { Never: true } => Level(t, double.PositiveInfinity),
        { At: { } at } => Level(t, Until(t, at.MsSince(t.Glance.Timeline.Now))),
        _ => [],
    };

    // A mechanism has its classes once it was seen: most are never, and each is eleven series.
    static IEnumerable<Point> Delays(TargetState t)
    {
        foreach (var (mechanism, histogram) in t.Tally.Delays)
        {
            var label = $"mechanism=\"G{((int)mechanism).ToString(CultureInfo.InvariantCulture)}\"";
            var below = 0L;
            for (var i = 0; i < DelayHistogram.Bounds.Length; i++)
            {
                below += histogram.Counts[i];
                yield return new(FormattableString.Invariant($"{label},le=\"{DelayHistogram.Bounds[i]}\""), below, "_bucket");
            }

            yield return new($"{label},le=\"+Inf\"", histogram.Count, "_bucket");
            yield return new(label, histogram.SumSeconds, "_sum");
            yield return new(label, histogram.Count, "_count");
        }
    }
}
