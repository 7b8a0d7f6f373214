using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>The immutable state from which a policy decides. Null means unknown, unless the property says otherwise.</summary>
sealed record PoolState
{
    /// <summary>The target's settings.</summary>
    public required PoolSettings Settings { get; init; }

    /// <summary>Whether the gate thread counts the processors as busy at a processor use of <paramref name="cpu"/>, 0 to 1.</summary>
    internal bool IsBusyAt(double? cpu) => !Settings.CpuUnread && cpu >= GateTiming.BusyCpu;

    /// <summary>
    /// Whether MaxThreads forbids another thread: existing threads or target thread count have reached it. False if MaxThreads is unknown.
    /// </summary>
    internal bool IsAtMax => Settings.Max is { } max && (Existing >= max || TargetThreads >= max);

    /// <summary>Event time of the last input.</summary>
    public EventTime Now { get; init; }

    /// <summary>Target thread count; null before the first adjustment of a late attach.</summary>
    public int? TargetThreads { get; init; }

    /// <summary>Number of existing worker threads; null when unknown.</summary>
    public int? Existing { get; init; }

    /// <summary>Whether items wait for a worker thread; null when not known.</summary>
    public bool? Outstanding { get; init; }

    /// <summary>Time of the last observed dequeue.</summary>
    public EventTime? LastDequeue { get; init; }

    /// <summary>
    /// The last gate check before <see cref="LastDequeue"/>. On an idle machine, the wake-up for that check refreshed the coarse clock that
    /// the dequeue read.
    /// </summary>
    public EventTime? CheckBeforeDequeue { get; init; }

    /// <summary>
    /// Whether items have completed since <see cref="LastDequeue"/>, so that unseen dequeues are likely; null when not known.
    /// </summary>
    public bool? DequeuedUnseen { get; init; }

    /// <summary>Processor use of the target as a share of all processors, 0 to 1.</summary>
    public double? Cpu { get; init; }

    /// <summary>Upper bound of processor use in the gate thread's last period, 0 to 1; null to use <see cref="Cpu"/> alone.</summary>
    public double? CpuAtMost { get; init; }

    /// <summary>Time of the last gate check; null while that time is not known.</summary>
    public EventTime? LastCheck { get; init; }

    /// <summary>Time from <see cref="LastCheck"/> to the next gate check, milliseconds. Depends on what the last check decided.</summary>
    public double CheckPeriodMs { get; init; } = GateTiming.AfterHold;

    /// <summary>Time at which the pending blocking-compensation step is due; null when no step is pending.</summary>
    public EventTime? CooperativeDue { get; init; }

    /// <summary>The newest reading of the coarse clock; null when that clock was not read.</summary>
    public ClockReading? Clock { get; init; }

    /// <summary>Number of worker threads in task waits that the pool detects; known only for a simulated pool, else null.</summary>
    public int? TaskWaits { get; init; }

    /// <summary>
    /// The part of <see cref="TargetThreads"/> that compensates for task waits; maintained only while <see cref="TaskWaits"/> is known.
    /// </summary>
    public int AddedForTaskWaits { get; init; }

    /// <summary>Time at which the newest worker thread was created; used only by the policies for pools before .NET 4.</summary>
    public EventTime? LastCreation { get; init; }

    /// <summary>Queue length; null when unknown.</summary>
    public long? QueueLength { get; init; }

    /// <summary>
    /// <see cref="QueueLength"/> at the last gate check that found items. <see cref="RotorPolicy"/> tests whether the queue shrank since.
    /// </summary>
    public long QueueLengthAtCheck { get; init; }
}

/// <summary>An input that changes a policy's state, at a moment of event time.</summary>
abstract record PoolInput(EventTime At)
{
    /// <summary>A worker thread took an item.</summary>
    public sealed record Dequeued(EventTime At) : PoolInput(At);

    /// <summary>A counter sample: whether items completed since the last one, processor use (0 to 1), whether items wait.</summary>
    public sealed record Counted(EventTime At, bool? Completed, double? Cpu, bool? Outstanding) : PoolInput(At)
    {
        /// <summary>Upper bound of processor use in the gate thread's last period, 0 to 1; null if not above <see cref="Cpu"/>.</summary>
        public double? CpuAtMost { get; init; }
    }

    /// <summary>The number of existing worker threads became known.</summary>
    public sealed record WorkersSeen(EventTime At, int Existing) : PoolInput(At);

