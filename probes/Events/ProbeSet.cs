using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Events;

/// <summary>The probes of a capture, and their combined provider needs.</summary>
sealed class ProbeSet(IReadOnlyList<IProbe> probes)
{
    /// <summary>The first major version of .NET with the pool's meters.</summary>
    const int FirstMajorWithMeters = 9;

    public IReadOnlyList<IProbe> Probes => probes;

    /// <summary>Returns the basic probes for a live target; without counter samples if <paramref name="counterSample"/> is null.</summary>
    public static ProbeSet Basic(int? runtimeMajor, TimeSpan? counterSample) =>
        new([.. PoolProbes(), .. CounterProbes(runtimeMajor, counterSample)]);

    /// <summary>Returns the probes for all events that a recording may contain.</summary>
    public static ProbeSet ForRecording() => new([.. PoolProbes(), .. CounterProbes(null, WatchOptions.DefaultSampleInterval)]);

    /// <summary>
    /// Returns the probes of the second session: items, locks and requests as the options require, worker threads, and counter samples.
    /// </summary>
    public static ProbeSet Deep(ISideStreamSink sink, WatchOptions options, int? runtimeMajor)
    {
        var depth = options.Depth;
        List<IProbe> wanted = [new WorkerProbe()];
        wanted.AddRange(depth.HasFlag(CaptureDepth.Items) ? [new WorkItemProbe(sink)] : []);
        wanted.AddRange(depth.HasFlag(CaptureDepth.Stacks) ? [new LockProbe(sink)] : []);
        wanted.AddRange(depth.HasFlag(CaptureDepth.Requests) ? [new RequestProbe(sink, new(options.ShowPaths))] : []);
        return new([.. wanted, .. CounterProbes(runtimeMajor, options.CounterSample)]);
    }

    /// <summary>Returns the probes for all events that the second stream of a recording may contain.</summary>
    public static ProbeSet DeepForRecording(ISideStreamSink sink, bool showPaths = false) =>
        new([
            new WorkerProbe(), new WorkItemProbe(sink), new LockProbe(sink), new RequestProbe(sink, new(showPaths)),
            .. CounterProbes(null, WatchOptions.DefaultSampleInterval),
        ]);

    /// <summary>
    /// Returns the probes for counter samples: for meters if the runtime has them, else for event counters, and for both if the version is
    /// unknown. With meters, event counters that other listeners have enabled are also read. They arrive without a request, and are the
    /// only source if the runtime refuses the metrics session.
    /// </summary>
    static IEnumerable<IProbe> CounterProbes(int? runtimeMajor, TimeSpan? counterSample)
    {
        var source = new CounterSource();
        return (counterSample, runtimeMajor) switch
        {
            (null, _) => [],
            ({ } interval, null) => [new MeterSampleProbe(interval, source), new CounterSampleProbe(interval, source)],
            ({ } interval, >= FirstMajorWithMeters) => [new MeterSampleProbe(interval, source), new CounterSampleProbe(null, source)],
            ({ } interval, _) => [new CounterSampleProbe(interval, source)],
        };
    }

    /// <summary>Returns one need per provider, with the keywords and arguments of all probes combined.</summary>
    public IReadOnlyList<ProviderNeed> Needs() =>
    [
        .. Probes.Select(p => p.Need).GroupBy(n => n.Provider).Select(same => new ProviderNeed(
            same.Key, same.Max(n => n.Level), same.Aggregate(0L, (all, n) => all | n.Keywords),
            same.SelectMany(n => n.Arguments).DistinctBy(a => a.Key).ToDictionary())),
    ];

    /// <summary>The events that these probes read.</summary>
    public EventFilter Wanted() => new(Probes.GroupBy(p => p.Need.Provider).Select(same => KeyValuePair.Create(
        same.Key, same.Any(p => p.Ids is null) ? null : (IEnumerable<KeyValuePair<int, int>>?)same.SelectMany(p => p.Ids!).Distinct())));

