using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// The state from which a policy decides; immutable. Unknown values are null, and make a decision undecided where they matter.
/// </summary>
sealed record PoolState
{
    /// <summary>The target's settings.</summary>
    public required PoolSettings Settings { get; init; }

    /// <summary>Whether the gate thread takes the processors for busy at this use of them, 0 to 1.</summary>
    internal bool IsBusyAt(double? cpu) => !Settings.CpuUnread && cpu >= GateTiming.BusyCpu;

    /// <summary>
    /// Whether MaxThreads forbids another thread, by the existing threads or the target thread count; an unknown MaxThreads does not.
    /// </summary>
    internal bool IsAtMax => Settings.Max is { } max && (Existing >= max || TargetThreads >= max);

    /// <summary>Event time of the last input.</summary>
    public EventTime Now { get; init; }

    /// <summary>Target thread count; null before the first adjustment of a late attach.</summary>
    public int? TargetThreads { get; init; }

    /// <summary>Existing worker threads.</summary>
    public int? Existing { get; init; }

    /// <summary>Whether items wait for a worker thread; null when not known.</summary>
    public bool? Outstanding { get; init; }

    /// <summary>The last observed dequeue.</summary>
    public EventTime? LastDequeue { get; init; }

    /// <summary>
    /// The last gate check before <see cref="LastDequeue"/>: on an idle machine its wake-up refreshed the coarse clock that the dequeue
    /// read.
    /// </summary>
    public EventTime? CheckBeforeDequeue { get; init; }

    /// <summary>
    /// Whether items were completed since <see cref="LastDequeue"/>, so that later dequeues are likely; null when not known.
    /// </summary>
    public bool? DequeuedUnseen { get; init; }

    /// <summary>Processor use of the target, share of all processors, 0 to 1.</summary>
    public double? Cpu { get; init; }

    /// <summary>The maximum processor use in the gate thread's last period, 0 to 1; null where it is assumed to be steady.</summary>
    public double? CpuAtMost { get; init; }

    /// <summary>The last gate check; null while the phase is not known.</summary>
    public EventTime? LastCheck { get; init; }

    /// <summary>From <see cref="LastCheck"/> to the next gate check, milliseconds: depends on the outcome of the last one.</summary>
    public double CheckPeriodMs { get; init; } = GateTiming.AfterHold;

    /// <summary>When the pending blocking compensation step is due; null when none is pending.</summary>
    public EventTime? CooperativeDue { get; init; }

    /// <summary>The newest reading of the coarse clock; null when it was not read.</summary>
    public ClockReading? Clock { get; init; }

    /// <summary>Worker threads inside a task wait that the pool detects; null when unknown, as in any observation from outside.</summary>
    public int? TaskWaits { get; init; }

    /// <summary>
    /// The part of <see cref="TargetThreads"/> that compensates for task waits; maintained only while <see cref="TaskWaits"/> is known.
    /// </summary>
    public int AddedForTaskWaits { get; init; }

    /// <summary>When the newest worker thread was created; the policies before .NET 4 need it.</summary>
    public EventTime? LastCreation { get; init; }

    /// <summary>Queue length: items waiting for a worker thread; null when unknown.</summary>
    public long? QueueLength { get; init; }

    /// <summary>
    /// <see cref="QueueLength"/> at the last gate check that found any items; Rotor's policy checks whether it has shrunk since.
    /// </summary>
    public long QueueLengthAtCheck { get; init; }
}

/// <summary>An input that changes a policy's state, at a moment of event time.</summary>
abstract record PoolInput(EventTime At)
{
    /// <summary>An item was queued and waits.</summary>
    public sealed record Queued(EventTime At) : PoolInput(At);

    /// <summary>A worker thread took an item.</summary>
    public sealed record Dequeued(EventTime At) : PoolInput(At);

    /// <summary>A counter sample of the time up to now: whether items were completed (null: not known), and processor use.</summary>
    public sealed record Counted(EventTime At, bool? Completed, double? Cpu, bool? Outstanding) : PoolInput(At)
    {
        /// <summary>The maximum processor use in the gate thread's last period; null: not above the average.</summary>
        public double? CpuAtMost { get; init; }
    }

    /// <summary>The number of worker threads is known.</summary>
    public sealed record WorkersSeen(EventTime At, int Existing) : PoolInput(At);

    /// <summary>The target thread count changed.</summary>
    public sealed record TargetThreadsSeen(EventTime At, int TargetThreads, AdjustmentReason Reason) : PoolInput(At);

    /// <summary>The gate thread checked and did not inject.</summary>
    public sealed record GateChecked(EventTime At) : PoolInput(At);