    /// <summary>The target thread count changed.</summary>
    public sealed record TargetThreadsSeen(EventTime At, int TargetThreads, AdjustmentReason Reason) : PoolInput(At);

    /// <summary>The gate thread checked and did not inject.</summary>
    public sealed record GateChecked(EventTime At) : PoolInput(At);

    /// <summary>The gate thread started, or woke from its sleep. The period of the gate checks starts here.</summary>
    public sealed record GateBegan(EventTime At) : PoolInput(At);

    /// <summary>The times of the gate checks are no longer known, because the gate thread may have slept.</summary>
    public sealed record GateLost(EventTime At) : PoolInput(At);

    /// <summary>MinThreads, MaxThreads or the number of processors became known.</summary>
    public sealed record SettingsSeen(EventTime At, PoolSettings Settings) : PoolInput(At);

    /// <summary>A reading of the coarse clock.</summary>
    public sealed record ClockRead(EventTime At, ClockReading Clock) : PoolInput(At);

    /// <summary>The queue length became known: <paramref name="Items"/> wait for a worker thread.</summary>
    public sealed record QueueLengthSeen(EventTime At, long Items) : PoolInput(At);

    /// <summary>The number of worker threads in task waits became known. Only task waits that the pool detects count.</summary>
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
    public MinThreadsBasis MinBasis { get; init; } = MinThreadsBasis.Known;

    /// <summary>Whether the target's configuration changes the steps and delays of blocking compensation.</summary>
    public bool CooperativeChanged { get; init; }

    /// <summary>
    /// Whether the gate thread is configured not to read processor use (CpuUtilizationIntervalMs 0, .NET 8 and later). The gate thread then
    /// counts the processors as idle, and the threshold for busy processors never applies.
    /// </summary>
    internal bool CpuUnread { get; init; }

    /// <summary>
    /// Whether starvation detection measures the time since the last dispatch (.NET 11 and later) rather than since the last dequeue. A
    /// worker thread records a dispatch when it begins to dispatch items, and again at each dispatch quantum.
    /// </summary>
    internal bool ByDispatch { get; init; }

    /// <summary>Whether events were lost since MinThreads and MaxThreads were seen; a lost event may have reported new values.</summary>
    internal bool LimitsLost { get; init; }

    /// <summary>
    /// Time since which the target thread count equals MaxThreads, whose value is unknown; null if this is not proven.
    /// <see cref="SamplesWithoutAdjustment"/> contains the proof.
    /// </summary>
    internal EventTime? NoRoomSince { get; init; }
}

/// <summary>How MinThreads is known.</summary>
enum MinThreadsBasis
{
    /// <summary>From an event or the configuration.</summary>
    Known,

    /// <summary>Assumed to be the default, the processor count; a call inside the program may have changed it.</summary>
    Assumed,

    /// <summary>Blocking-compensation steps have shown that MinThreads is not the default.</summary>
    Refuted,
}

/// <summary>
/// The throughput samples of hill climbing since the target thread count last changed. At every second sample, hill climbing switches
/// between two levels, at least one thread apart (PortableThreadPool.HillClimbing, .NET 6 to 11). MaxThreads limits the upper level. The
/// limit of the lower level is MinThreads plus the threads that wait for tasks, but at most the target thread count. A whole period without
/// an adjustment proves that the target thread count equals MaxThreads. A period without an adjustment also proves that MinThreads equals
/// MaxThreads, or that task waits hold all threads above MinThreads.
/// </summary>
/// <param name="Since">Time since which the target thread count is known to be unchanged.</param>
/// <param name="Samples">Number of samples since that time.</param>
readonly record struct SamplesWithoutAdjustment(EventTime Since, int Samples)
{
    /// <summary>Number of samples in a period: the runtime's default. A configured period is not judged.</summary>
    const int PeriodSamples = 4;

    /// <summary>Whether hill climbing has no room to change the target thread count.</summary>
    public bool IsFlat => Samples >= PeriodSamples;

    /// <summary>Returns this count plus one sample.</summary>
    public SamplesWithoutAdjustment Sampled() => this with { Samples = Samples + 1 };

    /// <summary>Returns zero samples since <paramref name="at"/>, when the target thread count changed or may have changed.</summary>
    public static SamplesWithoutAdjustment From(EventTime at) => new(at, 0);
}
