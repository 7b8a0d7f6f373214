using System.Diagnostics;
using System.Diagnostics.Metrics;
using Tpwatch.Run;
using Kind = Tpwatch.Serve.InstrumentKind;
using Label = System.Collections.Generic.KeyValuePair<string, object?>;
using OfTarget = Tpwatch.Serve.Instrument<Tpwatch.Serve.TargetSnapshot>;
using OfUs = Tpwatch.Serve.Instrument<Tpwatch.Serve.WatcherState>;
using Value = System.Diagnostics.Metrics.Measurement<double>;

namespace Tpwatch.Serve;

enum InstrumentKind
{
    /// <summary>A value that rises and falls.</summary>
    Gauge,

    /// <summary>A value that only grows.</summary>
    Counter,

    /// <summary>A distribution of durations.</summary>
    Histogram,

    /// <summary>The constant 1 with informative labels.</summary>
    Info,
}

/// <summary>An instrument: its name in Prometheus, its kind and its help text.</summary>
/// <param name="Name">The Prometheus name, with the unit but without an ending such as <c>_total</c>.</param>
abstract record Instrument(string Name, InstrumentKind Kind, string Help)
{
    /// <summary>OpenTelemetry names that cannot be derived from the Prometheus name, which is the key.</summary>
    static readonly ImmutableDictionary<string, string> Conventions = new Dictionary<string, string>
    {
        ["process_cpu_seconds"] = "process.cpu.time",
        ["process_resident_memory_bytes"] = "process.memory.usage",
        ["process_start_time_seconds"] = "tpwatch.start_time",
    }.ToImmutableDictionary();

    /// <summary>The ending that the kind adds to the name of a series.</summary>
    public string Ending => Kind switch
    {
        InstrumentKind.Counter => "_total",
        InstrumentKind.Info => "_info",
        _ => "",
    };

    /// <summary>The unit in the notation of OpenTelemetry (UCUM).</summary>
    public string Unit => Name.EndsWith("_seconds", StringComparison.Ordinal) ? "s"
        : Name.EndsWith("_bytes", StringComparison.Ordinal) ? "By"
        : "";

    /// <summary>
    /// The name in OpenTelemetry: a dot after the first word, and no unit. A collector that exports to Prometheus turns this name into the
    /// name in <c>/metrics</c>, so alert rules and dashboards work with both sources.
    /// </summary>
    public string OtelName
    {
        get
        {
            var bare = Unit switch { "s" => Name[..^"_seconds".Length], "By" => Name[..^"_bytes".Length], _ => Name };
            var first = bare.IndexOf('_', StringComparison.Ordinal);
            return Conventions.GetValueOrDefault(
                Name, $"{bare[..first]}.{bare[(first + 1)..]}{(Kind == InstrumentKind.Info ? "_info" : "")}");
        }
    }
}

/// <summary>An instrument together with the function that reads its values.</summary>
/// <param name="Read">Callback that returns the values of a watched process or of tpwatch, with their labels; empty while unknown.</param>
sealed record Instrument<T>(string Name, InstrumentKind Kind, string Help, Func<T, IEnumerable<Measurement<double>>> Read)
    : Instrument(Name, Kind, Help)
    where T : class
{
    /// <summary>Adds the instrument to a meter; each value gets the given labels.</summary>
    public void AddTo(Meter meter, Label[] labels, Func<T?> now)
    {
        IEnumerable<Value> Values() => now() is { } state ? Read(state).Select(value => With(value, labels)) : [];
        _ = Kind == InstrumentKind.Counter
            ? (System.Diagnostics.Metrics.Instrument)meter.CreateObservableCounter<double>(OtelName, Values, Unit, Help)
            : meter.CreateObservableGauge<double>(OtelName, Values, Unit, Help);
    }

    static Value With(Value value, Label[] labels)
    {
        Label[] all = [.. labels, .. value.Tags];
        return new(value.Value, all);
    }
}

/// <summary>The instruments of a watched process and of tpwatch itself. An unknown value is absent, never 0.</summary>
static class MetricsCatalogue
{
    static readonly double StartedAt = ReadStart();

