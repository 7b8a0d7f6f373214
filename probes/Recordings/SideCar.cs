using System.Text.Json;
using System.Text.Json.Serialization;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The data of a recording that is not in the event stream, such as facts about the target and clock readings. The side-car of
/// <c>FILE.nettrace</c> is <c>FILE.nettrace.json</c>. A field is never renamed or removed within a schema version.
/// </summary>
sealed record SideCar
{
    /// <summary>The schema that this version writes and reads.</summary>
    public const string CurrentSchema = "tpwatch-sidecar/1";

    /// <summary>Name and version of the schema.</summary>
    public required string Schema { get; init; }

    public string? ToolVersion { get; init; }

    /// <summary>Whether tpwatch attached to the process or launched it.</summary>
    public SessionSource Source { get; init; }

    /// <summary>Interval of the counter samples, milliseconds; null if counter samples were off.</summary>
    [JsonPropertyName("heartbeatMs")]
    public double? SampleIntervalMs { get; init; }

    public required SideCarTargetFacts Target { get; init; }

    /// <summary>Readings of the coarse clock, oldest first.</summary>
    public ImmutableArray<SideCarCoarseClockReading> Clock { get; init; } = [];

    /// <summary>The state of the process as sampled from outside, oldest reading first.</summary>
    public ImmutableArray<SideCarProcessReading> Process { get; init; } = [];

    /// <summary>
    /// What was recorded in addition to the pool's own events. Data from a second session is in <c>FILE.deep.nettrace</c>.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public CaptureDepth Depth { get; init; }

    /// <summary>Id of the second stream, from its process id and start time; null during the recording or without this stream.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? DeepId { get; init; }

    /// <summary>The events before counters were enabled, as nettrace; null unless the program was recorded from its start.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public byte[]? Start { get; init; }

    /// <summary>The stack bursts; null if there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SideCarBursts? Bursts { get; init; }

    /// <summary>The memory readings, oldest first; null if there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ImmutableArray<SideCarInside>? Inside { get; init; }

    /// <summary>
    /// Length of the stream in bytes if the recording ended early, for example at the size limit; otherwise null. A stream of this length
    /// is not damaged, although it has no end mark.
    /// </summary>
    public long? EndedEarlyAtBytes { get; init; }

    /// <summary>Remarks about the recording, such as that the size limit was reached.</summary>
    public ImmutableArray<string> Remarks { get; init; } = [];
}

sealed record SideCarTargetFacts
{
    public int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public string? Name { get; init; }

    /// <summary>Command line, shortened unless the user requested the whole command line.</summary>
    public string? CommandLine { get; init; }

    public string? RuntimeVersion { get; init; }

    public string? Os { get; init; }

    public string? Architecture { get; init; }

    public SourcedValue? Processors { get; init; }

    public SourcedValue? MinWorkers { get; init; }

    public SourcedValue? MaxWorkers { get; init; }

    public ImmutableArray<PoolSetting> Settings { get; init; } = [];
}

/// <summary>One reading of the coarse clock; see <see cref="ClockReading"/>.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="StepMs">Difference between two successive values of the clock, milliseconds.</param>
/// <param name="GridMs">Value of the clock modulo <paramref name="StepMs"/>, milliseconds.</param>
/// <param name="EdgeMs">Times of the monotonic clock at which the value changes, modulo <paramref name="StepMs"/>, milliseconds.</param>
/// <param name="Regime">How the clock is refreshed.</param>
sealed record SideCarCoarseClockReading(long AtNs, double StepMs, double GridMs, double EdgeMs, ClockRegime Regime)
{
    /// <summary>
    /// Share of the sampling thread's wake-ups, 0 to 1, at which the waking interrupt also refreshed the clock. Null after too few
    /// wake-ups, and in recordings of earlier versions.
    /// </summary>
    public double? IdleShare { get; init; }
}

/// <summary>One reading of the process in a side-car; see <see cref="ProcessReading"/>. Null means unknown.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="IntervalMs">Time since the previous reading, milliseconds.</param>
sealed record SideCarProcessReading(long AtNs, double IntervalMs)
{
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Stopped { get; init; }

    /// <summary>Time of the check that first found the process stopped, nanoseconds of the monotonic clock; null without a stop.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? StoppedSinceNs { get; init; }

    /// <summary>Time of the check that last found the process stopped, nanoseconds of the monotonic clock; null without a stop.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? StoppedUntilNs { get; init; }

    /// <summary>Longest time that one thread waited for a processor during the interval, milliseconds.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? WaitMs { get; init; }

    /// <summary>Time that the gate thread waited for a processor during the interval, milliseconds.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? GateWaitMs { get; init; }

    /// <summary>Time for which the process's control group was throttled during the interval, milliseconds.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? ThrottledMs { get; init; }

    /// <summary>Memory in use, 0 to 1, as a share of the control group's limit or, without a limit, of the machine's memory.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? MemoryLoad { get; init; }

