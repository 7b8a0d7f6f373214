using System.Text.Json.Serialization;
using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>One reading of the process in a side-car; see <see cref="ProcessReading"/>.</summary>
/// <param name="AtNs">Nanoseconds of the monotonic clock.</param>
/// <param name="IntervalMs">Time since the previous reading, milliseconds.</param>
sealed record SideCarProcess(long AtNs, double IntervalMs)
{
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Stopped { get; init; }

    /// <summary>Time of the check that first found the process stopped, nanoseconds of the monotonic clock.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? StoppedSinceNs { get; init; }

    /// <summary>Time of the check that last found the process stopped, nanoseconds of the monotonic clock.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? StoppedUntilNs { get; init; }

    /// <summary>Longest wait of a thread for a processor, milliseconds.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? WaitMs { get; init; }

    /// <summary>Time that the gate thread waited for a processor, milliseconds.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? GateWaitMs { get; init; }

    /// <summary>Throttled time of the process's control group, milliseconds.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? ThrottledMs { get; init; }

    /// <summary>Memory in use as a share of the limit, 0 to 1.</summary>
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

    internal static SideCarProcess Of(ProcessReading reading) => new(reading.At.Nanoseconds, reading.IntervalMs)
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