    /// <summary>The gate thread started, or woke from its sleep: its period starts here.</summary>
    public sealed record GateBegan(EventTime At) : PoolInput(At);

    /// <summary>The phase of the gate checks is no longer known: the gate thread may have slept since.</summary>
    public sealed record GateLost(EventTime At) : PoolInput(At);

    /// <summary>MinThreads, MaxThreads or the processors are known.</summary>
    public sealed record SettingsSeen(EventTime At, PoolSettings Settings) : PoolInput(At);

    /// <summary>A reading of the coarse clock.</summary>
    public sealed record ClockRead(EventTime At, ClockReading Clock) : PoolInput(At);

    /// <summary>The queue length: <paramref name="Items"/> wait for a worker thread.</summary>
    public sealed record QueueLengthSeen(EventTime At, long Items) : PoolInput(At);

    /// <summary>The number of worker threads inside a task wait that the pool detects.</summary>
    public sealed record TaskWaitsSeen(EventTime At, int Workers) : PoolInput(At);

    /// <summary>Only time has passed.</summary>
    public sealed record Time(EventTime At) : PoolInput(At);
}

/// <summary>The target's settings that an injection policy needs.</summary>
/// <param name="Processors">Processors as the runtime counts them.</param>
/// <param name="Min">MinThreads, worker threads.</param>
/// <param name="Max">MaxThreads, worker threads; null when not known.</param>
/// <param name="DetectorDisabled">Whether starvation detection is switched off.</param>
sealed record PoolSettings(int Processors, int Min, int? Max, bool DetectorDisabled = false)
{
    /// <summary>How <see cref="Min"/> is known.</summary>
    public MinBasis MinBasis { get; init; } = MinBasis.Known;

    /// <summary>Whether the target's configuration changes the steps and delays of blocking compensation.</summary>
    public bool CooperativeChanged { get; init; }

    /// <summary>
    /// Whether the gate thread is configured not to read processor use (CpuUtilizationIntervalMs 0, .NET 8 and later): it then takes the
    /// processors for idle, and the longer threshold for busy processors never applies.
    /// </summary>
    internal bool CpuUnread { get; init; }

    /// <summary>
    /// Whether the time of starvation detection restarts, as from .NET 11 on, when a worker thread begins to dispatch and at each of its
    /// quanta, rather than at each dequeued item.
    /// </summary>
    internal bool ByDispatch { get; init; }

    /// <summary>The event that restarts the time of starvation detection, one word.</summary>
    internal string ClockWord => ByDispatch ? "dispatch" : "dequeue";

    /// <summary>That event as a participle, one word.</summary>
    internal string ClockDone => ByDispatch ? "dispatched" : "dequeued";

    /// <summary>Whether events were lost since MinThreads and MaxThreads were seen, which may include a call that set them.</summary>
    internal bool LimitsLost { get; init; }

    /// <summary>
    /// Since when the target thread count is proven to be at MaxThreads, whose value is unknown (<see cref="ClimbWave"/>); or null.
    /// </summary>
    internal EventTime? NoRoomSince { get; init; }
}

/// <summary>How MinThreads is known.</summary>
enum MinBasis
{
    /// <summary>From an event or the configuration.</summary>
    Known,

    /// <summary>Assumed to be the default, the processor count; a call inside the program may have changed it.</summary>
    Assumed,

    /// <summary>The pool's own steps have shown that it is not the default.</summary>
    Refuted,
}

/// <summary>
/// Hill climbing's wave as an observer sees it: each sample of the throughput, and a thread count adjustment where the target thread count
/// changes. Every second sample it goes to the other level, at least one thread away, and limits both levels
/// (PortableThreadPool.HillClimbing, .NET 6 to 11): to at most MaxThreads; and to at least MinThreads plus the threads that wait for tasks,
/// but not above the target thread count. A whole period of samples without an adjustment therefore proves that the target thread count
/// equals MaxThreads, and that MinThreads equals it too or task waits hold all threads above MinThreads.
/// </summary>
/// <param name="Since">The moment since which the target thread count is known to be unchanged.</param>
/// <param name="Samples">Number of samples since then.</param>
readonly record struct ClimbWave(EventTime Since, int Samples)
{
    /// <summary>Samples in a period: the runtime's default; a configured period is not judged.</summary>
    const int PeriodSamples = 4;

    /// <summary>Whether the wave has no room to move.</summary>
    public bool IsFlat => Samples >= PeriodSamples;

    /// <summary>The wave after one more sample.</summary>
    public ClimbWave Sampled() => this with { Samples = Samples + 1 };

    /// <summary>The wave after the target thread count changed or may have changed.</summary>
    public static ClimbWave From(EventTime at) => new(at, 0);
}