    /// <summary>
    /// Upper bounds of the histogram of injection delays, seconds. A delay by blocking compensation takes 25 to 250 ms, and one by
    /// starvation detection 0.5 or 1 s; longer delays are trouble.
    /// </summary>
    public static readonly ImmutableArray<double> Bounds = [0.025, 0.1, 0.25, 0.55, 1.05, 2, 5, 15, 60];

    /// <summary>The verdicts as label values, spelled as in the JSON report.</summary>
    static readonly ImmutableArray<KeyValuePair<Verdict, string>> Verdicts = [.. Enum.GetValues<Verdict>()
        .Select(v => KeyValuePair.Create(v, Word(v)))];

    static readonly ImmutableArray<Verdict> Kinds =
    [
        Verdict.Starved, Verdict.StarvedAtMax, Verdict.SilentlyStarved, Verdict.Wedged, Verdict.Held, Verdict.Saturated, Verdict.NotThePool,
    ];

    /// <summary>The reasons that current runtimes give for added threads.</summary>
    static readonly ImmutableArray<AdjustmentReason> Reasons =
    [
        AdjustmentReason.Warmup, AdjustmentReason.Initializing, AdjustmentReason.ClimbingMove, AdjustmentReason.Stabilizing,
        AdjustmentReason.Starvation, AdjustmentReason.CooperativeBlocking,
    ];

    /// <summary>The histogram of injection delays; <see cref="TargetMeter"/> records each delay.</summary>
    public static OfTarget Delays { get; } = new("tpwatch_injection_delay_seconds", Kind.Histogram,
        "Injection delays, and waits without an added thread, by the rule that explains them. "
            + "The label mechanism is the code of the rule (dotnet tpwatch rules).",
        _ => []);

    public static ImmutableArray<OfTarget> OfTargets { get; } =
    [
        new("tpwatch_target", Kind.Info, "A watched process. Only this series has the process id.", t =>
            [new(1, new Label("pid", t.Row.Pid), new Label("runtime", TargetLabels.Clean(t.Runtime ?? "")))]),
        new("tpwatch_verdict", Kind.Gauge, "1 for the current verdict, 0 for all others.", t =>
            Verdicts.Select(v => Of(v.Key == t.Verdict ? 1 : 0, "verdict", v.Value))),
        new("tpwatch_episodes", Kind.Counter, "Episodes in which work items waited or hung, by first verdict.", t =>
            Kinds.Select(k => Of(t.Tally.Episodes.GetValueOrDefault(k), "verdict", Word(k)))),
        new("tpwatch_starved_seconds", Kind.Counter, "Total time of episodes in which work items waited or hung, by verdict.", t =>
            Kinds.Select(k => Of(t.Tally.Seconds.GetValueOrDefault(k), "verdict", Word(k)))),
        Delays,
        new("tpwatch_injected_threads", Kind.Counter,
            "Rises of the target thread count, in threads, by the reason that the runtime gives.", t =>
            Reasons.Select(r => Of(t.Tally.Injected.GetValueOrDefault(r), "reason", Word(r)))),
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
        new("tpwatch_events_lost", Kind.Counter, "Lost events of the process.", t => [new(t.Tally.Lost)]),
        new("tpwatch_target_silent_seconds", Kind.Gauge, "Seconds since the process last sent data, "
            + "if counter samples are overdue; otherwise 0.", t =>
            [new(t.Silence?.For.TotalSeconds ?? 0)]),
    ];

