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

    /// <summary>
    /// The basic set for a live target; <paramref name="counterSample"/> is the interval of counter samples, null for none.
    /// </summary>
    public static ProbeSet Basic(int? runtimeMajor, TimeSpan? counterSample) =>
        new([.. PoolProbes(), .. CounterProbes(runtimeMajor, counterSample)]);

    /// <summary>Probes for everything that a recording may contain.</summary>
    public static ProbeSet ForRecording() => new([.. PoolProbes(), .. CounterProbes(null, WatchOptions.DefaultSampleInterval)]);

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
        return new([.. probes, .. CounterProbes(runtimeMajor, options.CounterSample)]);
    }

    /// <summary>Probes for everything that the second stream of a recording may contain.</summary>
    public static ProbeSet DeepForRecording(IDeepSink sink, bool showPaths = false) =>
        new([
            new WorkerProbe(), new WorkItemProbe(sink), new LockProbe(sink), new RequestProbe(sink, new(showPaths)),
            .. CounterProbes(null, WatchOptions.DefaultSampleInterval),
        ]);

    /// <summary>
    /// Meters where the runtime has them, event counters where it does not, both where its version is not known. Alongside the meters,
    /// event counters of other listeners are read: they arrive unrequested, and are the only source when the runtime refuses its metrics
    /// session.
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
