using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>The probes of a capture, and what they need together.</summary>
sealed class ProbeSet
{
    /// <summary>The pool's meters exist since .NET 9.</summary>
    const int FirstMajorWithMeters = 9;

    ProbeSet(IReadOnlyList<IProbe> probes) => Probes = probes;

    public IReadOnlyList<IProbe> Probes { get; }

    /// <summary>The basic set for a live target; <paramref name="heartbeat"/> null is none.</summary>
    public static ProbeSet Basic(int? runtimeMajor, TimeSpan? heartbeat) =>
        new([.. PoolProbes(), .. HeartbeatProbes(runtimeMajor, heartbeat)]);

    /// <summary>Everything that a recording may hold.</summary>
    public static ProbeSet ForRecording() => new([.. PoolProbes(), .. HeartbeatProbes(null, WatchOptions.DefaultHeartbeat)]);

    /// <summary>
    /// The second session's set: items, locks, requests, and of the pool what tells when a worker is at work and when the queue is empty.
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

    /// <summary>Everything that the second stream of a recording may hold.</summary>
    public static ProbeSet DeepForRecording(IDeepSink sink, bool showPaths = false) =>
        new([
            new WorkerProbe(), new WorkItemProbe(sink), new LockProbe(sink), new RequestProbe(sink, new(showPaths)),
            .. HeartbeatProbes(null, WatchOptions.DefaultHeartbeat),
        ]);

    /// <summary>
    /// Meters where the runtime has them, counters where it has none, both where its version is not known. Beside the meters counters are
    /// read that somebody else has on: they come unasked, and are all there is when the runtime refuses us its metrics session.
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

    /// <summary>One need a provider: keywords joined, arguments united.</summary>
    public IReadOnlyList<ProviderNeed> Needs() =>
    [
        .. Probes.Select(p => p.Need).GroupBy(n => n.Provider).Select(same => new ProviderNeed(
            same.Key, same.Max(n => n.Level), same.Aggregate(0L, (all, n) => all | n.Keywords),
            same.SelectMany(n => n.Arguments).DistinctBy(a => a.Key).ToDictionary())),
    ];

    /// <summary>Everything that they look at.</summary>
    public WantedEvents Wanted() => new(Probes.GroupBy(p => p.Need.Provider).Select(same => KeyValuePair.Create(
        same.Key, same.Any(p => p.Ids is null) ? null : (IEnumerable<KeyValuePair<int, int>>?)same.SelectMany(p => p.Ids!).Distinct())));

    static IEnumerable<IProbe> PoolProbes() =>
    [
        new AdjustmentProbe(), new ThroughputProbe(), new WorkerProbe(), new ThreadBirthProbe(), new LimitsProbe(), new SettingsProbe(),
        new SuspensionProbe(),
    ];
}
