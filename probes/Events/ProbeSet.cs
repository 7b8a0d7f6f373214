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
    public static ProbeSet Basic(int? runtimeMajor, TimeSpan? heartbeat)
    {
        List<IProbe> probes = [.. PoolProbes()];
        if (heartbeat is { } interval)
        {
            probes.Add(UsesMeters(runtimeMajor) ? new MeterHeartbeatProbe(interval) : new CounterHeartbeatProbe(interval));
        }

        return new(probes);
    }

    /// <summary>Everything that a recording may hold.</summary>
    public static ProbeSet ForRecording() =>
        new([.. PoolProbes(), new MeterHeartbeatProbe(WatchOptions.DefaultHeartbeat), new CounterHeartbeatProbe(WatchOptions.DefaultHeartbeat)]);

    /// <summary>
    /// The second session's set: items, locks, and of the pool what tells when a worker is at work and when the queue is empty.
    /// </summary>
    public static ProbeSet Deep(IDeepSink sink, CaptureDepth depth, (int? RuntimeMajor, TimeSpan? Heartbeat) target)
    {
        List<IProbe> probes = [new WorkerProbe()];
        probes.AddRange(depth.HasFlag(CaptureDepth.Items) ? [new WorkItemProbe(sink)] : []);
        probes.AddRange(depth.HasFlag(CaptureDepth.Stacks) ? [new LockProbe(sink)] : []);
        if (target.Heartbeat is { } interval)
        {
            probes.Add(UsesMeters(target.RuntimeMajor) ? new MeterHeartbeatProbe(interval) : new CounterHeartbeatProbe(interval));
        }

        return new(probes);
    }

    /// <summary>Everything that the second stream of a recording may hold.</summary>
    public static ProbeSet DeepForRecording(IDeepSink sink) =>
        new([
            new WorkerProbe(), new WorkItemProbe(sink), new LockProbe(sink), new MeterHeartbeatProbe(WatchOptions.DefaultHeartbeat),
            new CounterHeartbeatProbe(WatchOptions.DefaultHeartbeat),
        ]);

    /// <summary>An unknown runtime is taken for a new one: meters disturb nobody, counters might.</summary>
    public static bool UsesMeters(int? runtimeMajor) => runtimeMajor is null or >= FirstMajorWithMeters;

    /// <summary>One need a provider: keywords joined, arguments united.</summary>
    public IReadOnlyList<ProviderNeed> Needs() =>
    [
        .. Probes.Select(p => p.Need).GroupBy(n => n.Provider).Select(same => new ProviderNeed(
            same.Key, same.Max(n => n.Level), same.Aggregate(0L, (all, n) => all | n.Keywords),
            same.SelectMany(n => n.Arguments).DistinctBy(a => a.Key).ToDictionary())),
    ];

    static IEnumerable<IProbe> PoolProbes() =>
    [
        new AdjustmentProbe(), new ThroughputProbe(), new WorkerProbe(), new ThreadBirthProbe(), new LimitsProbe(), new SettingsProbe(),
        new SuspensionProbe(),
    ];
}
