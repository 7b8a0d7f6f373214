using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>The probes of a capture, and their combined provider needs.</summary>
sealed class ProbeSet
{
    /// <summary>The first major version of .NET with the pool's meters.</summary>
    const int FirstMajorWithMeters = 9;

    ProbeSet(IReadOnlyList<IProbe> probes) => Probes = probes;

    public IReadOnlyList<IProbe> Probes { get; }

    /// <summary>The basic set for a live target; <paramref name="heartbeat"/> is the interval of counter samples, null for none.</summary>
    public static ProbeSet Basic(int? runtimeMajor, TimeSpan? heartbeat) =>
        new([.. PoolProbes(), .. HeartbeatProbes(runtimeMajor, heartbeat)]);

    /// <summary>Probes for everything that a recording may contain.</summary>
    public static ProbeSet ForRecording() => new([.. PoolProbes(), .. HeartbeatProbes(null, WatchOptions.DefaultHeartbeat)]);

    /// <summary>
    /// The second session's set: items, locks, requests, and the pool events that show when a worker thread is busy and when the queue is
    /// empty.
    /// </summary>
    public static ProbeSet Deep(IDeepSink sink, WatchOptions options, int? runtimeMajor)
    {
        var depth = options.Depth;
        List<IProbe> probes = [new WorkerProbe()];
        probes.AddRange(depth.HasFlag(CaptureDepth.Items) ? [new WorkItemProbe(sink)] : []);
        probes.AddRange(depth.HasFlag(CaptureDepth.Stacks) ? [new LockProbe(sink)] : []);
        probes.AddRange(depth.HasFlag(CaptureDepth.Requests) ? [new RequestProbe(sink, new(options.ShowPaths))] : []);
        return new([.. probes, .. HeartbeatProbes(runtimeMajor, options.Heartbeat)]);
    }

    /// <summary>Probes for everything that the second stream of a recording may contain.</summary>
    public static ProbeSet DeepForRecording(IDeepSink sink, bool showPaths = false) =>
        new([
            new WorkerProbe(), new WorkItemProbe(sink), new LockProbe(sink), new RequestProbe(sink, new(showPaths)),
            .. HeartbeatProbes(null, WatchOptions.DefaultHeartbeat),
        ]);

    /// <summary>
    /// Meters where the runtime has them, event counters where it does not, both where its version is not known. Alongside the meters,
    /// event counters of other listeners are read: they arrive unrequested, and are the only source when the runtime refuses its metrics
    /// session.
    /// </summary>
    static IEnumerable<IProbe> HeartbeatProbes(int? runtimeMajor, TimeSpan? heartbeat)
    {
        var source = new HeartbeatSource();
        return (heartbeat, runtimeMajor) switch
        {
            (null, _) => [],
            ({ } interval, null) => [new MeterHeartbeatProbe(interval, source), new CounterHeartbeatProbe(interval, source)],
            ({ } interval, >= FirstMajorWithMeters) => [new MeterHeartbeatProbe(interval, source), new CounterHeartbeatProbe(null, source)],
            ({ } interval, _) => [new CounterHeartbeatProbe(interval, source)],
        };
    }

    /// <summary>One need per provider, with keywords and arguments combined.</summary>
    public IReadOnlyList<ProviderNeed> Needs() =>
    [
        .. Probes.Select(p => p.Need).GroupBy(n => n.Provider).Select(same => new ProviderNeed(
            same.Key, same.Max(n => n.Level), same.Aggregate(0L, (all, n) => all | n.Keywords),
            same.SelectMany(n => n.Arguments).DistinctBy(a => a.Key).ToDictionary())),
    ];

    /// <summary>The events that these probes read.</summary>
    public WantedEvents Wanted() => new(Probes.GroupBy(p => p.Need.Provider).Select(same => KeyValuePair.Create(
        same.Key, same.Any(p => p.Ids is null) ? null : (IEnumerable<KeyValuePair<int, int>>?)same.SelectMany(p => p.Ids!).Distinct())));

    static IEnumerable<IProbe> PoolProbes() =>
    [
        new AdjustmentProbe(), new ThroughputProbe(), new WorkerProbe(), new ThreadBirthProbe(), new LimitsProbe(), new SettingsProbe(),
        new SuspensionProbe(),
    ];
}