    static IEnumerable<IProbe> PoolProbes() =>
    [
        new AdjustmentProbe(), new ThroughputProbe(), new WorkerProbe(), new ThreadBirthProbe(), new MinMaxThreadsProbe(),
        new SystemRuntimeProbe(),
        new SuspensionProbe(),
    ];
}

/// <summary>Reads one group of events: defines the provider settings, and converts the events to facts.</summary>
interface IProbe
{
    ProviderNeed Need { get; }

    /// <summary>
    /// Ids of the provider's events that the probe reads, each with the event's minimum payload length in bytes, which the TraceEvent
    /// library does not check. Null means all events of the provider.
    /// </summary>
    IReadOnlyDictionary<int, int>? Ids => null;

    /// <summary>Subscribes to TraceEvent's events. Each event is copied into a fact, because TraceEvent reuses its event objects.</summary>
    void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink);
}

/// <summary>The provider settings that a probe needs in the target: level, keywords and arguments.</summary>
sealed record ProviderNeed(string Provider, int Level, long Keywords, IReadOnlyDictionary<string, string> Arguments)
{
    public const int Informational = 4;

    /// <summary>A provider without arguments.</summary>
    public ProviderNeed(string provider, int level, long keywords) : this(provider, level, keywords, new Dictionary<string, string>())
    {
    }
}

static class RuntimeProvider
{
    public const string Name = "Microsoft-Windows-DotNETRuntime";

    /// <summary>Keyword for start, stop and wait of worker threads, adjustments, limits, thread creation: a few events a second.</summary>
    public const long Threading = 0x10000;

    /// <summary>Keyword for garbage collections and the suspensions for them: about twenty events per collection.</summary>
    public const long Collections = 0x1;

    public static ProviderNeed Need { get; } = new(Name, ProviderNeed.Informational, Threading);
}

/// <summary>
/// Selects the source of a capture's counter samples: event counters until the first sample of the meters, and only the meters after it.
/// Both count the same items, and another listener's event counters also reach this session. The selection depends only on the events that
/// arrive, so a replay of a recording makes the same selection as the session.
/// </summary>
sealed class CounterSource
{
    bool hasMeters;

    public void FromMeters(in CountersRead fact, IFactSink sink)
    {
        hasMeters = true;
        sink.On(fact);
    }

    public void FromCounters(in CountersRead fact, IFactSink sink)
    {
        if (!hasMeters)
        {
            sink.On(fact);
        }
    }
}

/// <summary>Converts the needs of a set of probes to a session plan.</summary>
static class SessionNeeds
{
    /// <summary>Buffer size, megabytes: two seconds of events at the highest rate. The target allocates only the used part.</summary>
    const int FloodBufferMb = 128;

    public static SessionPlan Plan(ProbeSet probes) =>
        new([.. probes.Needs().Select(n => new PlannedProvider(n.Provider, (EventLevel)n.Level, n.Keywords,
            n.Arguments.Count == 0 ? null : n.Arguments.ToImmutableSortedDictionary(StringComparer.Ordinal)))]);

    /// <summary>Plans a session and, for events that may come at a very high rate, a second session with other probes.</summary>
    public static SessionPlan Plan(ProbeSet probes, ProbeSet? deep, CaptureDepth depth)
    {
        var plan = Plan(probes) with { Depth = depth, Side = deep is null ? null : Side(deep) };
        return plan with
        {
            AtStart = !plan.Providers.Any(IsCounters) ? null
                : WithoutCounters(plan) with { Side = plan.Side is { } second ? WithoutCounters(second) : null },
        };
    }

    /// <summary>Plans only the second session.</summary>
    public static SessionPlan Side(ProbeSet deep) => Plan(deep) with { BufferMb = FloodBufferMb };

    static SessionPlan WithoutCounters(SessionPlan plan) => plan with { Providers = [.. plan.Providers.Where(p => !IsCounters(p))] };

    static bool IsCounters(PlannedProvider provider) => provider.Name is SystemRuntimeProbe.Provider or MeterSampleProbe.Provider;
}