    public static ImmutableArray<OfUs> OfWatcher { get; } =
    [
        new("tpwatch_build", Kind.Info, "The version of tpwatch.", _ => [Of(1, "version", TargetLabels.Clean(ToolVersion.Text))]),
        new("tpwatch_targets", Kind.Gauge, "Number of processes by state: watched, or waiting to be watched.", own =>
            [Of(own.Watched, "state", "watched"), Of(own.Waiting, "state", "waiting")]),
        new("tpwatch_targets_limit", Kind.Gauge, "Maximum number of processes watched at once.", own => [new(own.Limit)]),
        new("tpwatch_targets_refused", Kind.Counter, "Failed attempts to watch a process.", own => [new(own.Refused)]),
        new("tpwatch_targets_ended", Kind.Counter, "Watched processes that ended.", own => [new(own.Ended)]),
        new("tpwatch_incidents", Kind.Counter,
            "Starvation episodes for which tpwatch saved, or failed to save, a recording and a report, by result.",
            own => [Of(own.IncidentsKept, "result", "kept"), Of(own.IncidentsFailed, "result", "failed")]),
        // The next values are read at a collection, not once a second: reading them costs as much as a snapshot of all processes.
        new("process_cpu_seconds", Kind.Counter, "Processor time of tpwatch, user and system.",
            _ => [new(Environment.CpuUsage.TotalTime.TotalSeconds)]),
        new("process_resident_memory_bytes", Kind.Gauge, "Resident memory of tpwatch.", _ => [new(Environment.WorkingSet)]),
        new("process_start_time_seconds", Kind.Gauge, "Start time of tpwatch, in seconds since 1970.", _ => [new(StartedAt)]),
    ];

    public static ImmutableArray<Instrument> All { get; } = [.. OfTargets, .. OfWatcher];

    /// <summary>Returns a verdict or a reason as a label value.</summary>
    public static string Word<T>(T value)
        where T : struct, Enum => value.ToString() is [var first, .. var rest] ? char.ToLowerInvariant(first) + rest : "";

    static Value Of(double value, string label, string word) => new(value, new Label(label, word));

    // The levels of a process that sends no data are outdated, so their series are absent.
    static Value[] Level(TargetSnapshot t, double? value) => value is { } known && t.Silence is null ? [new(known)] : [];

    static double Until(TargetSnapshot t, double ms) => Math.Max(0, ms) / 1000;

    static IEnumerable<Value> StartDelay(TargetSnapshot t) =>
        t.Silence is not null || t.Glance.Forecast?.StartDelayOfNewItem is not { } delay
            ? []
            : Bound("least", delay.MinMs).Concat(Bound("likely", delay.EstimateMs)).Concat(Bound("most", delay.MaxMs));

    static Value[] Bound(string word, double? ms) => ms is { } known ? [Of(known / 1000, "bound", word)] : [];

    static Value[] Gone(TargetSnapshot t) => t.Glance.Forecast?.QueueEmpty switch
    {
        { Never: true } => Level(t, double.PositiveInfinity),
        { At: { } at } => Level(t, Until(t, at.MsSince(t.Glance.Timeline.Now))),
        _ => [],
    };

    static double ReadStart()
    {
        using var own = Process.GetCurrentProcess();
        return (own.StartTime.ToUniversalTime() - DateTime.UnixEpoch).TotalSeconds;
    }
}

/// <summary>The instruments of one process on a separate meter. Disposing the meter removes all series of the process.</summary>
sealed class TargetMeter : IDisposable
{
    readonly Meter meter;
    readonly Label[] labels;
    readonly Histogram<double> delays;

    public TargetMeter(string name, TargetLabels labels, Func<TargetSnapshot?> now)
    {
        this.labels = [.. labels.Labels];
        meter = new(new MeterOptions(name) { Version = ToolVersion.Text, Tags = labels.Attributes });
        var waits = MetricsCatalogue.Delays;
        delays = meter.CreateHistogram<double>(waits.OtelName, waits.Unit, waits.Help);
        foreach (var instrument in MetricsCatalogue.OfTargets.Where(instrument => instrument != MetricsCatalogue.Delays))
        {
            instrument.AddTo(meter, this.labels, now);
        }
    }

    // The rule that explains the delay is a label. A rule gets its twelve series at its first delay, because most rules never occur.
    public void Record(CountedDelay delay)
    {
        Label mechanism = new("mechanism", string.Create(CultureInfo.InvariantCulture, $"G{(int)delay.Mechanism}"));
        delays.Record(delay.Seconds, [.. labels, mechanism]);
    }

    public void Dispose() => meter.Dispose();
}
