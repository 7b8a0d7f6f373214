using System.Text.Json;
using System.Text.Json.Serialization;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The data of a recording that its stream does not contain: facts about the target and readings of the clock. Stored next to
/// <c>FILE.nettrace</c> as <c>FILE.nettrace.json</c>. A field is never renamed or removed within a schema version.
/// </summary>
sealed record SideCar
{
    /// <summary>The schema that this version writes and reads.</summary>
    public const string CurrentSchema = "tpwatch-sidecar/1";

    /// <summary>Name and version of the schema.</summary>
    public required string Schema { get; init; }

    /// <summary>Version of the tool that recorded.</summary>
    public string? ToolVersion { get; init; }

    /// <summary>Source of the stream when it was recorded.</summary>
    public SessionSource Source { get; init; }

    /// <summary>Interval of the counter samples, milliseconds; null if they were off.</summary>
    [JsonPropertyName("heartbeatMs")]
    public double? SampleIntervalMs { get; init; }

    /// <summary>Facts about the target.</summary>
    public required SideCarTarget Target { get; init; }

    /// <summary>Readings of the clock, oldest first.</summary>
    public ImmutableArray<SideCarClock> Clock { get; init; } = [];

    /// <summary>Readings of the process from outside, oldest first.</summary>
    public ImmutableArray<SideCarProcess> Process { get; init; } = [];

    /// <summary>
    /// The depth in addition to the pool's own events; if it needs a second session, there is a second stream in <c>FILE.deep.nettrace</c>.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public CaptureDepth Depth { get; init; }

    /// <summary>
    /// Id of the second stream of this recording, from its process and start; null while it is being recorded, and if there is none.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? DeepId { get; init; }

    /// <summary>
    /// For a program that was recorded from its start: the stream before its counters were enabled, as nettrace. Null if there is none.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public byte[]? Start { get; init; }

    /// <summary>The stack bursts; null if there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SideCarBursts? Bursts { get; init; }

    /// <summary>The readings of the process's memory, oldest first; null if there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ImmutableArray<SideCarInside>? Inside { get; init; }

    /// <summary>
    /// Length of the complete stream in bytes, if the recording ended before the session, as at its size limit: such a stream has no end
    /// mark and is not damaged. Null if the recording continued to the end of the session.
    /// </summary>
    public long? EndedEarlyAtBytes { get; init; }

    /// <summary>Remarks of the recording, such as its limit.</summary>
    public ImmutableArray<string> Remarks { get; init; } = [];
}

/// <summary>Facts about the target in a side-car.</summary>
sealed record SideCarTarget
{
    /// <summary>Process id.</summary>
    public int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public string? Name { get; init; }

    /// <summary>Command line, shortened unless the user requested the whole.</summary>
    public string? CommandLine { get; init; }

    public string? RuntimeVersion { get; init; }

    /// <summary>Operating system.</summary>
    public string? Os { get; init; }

    /// <summary>Processor architecture.</summary>
    public string? Architecture { get; init; }

    /// <summary>Number of processors and its source.</summary>
    public SourcedValue? Processors { get; init; }

    /// <summary>MinThreads and its source.</summary>
    public SourcedValue? MinWorkers { get; init; }

    /// <summary>MaxThreads and its source.</summary>
    public SourcedValue? MaxWorkers { get; init; }

    /// <summary>The pool's settings as configured.</summary>
    public ImmutableArray<PoolSetting> Settings { get; init; } = [];
}

/// <summary>One reading of the coarse clock; see <see cref="ClockReading"/>.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="StepMs">Difference between two successive values, milliseconds.</param>
/// <param name="GridMs">Value modulo the step, milliseconds.</param>
/// <param name="EdgeMs">Moment of change modulo the step, milliseconds.</param>
/// <param name="Regime">How the clock is refreshed.</param>
sealed record SideCarClock(long AtNs, double StepMs, double GridMs, double EdgeMs, ClockRegime Regime)
{
    /// <summary>
    /// Share of wake-ups, 0 to 1, whose own interrupt had refreshed the clock; null if there were too few, and in recordings of earlier
    /// versions.
    /// </summary>
    public double? IdleShare { get; init; }
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
