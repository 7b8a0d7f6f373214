using System.Text.Json;
using System.Text.Json.Serialization;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// What a recording needs and its stream does not hold: facts of the target and readings of the clock. Lies beside
/// <c>FILE.nettrace</c> as <c>FILE.nettrace.json</c>. A field is never renamed or removed within a schema version.
/// </summary>
sealed record SideCar
{
    /// <summary>The schema this tool writes and reads.</summary>
    public const string CurrentSchema = "tpwatch-sidecar/1";

    /// <summary>Name and version of the schema.</summary>
    public required string Schema { get; init; }

    /// <summary>Version of the tool that recorded.</summary>
    public string? ToolVersion { get; init; }

    /// <summary>Where the stream came from when it was recorded.</summary>
    public SessionSource Source { get; init; }

    /// <summary>Interval of the heartbeat, milliseconds; null is off.</summary>
    public double? HeartbeatMs { get; init; }

    /// <summary>Facts of the target.</summary>
    public required SideCarTarget Target { get; init; }

    /// <summary>Readings of the clock, oldest first.</summary>
    public ImmutableArray<SideCarClock> Clock { get; init; } = [];

    /// <summary>Readings of the process from outside, oldest first.</summary>
    public ImmutableArray<SideCarProcess> Process { get; init; } = [];

    /// <summary>What was switched on beside the pool's own events: then there is a second stream in <c>FILE.deep.nettrace</c>.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public CaptureDepth Depth { get; init; }

    /// <summary>Which second stream is this recording's, by process and start; null while it is being made, and without one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? DeepId { get; init; }

    /// <summary>
    /// Of a program that was recorded from its start: the stream from before its counters were on, as nettrace. Null when there is none.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public byte[]? Start { get; init; }

    /// <summary>The bursts of stacks; null when none were taken.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SideCarBursts? Bursts { get; init; }

    /// <summary>The readings of the process's memory, oldest first; null when there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ImmutableArray<SideCarInside>? Inside { get; init; }

    /// <summary>
    /// So many bytes hold all there is when the recording was ended before the session, as at its limit: such a stream has no end mark and
    /// is not damaged. Null when the recording went to the session's end.
    /// </summary>
    public long? EndedEarlyAtBytes { get; init; }

    /// <summary>Remarks of the recording, such as its limit.</summary>
    public ImmutableArray<string> Remarks { get; init; } = [];
}

/// <summary>Facts of the target as a side-car holds them.</summary>
sealed record SideCarTarget
{
    /// <summary>Process id.</summary>
    public int Pid { get; init; }

    /// <summary>Entry assembly or process name.</summary>
    public string? Name { get; init; }

    /// <summary>Command line, shortened unless its owner asked for the whole.</summary>
    public string? CommandLine { get; init; }

    public string? RuntimeVersion { get; init; }

    /// <summary>Operating system.</summary>
    public string? Os { get; init; }

    /// <summary>Processor architecture.</summary>
    public string? Architecture { get; init; }

    /// <summary>Processors and where they were seen.</summary>
    public SourcedValue? Processors { get; init; }

    /// <summary>Min workers and where they were seen.</summary>
    public SourcedValue? MinWorkers { get; init; }

    /// <summary>Max workers and where they were seen.</summary>
    public SourcedValue? MaxWorkers { get; init; }

    /// <summary>The pool's settings as written.</summary>
    public ImmutableArray<PoolSetting> Settings { get; init; } = [];
}

/// <summary>One reading of the clock.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="StepMs">Distance of two values.</param>
/// <param name="GridMs">Value modulo step.</param>
/// <param name="EdgeMs">Moment of change modulo step.</param>
/// <param name="Regime">How it is refreshed.</param>
sealed record SideCarClock(long AtNs, double StepMs, double GridMs, double EdgeMs, ClockRegime Regime)
{
    /// <summary>
    /// At what share of wake-ups their own interrupt had refreshed it; null when too few were seen, and in recordings of earlier versions.
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