    internal ProcessReading Reading => new(new EventTime(AtNs), IntervalMs, Stopped)
    {
        StoppedSince = StoppedSinceNs is { } since ? new EventTime(since) : null,
        StoppedUntil = StoppedUntilNs is { } until ? new EventTime(until) : null,
        WaitMs = WaitMs,
        GateWaitMs = GateWaitMs,
        ThrottledMs = ThrottledMs,
        MemoryLoad = MemoryLoad,
    };

    internal static SideCarProcessReading Of(ProcessReading reading) => new(reading.At.Nanoseconds, reading.IntervalMs)
    {
        Stopped = reading.Stopped,
        StoppedSinceNs = reading.StoppedSince?.Nanoseconds,
        StoppedUntilNs = reading.StoppedUntil?.Nanoseconds,
        WaitMs = reading.WaitMs,
        GateWaitMs = reading.GateWaitMs,
        ThrottledMs = reading.ThrottledMs,
        MemoryLoad = reading.MemoryLoad,
    };
}

/// <summary>The stack bursts in a side-car. Each frame name is stored once; stacks refer to the names by index.</summary>
/// <param name="Frames">The frame names.</param>
/// <param name="Taken">The bursts, oldest first.</param>
sealed record SideCarBursts(ImmutableArray<string> Frames, ImmutableArray<SideCarBurst> Taken)
{
    /// <summary>Names of the program's own assemblies; null if unknown, and in recordings of earlier versions.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ImmutableArray<string>? Own { get; init; }
}

/// <summary>One burst.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="Ms">Duration of the sampling, milliseconds.</param>
/// <param name="Stacks">The stacks.</param>
/// <param name="Locks">The threads that waited for a lock.</param>
sealed record SideCarBurst(long AtNs, double Ms, ImmutableArray<SideCarSampledStack> Stacks, ImmutableArray<SideCarLockWait> Locks)
{
    /// <summary>Whether the burst comes from a memory reading.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Reading { get; init; }
}

/// <summary>One stack of a thread.</summary>
/// <param name="Thread">OS id of the thread.</param>
/// <param name="Samples">Number of samples with this stack.</param>
/// <param name="Running">Whether the thread may have been running.</param>
/// <param name="Frames">Indexes of the frames' names in <see cref="SideCarBursts.Frames"/>, innermost frame first.</param>
sealed record SideCarSampledStack(int Thread, int Samples, bool Running, ImmutableArray<int> Frames);

/// <summary>A thread that waited for a lock.</summary>
/// <param name="AtNs">Start of the wait, nanoseconds of the monotonic clock.</param>
/// <param name="Thread">OS id of the waiting thread.</param>
/// <param name="Lock">Id of the lock.</param>
/// <param name="Owner">OS id of the thread that owned the lock.</param>
sealed record SideCarLockWait(long AtNs, int Thread, long Lock, int Owner);

/// <summary>
/// One memory reading in a side-car; see <see cref="InsideReading"/>. The reading's stacks and locks are stored as a burst.
/// </summary>
/// <param name="AtNs">Start of the reading, nanoseconds of the monotonic clock.</param>
/// <param name="Ms">Duration of the reading, milliseconds.</param>
sealed record SideCarInside(long AtNs, double Ms)
{
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public InsideLimits? Limits { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public InsideQueue? Queue { get; init; }

    public ImmutableArray<InsideWait> Waits { get; init; } = [];

    /// <summary>A cycle of threads that wait for each other's locks; null if none was found.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LockCycle? Deadlock { get; init; }

    /// <summary>Number of managed threads.</summary>
    public int Threads { get; init; }

    /// <summary>Number of managed threads that ran during the reading.</summary>
    public int Running { get; init; }

    /// <summary>The parts of the reading that are unknown, each with the reason.</summary>
    public ImmutableArray<InsideUnknown> Unknown { get; init; } = [];

    internal InsideReading Reading => new()
    {
        At = new(AtNs),
        Ms = Ms,
        Limits = Limits,
        Queue = Queue,
        Waits = Waits,
        Deadlock = Deadlock,
        Threads = Threads,
        Running = Running,
        Unknown = Unknown,
    };

    internal static SideCarInside Of(InsideReading reading) => new(reading.At.Nanoseconds, Math.Round(reading.Ms, 3))
    {
        Limits = reading.Limits,
        Queue = reading.Queue,
        Waits = reading.Waits,
        Deadlock = reading.Deadlock,
        Threads = reading.Threads,
        Running = reading.Running,
        Unknown = reading.Unknown,
    };
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    GenerationMode = JsonSourceGenerationMode.Metadata,
    Converters = [typeof(CamelCaseEnum<SessionSource>), typeof(CamelCaseEnum<SettingSource>),
        typeof(CamelCaseEnum<ClockRegime>), typeof(CamelCaseEnum<CaptureDepth>),
        typeof(CamelCaseEnum<InsidePart>), typeof(CamelCaseEnum<WaitEnd>)])]
[JsonSerializable(typeof(SideCar))]
sealed partial class SideCarJson : JsonSerializerContext;

sealed class CamelCaseEnum<T>() : JsonStringEnumConverter<T>(JsonNamingPolicy.CamelCase, allowIntegerValues: false)
    where T : struct, Enum;
